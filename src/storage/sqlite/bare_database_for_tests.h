// A database on the bare driver, over a disk that fails where it is told.
#pragma once

#include <memory>
#include <string>

#include "storage/sqlite/faulty_vfs_for_tests.h"
#include "storage/sqlite/gathered_logs.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {

class BareDatabaseFixture : public SqliteFixture {
 protected:
  using Op = FaultyVfs::Op;
  struct Closes {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  using Database = std::unique_ptr<sqlite3, Closes>;

  explicit BareDatabaseFixture(std::string disk) : disk_(std::move(disk)) {}

  Database open_with(const std::string& vfs) const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2(file().c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              vfs.c_str()),
              SQLITE_OK);
    Database out(database);
    run(out, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0");
    return out;
  }
  static int run(const Database& database, const std::string& text) {
    return sqlite3_exec(database.get(), text.c_str(), nullptr, nullptr, nullptr);
  }
  static std::string first(const Database& database, const char* text) {
    std::string out;
    const auto take = [](void* into, int, char** values, char**) {
      if (values[0] != nullptr) *static_cast<std::string*>(into) = values[0];
      return 0;
    };
    sqlite3_exec(database.get(), text, take, &out, nullptr);
    return out;
  }
  // Rows that take more pages than a connection with a small cache keeps, so that some are written
  // before the end.
  static int add_many(const Database& database) {
    return run(database,
               "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
               "INSERT INTO things SELECT NULL, hex(randomblob(400)) FROM n");
  }
  std::string file() const { return path("bare.db"); }

  FaultyVfs disk_;
};

}  // namespace alfred
