// What is kept of ops and for how long, and what a store says of itself when it cannot write.
#include "storage/sqlite/faulty_vfs_for_tests.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

class SqliteOps : public SqliteFixture {
 protected:
  std::unique_ptr<RecordStore> open_ours(const StoreOptions& options) const {
    Result<std::unique_ptr<RecordStore>> opened = open(path("own.db"), options);
    EXPECT_TRUE(opened) << opened.error().message << opened.error().detail;
    return opened ? std::move(*opened) : nullptr;
  }
  // Ops of another time, as if they had been kept then.
  void keep_ops(int count, const std::string& at_ms) const {
    make_foreign(path("own.db"),
                 "INSERT INTO alfred_ops WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                 "FROM n WHERE i < " +
                     std::to_string(count) + ") SELECT 'opn_' || hex(randomblob(6)), '', '', " +
                     at_ms + " FROM n");
  }
  static std::int64_t count_ops(RecordStore& store) {
    std::int64_t count = 0;
    const Result<void> done = store.read({}, [&](Tx& tx) -> Result<void> {
      count = std::get<std::int64_t>(tx.run("SELECT count(*) FROM alfred_ops").value()[0][0]);
      return {};
    });
    EXPECT_TRUE(done);
    return count;
  }
};

TEST_F(SqliteOps, R6_an_op_is_forgotten_after_seven_days_a_few_with_each_write) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  ASSERT_TRUE(add_note(*store, "first"));
  keep_ops(30, "(unixepoch() - 8 * 86400) * 1000");
  keep_ops(30, "(unixepoch() - 6 * 86400) * 1000");
  EXPECT_EQ(count_ops(*store), 61);
  ASSERT_TRUE(add_note(*store, "second"));
  EXPECT_EQ(count_ops(*store), 46);  // one more, sixteen less
  ASSERT_TRUE(add_note(*store, "third"));
  ASSERT_TRUE(add_note(*store, "fourth"));
  EXPECT_EQ(count_ops(*store), 34);  // those of the last seven days are all there
}

TEST_F(SqliteOps, R6_beyond_their_count_the_oldest_are_forgotten) {
  StoreOptions options = ours();
  options.ops.most = 100;
  const std::unique_ptr<RecordStore> store = open_ours(options);
  ASSERT_TRUE(add_note(*store, "first"));
  keep_ops(400, "(unixepoch() - 86400) * 1000");
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(add_note(*store, "note " + std::to_string(i)));
  EXPECT_LE(count_ops(*store), 100 + 256);
  // What was answered last is what stays.
  const WriteCall last = call();
  const WriteFn closure = [](Tx&) -> Result<std::string> { return std::string("x"); };
  ASSERT_TRUE(store->write(last, closure));
  EXPECT_EQ(store->state()->answer_of(*last.op).value().value_or("gone"), "x");
}

TEST_F(SqliteOps, E15_a_file_of_format_1_is_copied_and_its_ops_count_as_made_now) {
  const WriteCall once = call();
  const WriteFn closure = [](Tx&) -> Result<std::string> { return std::string("first answer"); };
  ASSERT_TRUE(open_ours(ours())->write(once, closure));
  make_foreign(path("own.db"),
               "DROP INDEX alfred_ops_by_time; ALTER TABLE alfred_ops DROP COLUMN at_ms;"
               "UPDATE alfred_meta SET version = 1 WHERE owner = 'file'; PRAGMA user_version = 1");
  for (int i = 0; i < 2; ++i) {
    const std::unique_ptr<RecordStore> store = open_ours(ours());
    ASSERT_NE(store, nullptr);
    ASSERT_TRUE(add_note(*store, "note " + std::to_string(i)));
    EXPECT_EQ(store->state()->answer_of(*once.op).value().value_or("gone"), "first answer");
  }
  EXPECT_TRUE(std::filesystem::exists(path("own.db.before-migration-1")));
  EXPECT_FALSE(std::filesystem::exists(path("own.db.before-migration-2")));
}

TEST_F(SqliteOps, a_store_that_wrote_leaves_one_whole_file_when_it_closes) {
  {
    const std::unique_ptr<RecordStore> store = open_ours(ours());
    ASSERT_TRUE(add_note(*store, "a"));
    ASSERT_EQ(titles(*store).size(), 1U);
  }
  EXPECT_FALSE(std::filesystem::exists(path("own.db-wal")));
  std::filesystem::copy_file(path("own.db"), path("copy.db"));
  EXPECT_EQ(titles(**open(path("copy.db"), ours())), std::vector<std::string>{"a"});
}

TEST_F(SqliteOps, E2_on_a_full_disk_the_store_says_so_is_read_and_recovers) {
  FaultyVfs vfs("full");
  StoreOptions options = ours();
  options.vfs = vfs.name();
  const std::unique_ptr<RecordStore> store = open_ours(options);
  ASSERT_TRUE(add_note(*store, "before"));
  EXPECT_TRUE(store->health().is_writable);
  vfs.fail_at(FaultyVfs::Op::write, 1, SQLITE_FULL, {}, true);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(add_note(*store, "while full").error().code, ErrorCode::storage);
    EXPECT_FALSE(store->health().is_writable);
    EXPECT_NE(store->health().reason.find("disk is full"), std::string::npos);
    EXPECT_FALSE(store->state()->health().is_writable);
    EXPECT_EQ(titles(*store), std::vector<std::string>{"before"});
  }
  vfs.fail_nothing();
  ASSERT_TRUE(add_note(*store, "after"));
  EXPECT_TRUE(store->health().is_writable);
  EXPECT_EQ(titles(*store), (std::vector<std::string>{"before", "after"}));
}

TEST_F(SqliteOps, E2_a_caller_s_own_error_says_nothing_about_the_store) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  ASSERT_TRUE(add_note(*store, "one"));
  EXPECT_EQ(add_note(*store, "one").error().code, ErrorCode::conflict);
  EXPECT_TRUE(store->health().is_writable);
}

}  // namespace
}  // namespace alfred
