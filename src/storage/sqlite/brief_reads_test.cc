// Reads that go between two writes, on their connection (writer.h R7).
#include <atomic>
#include <thread>

#include "base/test_size.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

class SqliteBriefReads : public SqliteFixture {
 protected:
  static constexpr Statement kCount{"SELECT count(*) FROM alfred_ops"};
  std::unique_ptr<RecordStore> opened() const {
    Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
    EXPECT_TRUE(store);
    return std::move(*store);
  }
  static std::int64_t count_ops(Tx& tx) {
    const Result<std::vector<Row>> rows = tx.run(kCount);
    return rows ? std::get<std::int64_t>(rows->at(0).at(0)) : -1;
  }
  static std::int64_t count_briefly(RecordStore& store) {
    std::int64_t count = -1;
    const Result<void> read = store.state()->read_briefly({}, [&](Tx& tx) -> Result<void> {
      count = count_ops(tx);
      return {};
    });
    EXPECT_TRUE(read);
    return count;
  }
};

TEST_F(SqliteBriefReads, R7_each_sees_all_that_was_committed_by_this_store_and_by_others) {
  const std::unique_ptr<RecordStore> store = opened();
  const std::unique_ptr<RecordStore> other = opened();
  EXPECT_EQ(count_briefly(*store), 0) << "nobody has written: on a reader's";
  ASSERT_TRUE(add_note(*store, "one"));
  const std::int64_t after_one = count_briefly(*store);
  ASSERT_TRUE(add_note(*other, "two"));
  EXPECT_EQ(count_briefly(*store), after_one + 1);
  EXPECT_EQ(count_briefly(*other), after_one + 1);
  EXPECT_EQ(titles(*store), (std::vector<std::string>{"one", "two"}));
}

TEST_F(SqliteBriefReads, R7_it_cannot_write_and_what_fails_in_it_harms_nobody) {
  const std::unique_ptr<RecordStore> store = opened();
  ASSERT_TRUE(add_note(*store, "one"));
  const Result<void> wrote = store->state()->read_briefly({}, [&](Tx& tx) -> Result<void> {
    const Result<std::uint64_t> done = tx.execute(Statement("DELETE FROM alfred_ops"));
    return done ? Result<void>() : Unexpected(done.error());
  });
  EXPECT_FALSE(wrote);
  const Result<void> nested = store->state()->read_briefly({}, [&](Tx&) -> Result<void> {
    const Result<std::string> inside = add_note(*store, "inside");
    return inside ? Result<void>() : Unexpected(inside.error());
  });
  EXPECT_FALSE(nested) << "a write inside it is told so, and does not wait for itself";
  EXPECT_THROW(static_cast<void>(store->state()->read_briefly(
                   {}, [](Tx&) -> Result<void> { throw std::bad_alloc(); })),
               std::bad_alloc);
  ASSERT_TRUE(add_note(*store, "two"));
  EXPECT_EQ(titles(*store), (std::vector<std::string>{"one", "two"}));
}

TEST_F(SqliteBriefReads, R7_while_somebody_writes_it_is_read_beside_the_writer) {
  const std::unique_ptr<RecordStore> store = opened();
  ASSERT_TRUE(add_note(*store, "one"));
  const std::int64_t before = count_briefly(*store);
  std::atomic<bool> is_writing = false;
  std::atomic<bool> may_end = false;
  std::thread writer([&] {
    EXPECT_TRUE(store->state()->write(call(), [&](Tx&) -> Result<std::string> {
      is_writing = true;
      while (!may_end) std::this_thread::yield();
      return std::string("held");
    }));
  });
  while (!is_writing) std::this_thread::yield();
  EXPECT_EQ(count_briefly(*store), before);
  may_end = true;
  writer.join();
  EXPECT_EQ(count_briefly(*store), before + 1);
}

class SqliteBriefReadsThreads : public SqliteBriefReads {};

TEST_F(SqliteBriefReadsThreads, R7_readers_between_writers_see_each_write_once_and_lose_none) {
  const std::unique_ptr<RecordStore> store = opened();
  constexpr int kWriters = 3;
  const int each = static_cast<int>(test_size({5, 20, 200}));
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < kWriters; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        const std::int64_t before = count_briefly(*store);
        EXPECT_TRUE(add_note(*store, std::to_string(t) + "." + std::to_string(i)));
        EXPECT_GT(count_briefly(*store), before) << "its own write is there";
      }
    });
  std::thread reader([&] {
    for (std::int64_t last = 0; !is_over;) {
      const std::int64_t now = count_briefly(*store);
      EXPECT_GE(now, last);
      last = now;
    }
  });
  for (std::thread& thread : threads) thread.join();
  is_over = true;
  reader.join();
  EXPECT_EQ(titles(*store).size(), static_cast<std::size_t>(kWriters * each));
}

}  // namespace
}  // namespace alfred
