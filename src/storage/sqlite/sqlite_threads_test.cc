// Threads and processes on one file.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include "base/files/file.h"
#include "base/test_size.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

class SqliteThreads : public SqliteFixture {
 protected:
  static constexpr int kThreads = 4;
};

TEST_F(SqliteThreads, R5_writers_and_readers_side_by_side_lose_and_double_nothing) {
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
  ASSERT_TRUE(store);
  const int each = static_cast<int>(test_size({5, 25, 200}));
  std::atomic<bool> is_over = false;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        const std::string title = std::to_string(t) + "." + std::to_string(i);
        EXPECT_EQ(add_note(**store, title).value(), title);
        // One that fails shares a transaction with those that do not.
        if (!add_note(**store, title)) ++refused;
      }
    });
  }
  std::thread reader([&] {
    while (!is_over) {
      const std::vector<std::string> now = titles(**store);
      EXPECT_EQ(std::set<std::string>(now.begin(), now.end()).size(), now.size());
    }
  });
  for (std::thread& thread : threads) thread.join();
  is_over = true;
  reader.join();
  EXPECT_EQ(refused, kThreads * each);
  EXPECT_EQ(titles(**store).size(), static_cast<std::size_t>(kThreads * each));
}

TEST_F(SqliteThreads, R3_the_same_op_from_many_threads_runs_once) {
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
  ASSERT_TRUE(store);
  const WriteCall once = call();
  std::vector<std::thread> threads;
  std::atomic<int> same = 0;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const Result<std::string> answer = (*store)->write(once, [&](Tx& tx) -> Result<std::string> {
        const std::string title = std::to_string(t);
        const Result<Row> row = tx.insert({&notes_, {{notes_.fields.data() + 1, title}}, {}});
        if (!row) return Unexpected(row.error());
        return title;
      });
      if (answer && *answer == titles(**store).at(0)) ++same;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, kThreads);
  EXPECT_EQ(titles(**store).size(), 1U);
}

// The lock is held while closures gather behind it, so that all but the first share a transaction;
// the one that loses it comes last, when others have run in it.
TEST_F(SqliteThreads, one_that_loses_the_transaction_does_not_lose_it_for_the_others) {
  StoreOptions options = ours();
  options.work_budget = 50'000;
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), options);
  ASSERT_TRUE(store);
  std::atomic<int> runs = 0;
  std::atomic<int> busy = 0;
  std::vector<std::thread> threads;
  constexpr int kLoser = 2 * kThreads - 1;
  {
    const Result<FileLock> lock = lock_file(path("own.db"), 1000);
    ASSERT_TRUE(lock);
    for (int t = 0; t < 2 * kThreads; ++t) {
      if (t == 1 || t == kLoser) std::this_thread::sleep_for(std::chrono::milliseconds(200));
      threads.emplace_back([&, t] {
        const Result<std::string> answer =
            (*store)->write(call(), [&](Tx& tx) -> Result<std::string> {
              ++runs;
              Result<Row> row =
                  tx.insert({&notes_, {{notes_.fields.data() + 1, std::to_string(t)}}, {}});
              if (!row) return Unexpected(std::move(row).error());
              if (t != kLoser) return std::string();
              Result<std::vector<Row>> rows = tx.run(
                  "INSERT INTO alfred_things (id, body) WITH RECURSIVE n (i) AS (SELECT 1 UNION "
                  "ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT i, 'x' FROM n");
              if (!rows) return Unexpected(std::move(rows).error());
              return std::string();
            });
        if (!answer && answer.error().code == ErrorCode::busy) ++busy;
        EXPECT_EQ(answer.has_value(), t != kLoser);
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(busy, 1);
  EXPECT_GT(runs, 2 * kThreads);
  EXPECT_EQ(titles(**store).size(), static_cast<std::size_t>(2 * kThreads - 1));
}

TEST_F(SqliteThreads, more_readers_than_connections_wait_for_one) {
  StoreOptions options = ours();
  options.pool = 1;
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), options);
  ASSERT_TRUE(store);
  ASSERT_TRUE(add_note(**store, "a"));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] { EXPECT_EQ(titles(**store).size(), 1U); });
  for (std::thread& thread : threads) thread.join();
}

// Children are forked before this process has threads or connections.
class SqliteProcesses : public SqliteFixture {
 protected:
  pid_t in_child(const std::function<bool()>& part) const {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(part() ? 0 : 1);
    return child;
  }
  static bool succeeded(pid_t child) {
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
};

TEST_F(SqliteProcesses, F11_two_processes_write_one_file_in_turns) {
  const auto write_some = [&](const std::string& name) {
    const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
    if (!store) return false;
    for (int i = 0; i < 10; ++i)
      if (!add_note(**store, name + std::to_string(i))) return false;
    return true;
  };
  const pid_t first = in_child([&] { return write_some("a"); });
  const pid_t second = in_child([&] { return write_some("b"); });
  EXPECT_TRUE(succeeded(first));
  EXPECT_TRUE(succeeded(second));
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
  ASSERT_TRUE(store);
  EXPECT_EQ(titles(**store).size(), 20U);
}

TEST_F(SqliteProcesses, F11_a_waiter_names_the_holder_and_a_killed_holder_holds_nothing) {
  ASSERT_TRUE(open(path("own.db"), ours()));
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = in_child([&] {
    const Result<FileLock> lock = lock_file(path("own.db"), 0);
    if (::write(ready[1], "x", 1) != 1) return false;
    for (;;) ::pause();
    return true;
  });
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  StoreOptions options = ours();
  options.busy_timeout_ms = 30;
  const Error opening = open(path("own.db"), options).error();
  EXPECT_EQ(opening.code, ErrorCode::busy);
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_NE(opening.message.find(std::to_string(holder)), std::string::npos) << opening.message;
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), options);
  ASSERT_TRUE(store);
  {
    const Result<FileLock> lock = lock_file(path("own.db"), 0);
    const Error busy = add_note(**store, "a").error();
    EXPECT_EQ(busy.code, ErrorCode::busy);
    EXPECT_NE(busy.message.find(std::to_string(::getpid())), std::string::npos);
  }
  EXPECT_TRUE(add_note(**store, "a"));
  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace
}  // namespace alfred
