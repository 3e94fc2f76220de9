// What robustness.md says of connections to a server (E5, E6, E7, E12), as a file meets it: power
// goes before or during a commit, two programs change the same row, and everything stops again and
// again.
#include <algorithm>
#include <random>
#include <thread>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "storage/sqlite/faulty_vfs_for_tests.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

class SqliteCommits : public SqliteFixture {
 protected:
  std::unique_ptr<RecordStore> open_file(bool is_faulty) const {
    StoreOptions options = ours();
    if (is_faulty) options.vfs = vfs_.name();
    Result<std::unique_ptr<RecordStore>> opened = open(path("own.db"), options);
    EXPECT_TRUE(opened) << opened.error().message << opened.error().detail;
    return opened ? std::move(*opened) : nullptr;
  }
  WriteFn add(const std::string& title) const {
    return [this, title](Tx& tx) -> Result<std::string> {
      const Result<Row> row = tx.insert({&notes_, {{notes_.fields.data() + 1, title}}, {}});
      if (!row) return Unexpected(row.error());
      return title;
    };
  }
  long times(RecordStore& store, const std::string& title) const {
    const std::vector<std::string> all = titles(store);
    return std::count(all.begin(), all.end(), title);
  }

  FaultyVfs vfs_{"faulty_commits"};
  std::mt19937_64 random_{test_seed()};
};
using SqliteCommitsThreads = SqliteCommits;

// Cut off at every change of the file that one write makes: what went before the commit is rolled
// back, and of the commit itself the op tells. Sent again under its op it is there once.
TEST_F(SqliteCommits, E5_E6_cut_off_anywhere_a_write_is_there_once_and_its_op_knows) {
  bool is_cut = true;
  int lost = 0;
  int kept = 0;
  for (long nth = 1; is_cut; ++nth) {
    ASSERT_LT(nth, 100);
    const std::string title = "note " + std::to_string(nth);
    const WriteCall once = call();
    std::unique_ptr<RecordStore> store = open_file(true);
    vfs_.crash_at(nth);
    const Result<std::string> answer = store->write(once, add(title));
    is_cut = vfs_.is_crashed();
    if (!is_cut) EXPECT_TRUE(answer) << answer.error().message;
    store.reset();
    vfs_.lose_power(nth % 2 == 0 ? FaultyVfs::Loss::torn : FaultyVfs::Loss::all_unsynced, random_);
    store = open_file(false);
    const bool is_there = times(*store, title) == 1;
    EXPECT_EQ(store->state()->answer_of(*once.op).value().has_value(), is_there) << title;
    if (answer) EXPECT_TRUE(is_there) << title;
    ++(is_there ? kept : lost);
    EXPECT_EQ(store->write(once, add(title)).value(), title);
    EXPECT_EQ(times(*store, title), 1) << title;
  }
  EXPECT_GT(lost, 0);
  EXPECT_GT(kept, 0);
}

// Two programs that read a row and write what they made of it: one waits for the other, and no
// change is lost. SQLite lets no two write at once, so there is nothing to run again.
TEST_F(SqliteCommitsThreads, E7_a_write_that_meets_another_waits_and_loses_nothing) {
  const std::unique_ptr<RecordStore> one = open_file(false);
  const std::unique_ptr<RecordStore> other = open_file(false);
  ASSERT_TRUE(add_note(*one, "counted"));
  constexpr int kTimes = 25;
  std::atomic<int> runs = 0;
  const auto count_up = [&](RecordStore& store) {
    const Field* const rank = notes_.fields.data() + 2;
    const Condition counted{.kind = Condition::Kind::is_not_null, .field = notes_.fields.data()};
    for (int i = 0; i < kTimes; ++i) {
      const Result<std::string> answer = store.write(call(), [&](Tx& tx) -> Result<std::string> {
        ++runs;
        const Result<std::vector<Row>> rows = tx.select({.table = &notes_, .fields = {rank}});
        if (!rows) return Unexpected(rows.error());
        const Value& was = rows->at(0).at(0);
        const std::int64_t next = is_null(was) ? 1 : std::get<std::int64_t>(was) + 1;
        const Result<std::uint64_t> changed = tx.update({&notes_, {{rank, next}}, counted});
        if (!changed) return Unexpected(changed.error());
        return std::to_string(next);
      });
      EXPECT_TRUE(answer) << answer.error().message;
    }
  };
  std::thread beside([&] { count_up(*other); });
  count_up(*one);
  beside.join();
  EXPECT_EQ(runs, 2 * kTimes);
  const Result<void> read = one->read({}, [&](Tx& tx) -> Result<void> {
    const Result<std::vector<Row>> rows =
        tx.select({.table = &notes_, .fields = {notes_.fields.data() + 2}});
    EXPECT_EQ(rows.value().at(0).at(0), Value(std::int64_t{2 * kTimes}));
    return {};
  });
  EXPECT_TRUE(read);
}

// Every op is sent until it is answered, as a client would; meanwhile the power goes.
TEST_F(SqliteCommits, E12_no_acknowledged_op_is_lost_and_none_is_doubled) {
  SCOPED_TRACE(testing::Message() << "ALFRED_TEST_SEED=" << test_seed());
  const std::size_t ops = test_size({60, 300, 1000});
  std::unique_ptr<RecordStore> store = open_file(true);
  std::vector<std::pair<WriteCall, std::string>> sent;
  std::size_t losses = 0;
  for (std::size_t i = 0; i < ops; ++i) {
    sent.emplace_back(call(), "op " + std::to_string(i));
    const auto& [once, title] = sent.back();
    if (i % 5 == 0) vfs_.crash_at(static_cast<long>(1 + random_() % 12));
    while (!store->write(once, add(title))) {
      ASSERT_TRUE(vfs_.is_crashed()) << title;
      ++losses;
      store.reset();
      vfs_.lose_power(random_() % 2 == 0 ? FaultyVfs::Loss::torn : FaultyVfs::Loss::all_unsynced,
                      random_);
      store = open_file(true);
    }
  }
  EXPECT_GT(losses, 0U);
  EXPECT_EQ(titles(*store).size(), ops);
  for (const auto& [once, title] : sent) {
    EXPECT_EQ(times(*store, title), 1) << title;
    EXPECT_EQ(store->state()->answer_of(*once.op).value(), title);
  }
}

}  // namespace
}  // namespace alfred
