// Rows E14 to E18 of robustness.md: files that are damaged, strange, old, new or read-only.
#include <fstream>
#include <iterator>
#include <random>

#include "storage/own_database.h"
#include "storage/sqlite/faulty_vfs_for_tests.h"
#include "storage/sqlite/own_file.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

using Titles = std::vector<std::string>;

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

class SqliteFiles : public SqliteFixture {
 protected:
  // A closed file of ours with a few pages of notes.
  std::string make_ours() const {
    const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
    EXPECT_TRUE(store);
    EXPECT_TRUE((*store)->write(call(), [&](Tx& tx) -> Result<std::string> {
      for (int i = 0; i < 40; ++i)
        EXPECT_TRUE(
            tx.insert({&notes_,
                       {{notes_.fields.data() + 1, std::to_string(i) + std::string(500, 'x')}},
                       {}}));
      return std::string();
    }));
    return path("own.db");
  }
  void expect_refused_untouched(const std::string& file, ErrorCode code) const {
    const std::string before = bytes_of(file);
    const std::string log_before = bytes_of(file + "-wal");
    const Result<std::unique_ptr<RecordStore>> store = open(file, ours());
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, code) << store.error().message;
    EXPECT_EQ(bytes_of(file), before);
    EXPECT_EQ(bytes_of(file + "-wal"), log_before);
  }
  std::size_t files_like(const std::string& part) const {
    std::size_t count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(path("x")).parent_path()))
      if (entry.path().filename().string().find(part) != std::string::npos) ++count;
    return count;
  }
};

TEST_F(SqliteFiles, E14_a_damaged_header_is_refused_and_the_file_untouched) {
  const std::string file = make_ours();
  std::string bytes = bytes_of(file);
  bytes.replace(0, 16, "Not a database!!");
  put(file, bytes);
  expect_refused_untouched(file, ErrorCode::corrupt);
  EXPECT_NE(open(file, ours()).error().message.find("cp -p"), std::string::npos);
}

TEST_F(SqliteFiles, E14_a_flipped_byte_in_a_page_is_refused) {
  const std::string file = make_ours();
  std::string bytes = bytes_of(file);
  // The kind of the page in which the notes begin to spread.
  ASSERT_GT(bytes.size(), 3U * kPageBytes);
  std::size_t refused = 0;
  for (std::size_t page = 1; page * kPageBytes < bytes.size(); ++page) {
    std::string flipped = bytes;
    flipped[page * kPageBytes] = static_cast<char>(flipped[page * kPageBytes] ^ 0x40);
    put(file, flipped);
    const Result<std::unique_ptr<RecordStore>> store = open(file, ours());
    if (!store) {
      ++refused;
      EXPECT_EQ(store.error().code, ErrorCode::corrupt);
      EXPECT_EQ(bytes_of(file), flipped);
    }
  }
  EXPECT_GE(refused, bytes.size() / kPageBytes - 2);
}

TEST_F(SqliteFiles, E14_a_truncated_file_is_refused) {
  const std::string file = make_ours();
  put(file, bytes_of(file).substr(0, 2 * kPageBytes + 100));
  expect_refused_untouched(file, ErrorCode::corrupt);
}

TEST_F(SqliteFiles, E14_a_log_that_is_none_is_refused) {
  const std::string file = make_ours();
  put(file + "-wal", std::string(5000, 'g'));
  expect_refused_untouched(file, ErrorCode::corrupt);
}

TEST_F(SqliteFiles, E15_a_file_that_is_no_database_is_moved_aside) {
  put(path("own.db"), "these are my notes");
  std::vector<std::string> warnings;
  StoreOptions options = ours();
  options.warnings = &warnings;
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), options);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE(add_note(**store, "a"));
  EXPECT_EQ(bytes_of(path("own.db.archived-1")), "these are my notes");
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(SqliteFiles, E15_a_database_of_another_program_is_moved_aside) {
  make_foreign(path("own.db"), "CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)");
  const std::string before = bytes_of(path("own.db"));
  std::vector<std::string> warnings;
  StoreOptions options = ours();
  options.warnings = &warnings;
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), options);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(bytes_of(path("own.db.archived-1")), before);
  EXPECT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(add_note(**store, "a"));
}

TEST_F(SqliteFiles, R6_a_named_file_of_another_program_is_refused_and_nothing_is_touched) {
  const auto check = [&](const std::string& file) {
    const std::string before = bytes_of(file);
    const std::size_t files = files_like("");
    const Result<void> good =
        check_own_database({DatabaseUrl::Kind::sqlite, file, file}, IfAbsent::make);
    ASSERT_FALSE(good);
    EXPECT_EQ(good.error().code, ErrorCode::file) << good.error().message;
    EXPECT_NE(good.error().message.find(file), std::string::npos);
    EXPECT_EQ(bytes_of(file), before);
    EXPECT_EQ(files_like(""), files);
  };
  make_foreign(path("theirs.db"), "CREATE TABLE theirs (a)");
  check(path("theirs.db"));
  make_foreign(path("log.db"), "PRAGMA journal_mode=WAL; CREATE TABLE theirs (a)");
  check(path("log.db"));
  put(path("notes.db"), "these are my notes");
  check(path("notes.db"));
}

TEST_F(SqliteFiles, R6_a_named_file_of_ours_an_empty_one_and_none_are_fine) {
  put(path("empty.db"), "");
  for (const std::string& file : {make_ours(), path("empty.db"), path("none.db")})
    EXPECT_TRUE(check_own_database({DatabaseUrl::Kind::sqlite, file, file}, IfAbsent::make))
        << file;
  const std::string none = path("none.db");
  EXPECT_FALSE(check_own_database({DatabaseUrl::Kind::sqlite, none, none}, IfAbsent::refuse));
  EXPECT_FALSE(std::filesystem::exists(none));
  // One that is open is ours as well, with what is only in its log.
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
  ASSERT_TRUE(store);
  ASSERT_TRUE(add_note(**store, "a"));
  EXPECT_TRUE(check_own_database({DatabaseUrl::Kind::sqlite, path("own.db"), path("own.db")},
                                 IfAbsent::refuse));
  EXPECT_TRUE(add_note(**store, "b"));
}

constexpr Statement kMoreSteps[] = {"ALTER TABLE alfred_things ADD COLUMN size integer",
                                    "UPDATE alfred_things SET size = length(body)"};
constexpr Migration kTwoMigrations[] = {{1, kThingsSteps}, {2, kMoreSteps}};
constexpr StateTables kNewerTables[] = {{"things", kTwoMigrations}};

TEST_F(SqliteFiles, E15_an_older_file_is_copied_then_migrated) {
  make_ours();
  StoreOptions options = ours();
  options.tables = kNewerTables;
  for (int i = 0; i < 2; ++i) {
    const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), options);
    ASSERT_TRUE(store) << store.error().message << store.error().detail;
    EXPECT_EQ(titles(**store).size(), 40U);
    const Result<void> done = (*store)->read({}, [](Tx& tx) -> Result<void> {
      EXPECT_TRUE(tx.run("SELECT size FROM alfred_things"));
      return {};
    });
    EXPECT_TRUE(done);
  }
  EXPECT_EQ(files_like("before-migration"), 1U);
  std::filesystem::copy_file(path("own.db.before-migration-1"), path("copy.db"));
  const Result<std::unique_ptr<RecordStore>> copy = open(path("copy.db"), ours());
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_EQ(titles(**copy).size(), 40U);
}

TEST_F(SqliteFiles, E16_a_newer_schema_is_refused_with_both_versions) {
  StoreOptions options = ours();
  options.tables = kNewerTables;
  ASSERT_TRUE(open(path("own.db"), options));
  const Result<std::unique_ptr<RecordStore>> store = open(path("own.db"), ours());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::newer_schema);
  EXPECT_NE(store.error().message.find("version 2"), std::string::npos);
  EXPECT_NE(store.error().message.find("knows 1"), std::string::npos);
}

TEST_F(SqliteFiles, E16_a_newer_format_is_refused) {
  make_ours();
  make_foreign(path("own.db"), "PRAGMA user_version=3");
  EXPECT_EQ(open(path("own.db"), ours()).error().code, ErrorCode::newer_schema);
}

TEST_F(SqliteFiles, E17_a_migration_that_is_broken_off_anywhere_is_finished_next_time) {
  std::mt19937_64 random(17);
  make_ours();
  const std::string before = bytes_of(path("own.db"));
  StoreOptions options = ours();
  options.tables = kNewerTables;
  FaultyVfs vfs("migrating");
  options.vfs = vfs.name();
  bool has_finished = false;
  for (long nth = 1; !has_finished; ++nth) {
    ASSERT_LT(nth, 200);
    const std::string file = path("m" + std::to_string(nth) + ".db");
    put(file, before);
    vfs.crash_at(nth);
    has_finished = open(file, options).has_value() && !vfs.is_crashed();
    vfs.lose_power(nth % 2 == 0 ? FaultyVfs::Loss::torn : FaultyVfs::Loss::all_unsynced, random);
    StoreOptions sound = options;
    sound.vfs.clear();
    const Result<std::unique_ptr<RecordStore>> store = open(file, sound);
    ASSERT_TRUE(store) << nth << store.error().message << store.error().detail;
    EXPECT_EQ(titles(**store).size(), 40U);
    const Result<void> done = (*store)->read({}, [](Tx& tx) -> Result<void> {
      EXPECT_TRUE(tx.run("SELECT size FROM alfred_things"));
      return {};
    });
    EXPECT_TRUE(done);
  }
}

TEST_F(SqliteFiles, E17_a_step_that_fails_takes_the_whole_migration_back) {
  static constexpr Statement kBadSteps[] = {"ALTER TABLE alfred_things ADD COLUMN size integer",
                                            "INSERT INTO no_table VALUES (1)"};
  static constexpr Migration kBad[] = {{1, kThingsSteps}, {2, kBadSteps}};
  static constexpr StateTables kBadTables[] = {{"things", kBad}};
  make_ours();
  StoreOptions options = ours();
  options.tables = kBadTables;
  EXPECT_FALSE(open(path("own.db"), options));
  options.tables = kNewerTables;
  EXPECT_TRUE(open(path("own.db"), options));
}

TEST_F(SqliteFiles, R1_a_new_file_is_whole_or_not_there) {
  StoreOptions bad = ours();
  bad.packs = {PackTables{.name = "bad", .version = 1, .sql = "CREATE TABLE a (b"}};
  EXPECT_FALSE(open(path("new.db"), bad));
  EXPECT_FALSE(std::filesystem::exists(path("new.db")));
  ASSERT_TRUE(open(path("new.db"), ours()));
  // Opened by nobody since it was made: the file itself holds all of it, and asks for a log.
  const std::string bytes = bytes_of(path("new.db"));
  ASSERT_GE(bytes.size(), kPageBytes);
  EXPECT_EQ(bytes.substr(68, 4), "Alfr");
  EXPECT_EQ(bytes.substr(18, 2), "\2\2");
  EXPECT_EQ(files_like("new.db"), 2U) << "the file and its lock";
}

TEST_F(SqliteFiles, R1_a_file_keeps_the_size_of_its_pages) {
  const std::string file = make_ours();
  EXPECT_EQ(bytes_of(file).substr(16, 2), std::string("\x08\0", 2));
  // As files were made before.
  make_foreign(file,
               "PRAGMA journal_mode=DELETE; PRAGMA page_size=4096; VACUUM;"
               "PRAGMA journal_mode=WAL");
  const Result<std::unique_ptr<RecordStore>> store = open(file, ours());
  ASSERT_TRUE(store);
  EXPECT_TRUE(add_note(**store, "one more"));
  EXPECT_EQ(titles(**store).size(), 41U);
  EXPECT_EQ(bytes_of(file).substr(16, 2), std::string("\x10\0", 2));
}

TEST_F(SqliteFiles, R1_first_rows_come_with_a_new_file_or_there_is_none) {
  StoreOptions options = ours();
  bool is_good = false;
  int times = 0;
  options.first_rows = [&](NewDatabase& database) -> Result<void> {
    ++times;
    EXPECT_FALSE(database.catalogue().value().tables.empty());
    Result<void> put = database.put({}, [&](Tx& tx) -> Result<void> {
      const Result<Row> row =
          tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("first")}}, {}});
      if (!row) return Unexpected(row.error());
      return {};
    });
    if (!put || is_good) return put;
    return fail(ErrorCode::pack, "A row that does not fit.");
  };
  EXPECT_EQ(open(path("first.db"), options).error().code, ErrorCode::pack);
  EXPECT_EQ(files_like("first.db"), 1U) << "its lock";
  is_good = true;
  for (int i = 0; i < 2; ++i) {
    const Result<std::unique_ptr<RecordStore>> store = open(path("first.db"), options);
    ASSERT_TRUE(store) << store.error().message << store.error().detail;
    EXPECT_EQ(titles(**store), Titles{"first"});
  }
  EXPECT_EQ(times, 2) << "nothing is put into a file that is there";
}

TEST_F(SqliteFiles, R4_a_file_begun_ahead_is_the_same_as_one_made_at_once) {
  const auto schema_of = [](const std::string& file) {
    Result<std::unique_ptr<SqliteConnection>> connection =
        SqliteConnection::open({file, ConnectionOptions::Mode::write, {}, 0, 0});
    if (!connection) throw std::runtime_error(connection.error().detail);
    std::vector<std::int64_t> out;
    for (const char* const sql :
         {"SELECT count(*) FROM sqlite_schema",
          "SELECT sum(length(name) + length(coalesce(sql, ''))) FROM sqlite_schema",
          "SELECT sum(version) FROM alfred_meta", "PRAGMA user_version"}) {
      const Result<std::int64_t> number = (*connection)->number(sql);
      if (!number) throw std::runtime_error(number.error().detail);
      out.push_back(*number);
    }
    return out;
  };
  ASSERT_TRUE(open(path("at_once.db"), ours()));
  StoreOptions options = ours();
  options.ahead = begin_own_file({std::begin(kTablesForTests), std::end(kTablesForTests)});
  ASSERT_TRUE(open(path("ahead.db"), options));
  EXPECT_EQ(schema_of(path("ahead.db")), schema_of(path("at_once.db")));
  EXPECT_EQ(files_like("ahead.db"), 2U) << "the file and its lock; nothing was worth a copy";
  ASSERT_TRUE(open(path("after.db"), options)) << "who comes second makes it at once";
  EXPECT_EQ(schema_of(path("after.db")), schema_of(path("at_once.db")));
}

// Power is lost while an empty file gets its first pages: a file that somebody touched, say.
TEST_F(SqliteFiles, R1_an_empty_file_is_begun_again_after_a_loss_of_power) {
  std::mt19937_64 random(1);
  FaultyVfs vfs("beginning");
  StoreOptions options = ours();
  options.vfs = vfs.name();
  for (long nth = 1; nth < 60; ++nth) {
    const std::string file = path("empty" + std::to_string(nth) + ".db");
    put(file, "");
    vfs.crash_at(nth);
    static_cast<void>(open(file, options));
    vfs.lose_power(nth % 2 == 0 ? FaultyVfs::Loss::torn : FaultyVfs::Loss::all_unsynced, random);
    const Result<std::unique_ptr<RecordStore>> store = open(file, ours());
    ASSERT_TRUE(store) << nth << store.error().message << store.error().detail;
    EXPECT_TRUE(add_note(**store, "a"));
  }
}

TEST_F(SqliteFiles, R1_the_log_of_a_file_that_is_gone_is_not_taken_for_the_new_one_s) {
  const std::string file = make_ours();
  {
    const Result<std::unique_ptr<RecordStore>> store = open(file, ours());
    ASSERT_TRUE(store);
    ASSERT_TRUE(add_note(**store, "of the file that is gone"));
    std::filesystem::copy_file(file + "-wal", path("kept-wal"));
  }
  std::filesystem::remove(file);
  std::filesystem::rename(path("kept-wal"), file + "-wal");
  const Result<std::unique_ptr<RecordStore>> store = open(file, ours());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(titles(**store), Titles{});
  ASSERT_TRUE(add_note(**store, "of the new one"));
  EXPECT_EQ(titles(**store), Titles{"of the new one"});
}

// Opens of a log fail as they do where nothing can be written.
TEST_F(SqliteFiles, E18_a_log_beside_a_file_that_cannot_be_written_is_an_error) {
  make_foreign(path("theirs.db"), std::string("PRAGMA journal_mode=WAL;") + kSchemaForTests);
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(path("theirs.db").c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "INSERT INTO notes (title) VALUES ('in the log')", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  const std::string log = bytes_of(path("theirs.db-wal"));
  const std::string file = bytes_of(path("theirs.db"));
  sqlite3_close(writer);
  ASSERT_FALSE(log.empty());
  put(path("left.db"), file);
  put(path("left.db-wal"), log);
  StoreOptions options;
  sqlite3_vfs* const real = sqlite3_vfs_find(nullptr);
  static auto* const real_open = real->xOpen;
  sqlite3_vfs read_only = *real;
  read_only.zName = "read_only";
  read_only.pNext = nullptr;
  read_only.xOpen = [](sqlite3_vfs* vfs, const char* name, sqlite3_file* out, int flags, int* got) {
    out->pMethods = nullptr;
    if ((flags & SQLITE_OPEN_WAL) != 0) return SQLITE_CANTOPEN;
    return real_open(vfs, name, out, flags, got);
  };
  ASSERT_EQ(sqlite3_vfs_register(&read_only, 0), SQLITE_OK);
  options.vfs = "read_only";
  const Result<std::unique_ptr<RecordStore>> left = open(path("left.db"), options);
  ASSERT_FALSE(left);
  EXPECT_EQ(left.error().code, ErrorCode::storage);
  EXPECT_NE(left.error().message.find("-wal"), std::string::npos) << left.error().message;
  // Without a log the file alone is the database, and it is read.
  std::filesystem::remove(path("theirs.db-wal"));
  const Result<std::unique_ptr<RecordStore>> clean = open(path("theirs.db"), options);
  EXPECT_TRUE(clean) << clean.error().message;
  if (clean) {
    EXPECT_EQ(titles(**clean), Titles{"in the log"});
    EXPECT_EQ(add_note(**clean, "a").error().code, ErrorCode::storage);
  }
  sqlite3_vfs_unregister(&read_only);
}

TEST_F(SqliteFiles, a_file_of_ours_is_closed_to_others) {
  make_ours();
  const auto permissions = std::filesystem::status(path("own.db")).permissions();
  EXPECT_EQ(permissions, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(SqliteFiles, a_pack_s_schema_may_not_reach_out) {
  for (const char* sql : {"ATTACH 'x.db' AS x", "PRAGMA writable_schema=1", "COMMIT",
                          "CREATE TABLE a (b); SELECT load_extension('x')"}) {
    StoreOptions options = ours();
    options.packs = {PackTables{.name = "bad", .version = 1, .sql = sql}};
    const Result<std::unique_ptr<RecordStore>> store = open(path("bad.db"), options);
    ASSERT_FALSE(store) << sql;
    EXPECT_EQ(store.error().code, ErrorCode::pack);
  }
}

}  // namespace
}  // namespace alfred
