// Several callers at once: nothing is lost, nothing is done twice.
#include <atomic>
#include <barrier>
#include <set>
#include <thread>

#include "base/test_size.h"
#include "store_under_test.h"

namespace alfred {
namespace {

class StoreThreads : public StoreUnderTest {
 protected:
  Result<std::string> raise_number() {
    return store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
      const Result<std::vector<Row>> rows = tx.select(select_from(library_.notes, {"number"}));
      if (!rows) return Unexpected(rows.error());
      const std::int64_t next = std::get<std::int64_t>(rows->at(0).at(0)) + 1;
      const Result<std::uint64_t> changed = tx.update(
          UpdateRows{&library_.notes,
                     {{field_of(library_.notes, "number"), next}},
                     where_is(library_.notes, "body", CompareOp::eq, std::string("counter"))});
      if (!changed) return Unexpected(changed.error());
      return std::to_string(next);
    });
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreThreads,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

constexpr std::size_t kThreads = 4;

void run_threads(const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& one : threads) one.join();
}

TEST_P(StoreThreads, read_change_write_loses_no_step) {
  add_note("counter", std::int64_t{0});
  const std::size_t steps = test_size({10, 40, 500});
  run_threads([&](std::size_t) {
    for (std::size_t i = 0; i < steps;) {
      const Result<std::string> answer = raise_number();
      if (answer) ++i;
      // Five reruns may not be enough among four; then it is a conflict and nothing was done.
      if (!answer) {
        EXPECT_EQ(answer.error().code, ErrorCode::conflict) << told(answer.error());
      }
    }
  });
  EXPECT_EQ(rows_of(select_from(library_.notes, {"number"})),
            (std::vector<Row>{{static_cast<std::int64_t>(steps * kThreads)}}));
}

TEST_P(StoreThreads, I22_one_op_from_many_at_once_happens_once_with_one_answer) {
  for (int round = 0; round < 5; ++round) {
    const WriteCall call = call_of("ann", "round");
    std::atomic<int> runs = 0;
    std::barrier start(kThreads);
    std::array<std::string, kThreads> answers;
    run_threads([&](std::size_t number) {
      start.arrive_and_wait();
      const Result<std::string> answer = store_->write(call, [&](Tx& tx) -> Result<std::string> {
        const std::string id = fmt::format("{}-{}", round, ++runs);
        const Result<Row> row = tx.insert(
            insert_into(library_.shelves, {{"id", fmt::format("{}", round)}, {"name", id}}));
        if (!row) return Unexpected(row.error());
        return id;
      });
      answers[number] = answer ? *answer : told(answer.error());
    });
    EXPECT_EQ(std::set<std::string>(answers.begin(), answers.end()).size(), 1U)
        << fmt::format("{}", fmt::join(answers, "\n"));
    EXPECT_TRUE(answers[0].starts_with(fmt::format("{}-", round))) << answers[0];
  }
  EXPECT_EQ(rows_of(select_from(library_.shelves, {"id"})).size(), 5U);
}

TEST_P(StoreThreads, readers_see_whole_writes) {
  std::atomic<bool> is_over = false;
  std::thread reader([&] {
    while (!is_over) {
      const std::vector<Row> rows = rows_of(select_from(library_.notes, {"id"}));
      EXPECT_EQ(rows.size() % 3, 0U);
    }
  });
  for (std::size_t i = 0; i < test_size({10, 40, 400}); ++i) {
    const Result<std::string> answer =
        store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
          for (int n = 0; n < 3; ++n) {
            const Result<Row> row = tx.insert(insert_into(library_.notes, {{"body", "x"}}));
            if (!row) return Unexpected(row.error());
          }
          return "three";
        });
    EXPECT_TRUE(answer.has_value()) << told(answer.error());
  }
  is_over = true;
  reader.join();
}

}  // namespace
}  // namespace alfred
