// From what a user typed after --db to an open store.
//
// R1 `sqlite:path`, a path that ends in .db .sqlite .sqlite3, `postgres://…` or `postgresql://…`; the error
//    for anything else names these.
// R2 a database that is not ours is changed only by the rows asked for: no journal mode, no table, no
//    lock file (D22). One that does not exist is an error there; ours is created.
// R3 a password never appears in an error or in identity.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace alfred {

struct DatabaseUrl {
  enum class Kind : std::uint8_t { sqlite, postgres };
  Kind kind = Kind::sqlite;
  std::string target;    // a path, or the connection string for libpq
  std::string identity;  // what tells databases apart: the real path, or see pg_identity.h
};
Result<DatabaseUrl> parse_database_url(std::string_view text);

// The tables of a pack in a database of ours: its schema.sql, run once for each version in the
// transaction of the migrations and remembered beside their versions.
struct PackTables {
  std::string name;
  int version = 1;
  std::string sql;
  std::map<std::string, std::string> owners;  // table → owner column; walled on PostgreSQL
};

// How long the answers of ops are remembered; older ones and those beyond the count are forgotten,
// a few with each write.
struct KeptOps {
  std::int64_t most_ms = 7LL * 24 * 60 * 60 * 1000;
  std::int64_t most = 100'000;
};

// SQLite, of ours: a file that will be made, begun on a thread of its own. For one store.
class FileAhead {
 public:
  virtual ~FileAhead() = default;
};
std::shared_ptr<FileAhead> begin_own_file(std::vector<StateTables> tables);

struct StoreOptions {
  bool is_ours = false;                 // else a user's own database
  std::span<const StateTables> tables;  // of ours: what is migrated on opening
  std::vector<PackTables> packs;        // of ours: installed on opening
  // SQLite, of ours: what goes into a file that is made, together with its tables.
  std::function<Result<void>(NewDatabase&)> first_rows;
  std::shared_ptr<FileAhead> ahead{};            // the same, begun; with the same tables
  std::vector<std::string>* warnings = nullptr;  // gets what opening has to say, a line each
  bool allows_op_table = false;                  // a user's own: may hold alfred_ops (D13)
  int busy_timeout_ms = 5000;
  std::uint64_t work_budget = 50'000'000;  // SQLite: virtual machine steps of one statement
  int statement_timeout_ms = 30'000;       // PostgreSQL
  std::size_t pool = 4;                    // PostgreSQL: connections; SQLite: readers
  KeptOps ops;
  std::string vfs;  // SQLite: for crash tests; empty: the system's
};

Result<std::unique_ptr<RecordStore>> open_records(const DatabaseUrl& url,
                                                  const StoreOptions& options);
// At which version a pack was installed there by us (`alfred pack install`): then it is a database
// of ours. 0: it was not, as in every file that is named: files of ours are made.
Result<int> installed_version(const DatabaseUrl& url, std::string_view pack);
// A file of ours with no users' rows in it.
Result<std::unique_ptr<StateStore>> open_state(const std::string& path,
                                               const StoreOptions& options);

}  // namespace alfred
