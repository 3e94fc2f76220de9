// What a thread that answers requests keeps of its reads (readers.h R1 to R4).
#include <atomic>
#include <chrono>
#include <thread>

#include "base/kept_moment.h"
#include "base/test_size.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

// Somebody else's connection to a file, which waits for nobody.
class Elsewhere {
 public:
  explicit Elsewhere(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &database_), SQLITE_OK);
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;
  ~Elsewhere() { sqlite3_close(database_); }
  int run(const std::string& sql) {
    return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr);
  }
  void add(const std::string& title) {
    EXPECT_EQ(run("INSERT INTO notes (title) VALUES ('" + title + "')"), SQLITE_OK);
  }
  // Whether somebody reads a moment from before what was added last.
  bool is_anybody_before() {
    return sqlite3_wal_checkpoint_v2(database_, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr,
                                     nullptr) == SQLITE_BUSY;
  }

 private:
  sqlite3* database_ = nullptr;
};

class SqliteReadersTest : public SqliteFixture {
 protected:
  using Titles = std::vector<std::string>;
  ~SqliteReadersTest() override { end_kept_moment(); }
  static KeptMoment::Time now() { return KeptMoment::Time::clock::now(); }
  std::unique_ptr<RecordStore> opened() const {
    Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
    EXPECT_TRUE(store);
    return std::move(*store);
  }
};

TEST_F(SqliteReadersTest, R1_a_moment_is_kept_for_requests_that_had_come_and_for_no_others) {
  const std::unique_ptr<RecordStore> store = opened();
  Elsewhere elsewhere(path("own.db"));
  elsewhere.add("one");
  {
    const RequestScope request(now());
    EXPECT_EQ(titles(*store), Titles{"one"});
    elsewhere.add("two");
    EXPECT_TRUE(elsewhere.is_anybody_before());
  }
  const RequestScope next(now());
  EXPECT_FALSE(elsewhere.is_anybody_before());
  EXPECT_EQ(titles(*store), (Titles{"one", "two"}));
}

TEST_F(SqliteReadersTest, R1_without_a_request_nothing_is_kept) {
  const std::unique_ptr<RecordStore> store = opened();
  Elsewhere elsewhere(path("own.db"));
  elsewhere.add("one");
  EXPECT_EQ(titles(*store), Titles{"one"});
  elsewhere.add("two");
  EXPECT_FALSE(elsewhere.is_anybody_before());
}

TEST_F(SqliteReadersTest, R1_what_this_process_wrote_is_seen_at_once) {
  const std::unique_ptr<RecordStore> store = opened();
  const std::unique_ptr<RecordStore> again = opened();
  const RequestScope request(now());
  EXPECT_EQ(titles(*store), Titles{});
  ASSERT_TRUE(add_note(*store, "one"));
  EXPECT_EQ(titles(*store), Titles{"one"});
  ASSERT_TRUE(add_note(*again, "two"));
  EXPECT_EQ(titles(*store), (Titles{"one", "two"}));
  EXPECT_EQ(titles(*again), (Titles{"one", "two"}));
}

TEST_F(SqliteReadersTest, R1_nothing_is_kept_of_a_read_that_failed) {
  const std::unique_ptr<RecordStore> store = opened();
  Elsewhere elsewhere(path("own.db"));
  elsewhere.add("one");
  const RequestScope request(now());
  const auto breaks = [](Tx&) -> Result<void> { return fail(ErrorCode::value, "no"); };
  EXPECT_FALSE(store->read({}, breaks));
  elsewhere.add("two");
  EXPECT_FALSE(elsewhere.is_anybody_before());
  EXPECT_EQ(titles(*store).size(), 2U);
  EXPECT_FALSE(store->read({}, breaks));  // of what was kept
  elsewhere.add("three");
  EXPECT_FALSE(elsewhere.is_anybody_before());
}

TEST_F(SqliteReadersTest, R1_a_read_inside_a_read_has_its_own) {
  const std::unique_ptr<RecordStore> store = opened();
  ASSERT_TRUE(add_note(*store, "one"));
  const RequestScope request(now());
  EXPECT_EQ(titles(*store), Titles{"one"});
  Titles inside;
  const Result<void> done = store->read({}, [&](Tx&) -> Result<void> {
    EXPECT_TRUE(add_note(*store, "two"));
    inside = titles(*store);
    return {};
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(inside, (Titles{"one", "two"}));
  EXPECT_EQ(titles(*store), (Titles{"one", "two"}));
}

TEST_F(SqliteReadersTest, R2_nothing_of_a_users_own_file_is_kept) {
  make_foreign(path("theirs.db"), kSchemaForTests);
  const Result<std::unique_ptr<RecordStore>> store = open(path("theirs.db"), {});
  ASSERT_TRUE(store);
  const RequestScope request(now());
  EXPECT_EQ(titles(**store), Titles{});
  Elsewhere elsewhere(path("theirs.db"));
  EXPECT_EQ(elsewhere.run("BEGIN EXCLUSIVE; COMMIT"), SQLITE_OK);
}

TEST_F(SqliteReadersTest, R3_nothing_is_kept_while_a_long_log_waits) {
  const std::unique_ptr<RecordStore> store = opened();
  Elsewhere elsewhere(path("own.db"));
  const RequestScope request(now());
  EXPECT_EQ(titles(*store), Titles{});
  // On another thread, which ends nothing of this one's: the log cannot be moved as a whole.
  const std::string much(4'000'000, 'x');
  std::thread([&] {
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(add_note(*store, much + std::to_string(i)));
  }).join();
  EXPECT_EQ(titles(*store).size(), 5U);
  elsewhere.add("one");
  EXPECT_FALSE(elsewhere.is_anybody_before());
  ASSERT_TRUE(add_note(*store, "two"));  // and the log is moved
  EXPECT_EQ(titles(*store).size(), 7U);
  elsewhere.add("three");
  EXPECT_TRUE(elsewhere.is_anybody_before());
}

TEST_F(SqliteReadersTest, R4_a_moment_may_outlive_its_store) {
  std::unique_ptr<RecordStore> store = opened();
  ASSERT_TRUE(add_note(*store, "one"));
  const RequestScope request(now());
  EXPECT_EQ(titles(*store), Titles{"one"});
  store.reset();
  store = opened();
  EXPECT_EQ(titles(*store), Titles{"one"});
  end_kept_moment();
  EXPECT_EQ(titles(*store), Titles{"one"});
}

TEST_F(SqliteReadersTest, R4_moments_that_are_kept_keep_nobody_waiting) {
  StoreOptions options = ours();
  options.pool = 1;
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), options);
  ASSERT_TRUE(store);
  const RequestScope request(now());
  EXPECT_EQ(titles(**store), Titles{});
  std::thread([&] { EXPECT_EQ(titles(**store), Titles{}); }).join();
}

class SqliteReadersThreads : public SqliteReadersTest {};

TEST_F(SqliteReadersThreads, R1_a_request_sees_all_that_was_there_when_it_came) {
  const std::unique_ptr<RecordStore> store = opened();
  const int most = static_cast<int>(test_size({20, 100, 1000}));
  std::atomic<std::size_t> written = 0;
  std::atomic<bool> is_over = false;
  struct Asked {
    std::size_t written;
    KeptMoment::Time came;
  };
  const auto answer = [&] {
    while (!is_over) {
      std::vector<Asked> queue;  // of requests that came before any of them is answered
      for (int i = 0; i < 5; ++i) {
        const std::size_t before = written;
        queue.push_back({before, now()});
      }
      for (const Asked& one : queue) {
        const RequestScope request(one.came);
        EXPECT_GE(titles(*store).size(), one.written);
      }
      end_kept_moment();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(answer);
  Elsewhere elsewhere(path("own.db"));
  EXPECT_EQ(elsewhere.run("PRAGMA busy_timeout = 10000"), SQLITE_OK);
  for (int i = 0; i < most; ++i) {
    const std::string title = std::to_string(i);
    if (i % 2 == 0)
      EXPECT_TRUE(add_note(*store, title));
    else
      elsewhere.add(title);
    ++written;
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(titles(*store).size(), static_cast<std::size_t>(most));
}

}  // namespace
}  // namespace alfred
