#include "storage/sqlite/gathered_logs.h"

#include <optional>

#include "storage/sqlite/bare_database_for_tests.h"

namespace alfred {
namespace {

class GatheredLog : public BareDatabaseFixture {
 protected:
  GatheredLog() : BareDatabaseFixture("under_the_log") {}
};

TEST_F(GatheredLog, R2_a_commit_of_many_pages_takes_few_writes_and_others_read_it) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  for (const char* table : {"a", "b", "c", "d", "e", "f"})
    run(writer, "CREATE TABLE " + std::string(table) + " (x)");
  run(writer, "INSERT INTO a VALUES (0)");
  const Database reader = open_with(disk_.name());
  const long before = disk_.changes();
  EXPECT_EQ(run(writer,
                "BEGIN; INSERT INTO a VALUES (1); INSERT INTO b VALUES (1);"
                "INSERT INTO c VALUES (1); INSERT INTO d VALUES (1);"
                "INSERT INTO e VALUES (1); INSERT INTO f VALUES (1); COMMIT"),
            SQLITE_OK);
  // What is synced, its sync, and what fills the sector: not two for each page.
  EXPECT_LE(disk_.changes() - before, 3);
  EXPECT_EQ(first(reader, "SELECT count(*) FROM a JOIN f"), "2");
}

TEST_F(GatheredLog, R2_what_waits_is_there_for_its_own_transaction) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  run(writer, "PRAGMA cache_size=5; CREATE TABLE things (id integer PRIMARY KEY, text)");
  EXPECT_EQ(run(writer, "BEGIN"), SQLITE_OK);
  EXPECT_EQ(add_many(writer), SQLITE_OK);
  EXPECT_EQ(first(writer, "SELECT count(*) FROM things WHERE length(text) = 800"), "300");
  EXPECT_EQ(run(writer, "UPDATE things SET text = 'x' WHERE id % 7 = 0; COMMIT"), SQLITE_OK);
  const Database reader = open_with(disk_.name());
  EXPECT_EQ(first(reader, "SELECT count(*) FROM things WHERE text = 'x'"), "42");
  EXPECT_EQ(first(reader, "PRAGMA integrity_check"), "ok");
}

TEST_F(GatheredLog, R3_no_commit_lies_behind_what_could_not_be_written) {
  int failed = 0;
  for (const int code : {SQLITE_FULL, SQLITE_IOERR_WRITE})
    for (long nth = 1; nth <= 20; ++nth) {
      std::filesystem::remove(path("bare.db"));
      std::optional<GatheredLogs> logs(disk_.name());
      Database writer = open_with(logs->name());
      run(writer, "PRAGMA cache_size=5; CREATE TABLE things (id integer PRIMARY KEY, text)");
      run(writer, "INSERT INTO things VALUES (1000, 'old')");
      disk_.fail_at(Op::write, nth, code, "-wal");
      run(writer, "BEGIN");
      // Whoever goes on after an error is refused or has all of it.
      const bool has_added = add_many(writer) == SQLITE_OK;
      const bool has_changed = run(writer, "UPDATE things SET text = 'x' WHERE id % 7 = 0") == 0;
      const bool is_done = has_added && has_changed && run(writer, "COMMIT") == SQLITE_OK;
      if (!is_done) ++failed;
      run(writer, "ROLLBACK");
      disk_.fail_nothing();
      writer.reset();
      logs.reset();
      const Database reader = open_with(disk_.name());
      EXPECT_EQ(first(reader, "PRAGMA integrity_check"), "ok") << nth;
      EXPECT_EQ(first(reader, "SELECT count(*) FROM things"), is_done ? "301" : "1") << nth;
    }
  EXPECT_GT(failed, 4);
}

TEST_F(GatheredLog, R4_a_log_grows_ahead_once_it_is_not_small_and_is_read_up_to_its_last_commit) {
  const GatheredLogs logs(disk_.name());
  const auto length = [&] {
    return static_cast<std::int64_t>(std::filesystem::file_size(path("bare.db-wal")));
  };
  Database writer = open_with(logs.name());
  run(writer, "CREATE TABLE things (id integer PRIMARY KEY, text)");
  EXPECT_LT(length(), kLeastAhead / 4);
  EXPECT_EQ(add_many(writer), SQLITE_OK);
  const std::int64_t grown = length();
  ASSERT_GT(grown, kLeastAhead);
  int in_place = 0;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t before = length();
    EXPECT_EQ(run(writer, "INSERT INTO things VALUES (NULL, 'one more')"), SQLITE_OK);
    if (length() == before) ++in_place;
    EXPECT_LE(length(), grown + grown / 2);
  }
  EXPECT_GE(in_place, 7);
  // As a process that is killed leaves them: zeros are no pages.
  for (const char* const tail : {"", "-wal"})
    std::filesystem::copy(path("bare.db") + tail, path("killed.db") + tail);
  writer.reset();
  std::filesystem::rename(path("killed.db"), path("bare.db"));
  std::filesystem::rename(path("killed.db-wal"), path("bare.db-wal"));
  const Database again = open_with(disk_.name());
  EXPECT_EQ(first(again, "SELECT count(*) FROM things"), "310");
  EXPECT_EQ(first(again, "PRAGMA integrity_check"), "ok");
}

TEST_F(GatheredLog, R4_where_there_is_no_room_ahead_the_commit_is_whole) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  run(writer, "CREATE TABLE things (id integer PRIMARY KEY, text)");
  int done = 0;
  for (long nth = 1; nth <= 12; ++nth) {
    disk_.fail_at(Op::write, nth, SQLITE_FULL, "-wal");
    if (add_many(writer) == SQLITE_OK) ++done;
    disk_.fail_nothing();
    EXPECT_EQ(first(writer, "SELECT count(*) FROM things"), std::to_string(done * 300));
  }
  EXPECT_GT(done, 0);
  const Database reader = open_with(disk_.name());
  EXPECT_EQ(first(reader, "SELECT count(*) FROM things"), std::to_string(done * 300));
  EXPECT_EQ(first(reader, "PRAGMA integrity_check"), "ok");
}

TEST_F(GatheredLog, R3_a_disk_that_was_full_takes_the_next_commit) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  run(writer, "CREATE TABLE things (id integer PRIMARY KEY, text)");
  disk_.fail_at(Op::write, 1, SQLITE_FULL, "-wal");
  EXPECT_EQ(run(writer, "INSERT INTO things VALUES (1, 'a')"), SQLITE_FULL);
  EXPECT_EQ(run(writer, "INSERT INTO things VALUES (2, 'b')"), SQLITE_OK);
  const Database reader = open_with(disk_.name());
  EXPECT_EQ(first(reader, "SELECT group_concat(id) FROM things"), "2");
}

}  // namespace
}  // namespace alfred
