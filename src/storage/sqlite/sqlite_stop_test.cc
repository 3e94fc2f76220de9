// Statements that are wanted no more while they run (base/stop_scope.h; guard.h, R3).
#include <atomic>
#include <chrono>
#include <thread>

#include "base/stop_scope.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

class SqliteStopThreads : public SqliteFixture {
 protected:
  ~SqliteStopThreads() override {
    if (other_.joinable()) other_.join();
  }
  // From now on nothing of this thread is wanted, a moment later.
  void stop_soon() {
    other_ = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop_ = true;
    });
  }
  static Result<std::string> count_long(Tx& tx) {
    Result<std::vector<Row>> rows = tx.run(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) "
        "SELECT count(*) FROM n");
    if (!rows) return Unexpected(std::move(rows).error());
    return std::string();
  }
  StoreOptions without_budget() {
    StoreOptions options = ours();
    options.work_budget = std::uint64_t{1} << 60U;
    return options;
  }

  StopFlag stop_{false};
  std::thread other_;
};

TEST_F(SqliteStopThreads, a_read_ends_and_the_next_one_works) {
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), without_budget());
  ASSERT_TRUE(store);
  {
    const StopScope scope(&stop_);
    stop_soon();
    const Result<void> read = (*store)->read({}, [](Tx& tx) -> Result<void> {
      Result<std::string> counted = count_long(tx);
      if (!counted) return Unexpected(std::move(counted).error());
      return {};
    });
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::busy);
  }
  EXPECT_EQ(titles(**store).size(), 0U);
}

TEST_F(SqliteStopThreads, a_write_is_undone_and_others_are_kept) {
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), without_budget());
  ASSERT_TRUE(store);
  ASSERT_TRUE(add_note(**store, "before"));
  {
    const StopScope scope(&stop_);
    stop_soon();
    const Result<std::string> written =
        (*store)->write(call(), [this](Tx& tx) -> Result<std::string> {
          Result<Row> row =
              tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("undone")}}, {}});
          if (!row) return Unexpected(std::move(row).error());
          return count_long(tx);
        });
    EXPECT_FALSE(written);
  }
  ASSERT_TRUE(add_note(**store, "after"));
  EXPECT_EQ(titles(**store), (std::vector<std::string>{"before", "after"}));
  EXPECT_TRUE((*store)->health().is_writable);
}

// One statement for many rows is broken off, and SQLite takes back all of the transaction with it.
TEST_F(SqliteStopThreads, rows_that_go_in_together_are_all_there_or_none) {
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
  ASSERT_TRUE(store);
  ASSERT_TRUE(add_note(**store, "before"));
  const Field* const title = notes_.fields.data() + 1;
  for (std::size_t rows = 100; rows < 160; ++rows) {
    const WriteCall wanted = call();
    const auto add_many = [&](Tx& tx) -> Result<std::string> {
      EXPECT_TRUE(tx.insert({&notes_, {{title, std::string("first")}}, {}}));
      const Result<void> part = tx.savepoint([&]() -> Result<void> {
        std::vector<InsertRow> plans(rows, InsertRow{&notes_, {{title, std::string("many")}}, {}});
        for (InsertRow& plan : plans) plan.returning = {title};
        std::size_t failed_at = 0;
        const StopScope scope(&stop_);
        stop_ = true;
        const Result<std::vector<Row>> added = tx.insert_all(plans, failed_at);
        return added ? Result<void>() : Unexpected(added.error());
      });
      if (!part) return Unexpected(part.error());
      return std::string("ok");
    };
    ASSERT_FALSE((*store)->write(wanted, add_many)) << rows;
    ASSERT_EQ(titles(**store), std::vector<std::string>{"before"}) << rows;
    const auto again = [](Tx&) -> Result<std::string> { return std::string("again"); };
    ASSERT_EQ((*store)->write(wanted, again).value_or("?"), "again") << rows;
  }
}

TEST_F(SqliteStopThreads, who_is_not_stopped_is_not) {
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
  ASSERT_TRUE(store);
  stop_ = true;
  { const StopScope scope(&stop_); }
  EXPECT_TRUE(add_note(**store, "a"));
  EXPECT_FALSE(is_stop_wanted());
}

}  // namespace
}  // namespace alfred
