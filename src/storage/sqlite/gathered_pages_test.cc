#include "storage/sqlite/gathered_pages.h"

#include <optional>

#include "storage/sqlite/bare_database_for_tests.h"

namespace alfred {
namespace {

class GatheredPagesOfAFile : public BareDatabaseFixture {
 protected:
  GatheredPagesOfAFile() : BareDatabaseFixture("under_the_pages") {}
  static int add_many(const Database& database) {
    run(database, "CREATE TABLE IF NOT EXISTS things (id integer PRIMARY KEY, text)");
    return BareDatabaseFixture::add_many(database);
  }
  // Moves the log into the file: 0, or what SQLite says.
  static int move_log(const Database& database, int how = SQLITE_CHECKPOINT_TRUNCATE) {
    return sqlite3_wal_checkpoint_v2(database.get(), nullptr, how, nullptr, nullptr);
  }
};

TEST_F(GatheredPagesOfAFile, R1_moving_many_pages_takes_few_writes_and_others_read_them) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  ASSERT_EQ(add_many(writer), SQLITE_OK);
  const long pages = std::stol(first(writer, "PRAGMA page_count"));
  ASSERT_GT(pages, 60);
  const long before = disk_.changes();
  EXPECT_EQ(move_log(writer), SQLITE_OK);
  EXPECT_LT(disk_.changes() - before, pages / 4);
  const Database reader = open_with(disk_.name());
  EXPECT_EQ(first(reader, "SELECT count(*) FROM things WHERE length(text) = 800"), "300");
  EXPECT_EQ(first(reader, "PRAGMA integrity_check"), "ok");
}

TEST_F(GatheredPagesOfAFile, R1_in_a_file_without_a_log_changes_are_there_for_everybody) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  run(writer, "PRAGMA journal_mode=DELETE");
  ASSERT_EQ(add_many(writer), SQLITE_OK);
  EXPECT_EQ(run(writer, "UPDATE things SET text = 'x' WHERE id % 7 = 0"), SQLITE_OK);
  EXPECT_EQ(first(writer, "SELECT count(*) FROM things WHERE text = 'x'"), "42");
  const Database reader = open_with(disk_.name());
  EXPECT_EQ(first(reader, "SELECT count(*) FROM things WHERE text = 'x'"), "42");
  EXPECT_EQ(first(reader, "PRAGMA integrity_check"), "ok");
}

TEST_F(GatheredPagesOfAFile, R1_behind_a_reader_nothing_waits_and_every_fault_is_told) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  ASSERT_EQ(add_many(writer), SQLITE_OK);
  const Database reader = open_with(disk_.name());
  ASSERT_EQ(run(reader, "BEGIN"), SQLITE_OK);
  ASSERT_EQ(first(reader, "SELECT count(*) FROM things"), "300");
  ASSERT_EQ(run(writer, "UPDATE things SET text = 'newer' WHERE id <= 100"), SQLITE_OK);
  // What was moved is published behind a reader without a sync: each write has to tell its fault.
  long writes = 0;
  for (;; ++writes) {
    disk_.fail_at(Op::write, writes + 1, SQLITE_IOERR_WRITE, "bare.db");
    const int code = move_log(writer, SQLITE_CHECKPOINT_FULL);
    if (!disk_.has_failed()) {
      EXPECT_EQ(code, SQLITE_BUSY);  // as far as the reader allows
      break;
    }
    ASSERT_EQ(code, SQLITE_IOERR) << writes;
    EXPECT_EQ(first(writer, "PRAGMA integrity_check"), "ok");
  }
  disk_.fail_nothing();
  EXPECT_GT(writes, 30);
  EXPECT_EQ(first(reader, "SELECT count(*) FROM things WHERE length(text) = 800"), "300");
  EXPECT_EQ(run(reader, "COMMIT"), SQLITE_OK);
  EXPECT_EQ(first(reader, "SELECT count(*) FROM things WHERE text = 'newer'"), "100");
  EXPECT_EQ(move_log(writer, SQLITE_CHECKPOINT_FULL), SQLITE_OK);
  EXPECT_EQ(first(reader, "PRAGMA integrity_check"), "ok");
}

TEST_F(GatheredPagesOfAFile, R2_each_of_the_few_writes_tells_its_fault_the_last_one_too) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  ASSERT_EQ(add_many(writer), SQLITE_OK);
  const long pages = std::stol(first(writer, "PRAGMA page_count"));
  long writes = 0;
  for (;; ++writes) {
    disk_.fail_at(Op::write, writes + 1, SQLITE_IOERR_WRITE, "bare.db");
    const int code = move_log(writer, SQLITE_CHECKPOINT_FULL);
    if (!disk_.has_failed()) break;
    ASSERT_EQ(code, SQLITE_IOERR) << writes;
    EXPECT_EQ(first(writer, "SELECT count(*) FROM things"), "300");
  }
  disk_.fail_nothing();
  EXPECT_GT(writes, 1);
  EXPECT_LT(writes, pages / 4);
  const Database reader = open_with(disk_.name());
  EXPECT_EQ(first(reader, "PRAGMA integrity_check"), "ok");
}

TEST_F(GatheredPagesOfAFile, R1_who_does_not_keep_others_from_writing_writes_page_by_page) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  ASSERT_EQ(add_many(writer), SQLITE_OK);
  const long pages = std::stol(first(writer, "PRAGMA page_count"));
  const long before = disk_.changes();
  EXPECT_EQ(move_log(writer, SQLITE_CHECKPOINT_PASSIVE), SQLITE_OK);
  EXPECT_GE(disk_.changes() - before, pages);
}

TEST_F(GatheredPagesOfAFile, what_one_move_read_ahead_is_not_taken_for_what_the_next_one_moves) {
  const GatheredLogs logs(disk_.name());
  const Database writer = open_with(logs.name());
  ASSERT_EQ(add_many(writer), SQLITE_OK);
  for (int round = 0; round < 6; ++round) {
    ASSERT_EQ(move_log(writer, SQLITE_CHECKPOINT_FULL), SQLITE_OK);
    // The log begins anew: other pages lie where those of the round before lay.
    const std::string changed = "UPDATE things SET text = '" + std::to_string(round) +
                                "' || substr(text, 2) WHERE id % 6 >= " + std::to_string(round);
    ASSERT_EQ(run(writer, changed), SQLITE_OK);
    ASSERT_EQ(add_many(writer), SQLITE_OK);
  }
  ASSERT_EQ(move_log(writer, SQLITE_CHECKPOINT_FULL), SQLITE_OK);
  std::filesystem::copy_file(path("bare.db"), path("moved.db"));  // without the log
  sqlite3* moved = nullptr;
  ASSERT_EQ(sqlite3_open(path("moved.db").c_str(), &moved), SQLITE_OK);
  const Database alone(moved);
  EXPECT_EQ(first(alone, "PRAGMA integrity_check"), "ok");
  constexpr const char* kAll = "SELECT group_concat(substr(text, 1, 9)) FROM things";
  EXPECT_EQ(first(alone, kAll), first(writer, kAll));
}

// What a failed move left unwritten must not be written over what came later.
TEST_F(GatheredPagesOfAFile, R1_R2_a_move_that_fails_is_told_and_leaves_nothing_behind) {
  struct Fault {
    Op op;
    long nth;
    int code;
    const char* tail;
    bool stays = false;
  };
  std::vector<Fault> faults;
  for (long nth = 1; nth <= 4; ++nth) {
    faults.push_back({Op::write, nth, SQLITE_IOERR_WRITE, "bare.db"});
    faults.push_back({Op::sync, nth, SQLITE_IOERR_FSYNC, "bare.db"});
    // While some wait. What is read ahead in vain is asked for once more.
    faults.push_back({Op::read, nth, SQLITE_IOERR_READ, "-wal", true});
  }
  int failed = 0;
  for (const Fault& fault : faults) {
    for (const char* const tail : {"", "-wal", "-shm"})
      std::filesystem::remove(path("bare.db") + tail);
    std::optional<GatheredLogs> logs(disk_.name());
    Database writer = open_with(logs->name());
    ASSERT_EQ(add_many(writer), SQLITE_OK);
    disk_.fail_at(fault.op, fault.nth, fault.code, fault.tail, fault.stays);
    const bool is_moved = move_log(writer) == SQLITE_OK;
    EXPECT_EQ(is_moved, !disk_.has_failed()) << fault.tail << fault.nth;
    if (!is_moved) ++failed;
    disk_.fail_nothing();
    const Database other = open_with(disk_.name());
    EXPECT_EQ(run(other, "UPDATE things SET text = 'newer'"), SQLITE_OK);
    EXPECT_EQ(move_log(other, SQLITE_CHECKPOINT_PASSIVE), SQLITE_OK);
    writer.reset();
    logs.reset();
    EXPECT_EQ(first(other, "SELECT count(*) FROM things WHERE text = 'newer'"), "300");
    EXPECT_EQ(move_log(other), SQLITE_OK);
    const Database reader = open_with(disk_.name());
    EXPECT_EQ(first(reader, "SELECT count(*) FROM things WHERE text = 'newer'"), "300");
    EXPECT_EQ(first(reader, "PRAGMA integrity_check"), "ok") << fault.tail << fault.nth;
  }
  EXPECT_GE(failed, 6);
}

TEST_F(GatheredPagesOfAFile, R1_a_loss_of_power_while_pages_are_moved_loses_no_commit) {
  std::mt19937_64 random(7);
  int lost = 0;
  for (const FaultyVfs::Loss loss : {FaultyVfs::Loss::all_unsynced, FaultyVfs::Loss::torn})
    for (long nth = 1; nth <= 12; ++nth) {
      for (const char* const tail : {"", "-wal", "-shm"})
        std::filesystem::remove(path("bare.db") + tail);
      {
        const GatheredLogs logs(disk_.name());
        const Database writer = open_with(logs.name());
        ASSERT_EQ(add_many(writer), SQLITE_OK);
        ASSERT_EQ(move_log(writer), SQLITE_OK);
        ASSERT_EQ(run(writer, "UPDATE things SET text = 'newer'"), SQLITE_OK);
        disk_.crash_at(nth);
        move_log(writer);
        if (disk_.is_crashed()) ++lost;
      }
      disk_.lose_power(loss, random);
      const Database again = open_with(disk_.name());
      EXPECT_EQ(first(again, "SELECT count(*) FROM things WHERE text = 'newer'"), "300") << nth;
      EXPECT_EQ(first(again, "PRAGMA integrity_check"), "ok") << nth;
    }
  EXPECT_GT(lost, 4);
}

}  // namespace
}  // namespace alfred
