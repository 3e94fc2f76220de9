// SqliteFile: the file behind a store, and the connections that are made to it.
//
// R1 the file that was opened is the file that is written: one that was replaced, deleted or closed to
//    us meanwhile is noticed before a transaction begins, and nothing is written.
// R2 a user's own file is opened as it is: no journal mode, no table, no lock file; one that cannot be
//    written is read.
// R3 a write-ahead log that cannot be read along with its file is an error, never an older state.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "storage/open_store.h"
#include "storage/sqlite/connection.h"

namespace alfred {

class GatheredLogs;

// `file:` with the path's own signs escaped, and SQLite's options behind it.
std::string file_uri(const std::string& path, std::string_view options);

class SqliteFile {
 public:
  // A user's own: must exist and be a database.
  static Result<SqliteFile> existing(const std::string& path, const StoreOptions& options);
  // Ours: made, checked and migrated. See own_file.h.
  static Result<SqliteFile> own(const std::string& path, const StoreOptions& options);

  const std::string& path() const { return path_; }
  bool is_ours() const { return is_ours_; }
  int busy_timeout_ms() const { return busy_timeout_ms_; }
  Result<void> check() const;  // R1

  Result<std::unique_ptr<SqliteConnection>> open_writer() const;
  Result<std::unique_ptr<SqliteConnection>> open_reader() const;
  // For a caller's query: with main in memory where `is_walled`, and then without this file.
  Result<std::unique_ptr<SqliteConnection>> open_query(bool is_walled) const;
  std::string read_only_uri() const;

 private:
  SqliteFile(std::string path, const StoreOptions& options);
  Result<void> remember();
  ConnectionOptions options_for(ConnectionOptions::Mode mode) const;

  std::string path_;
  std::string vfs_;
  std::shared_ptr<const GatheredLogs> logs_;  // of a file of ours: what the writer opens it with
  bool is_ours_;
  bool is_immutable_ = false;  // on a medium where no log can be made
  int busy_timeout_ms_;
  std::uint64_t work_budget_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace alfred
