#include "storage/sqlite/database_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "storage/sqlite/gathered_logs.h"
#include "storage/sqlite/own_file.h"

namespace alfred {

std::string file_uri(const std::string& path, std::string_view options) {
  std::string out = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '?' || c == '#' || byte < 0x21)
      out += fmt::format("%{:02x}", byte);
    else
      out += c;
  }
  return out + "?" + std::string(options);
}

namespace {

// Reads the schema, which reads the file's first pages and its log.
Result<void> look_at(SqliteConnection& connection) {
  Result<std::int64_t> count = connection.number("SELECT count(*) FROM sqlite_schema");
  if (!count) return Unexpected(std::move(count).error());
  return {};
}

Unexpected cannot_read(const std::string& path, Error error) {
  error.message = fmt::format("{}: {}", path, error.message);
  return Unexpected(std::move(error));
}

}  // namespace

SqliteFile::SqliteFile(std::string path, const StoreOptions& options)
    : path_(std::move(path)),
      vfs_(options.vfs),
      is_ours_(options.is_ours),
      busy_timeout_ms_(options.busy_timeout_ms),
      work_budget_(options.work_budget) {}

Result<void> SqliteFile::remember() {
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0)
    return fail(ErrorCode::file, fmt::format("Cannot open {}: {}.", path_, std::strerror(errno)));
  device_ = now.st_dev;
  inode_ = now.st_ino;
  return {};
}

Result<void> SqliteFile::check() const {
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0 || now.st_dev != device_ || now.st_ino != inode_)
    return fail(ErrorCode::storage,
                fmt::format("The database file {} was replaced or deleted while it was open. "
                            "Nothing was done; start again on the file that is meant.",
                            path_));
  if ((now.st_mode & (S_IRUSR | S_IRGRP | S_IROTH)) == 0)
    return fail(ErrorCode::storage,
                fmt::format("The database file {} was closed to reading while it was open. "
                            "Nothing was done; give the permission back.",
                            path_));
  return {};
}

Result<SqliteFile> SqliteFile::existing(const std::string& path, const StoreOptions& options) {
  SqliteFile file(path, options);
  if (Result<void> found = file.remember(); !found) {
    found.error().message += " A database that is not ours has to exist.";
    return Unexpected(std::move(found).error());
  }
  Result<std::unique_ptr<SqliteConnection>> connection = file.open_reader();
  Result<void> looked = connection ? look_at(**connection) : Unexpected(connection.error());
  if (looked) return file;
  const std::string log = path + "-wal";
  std::error_code failure;
  const bool has_log =
      std::filesystem::exists(log, failure) && std::filesystem::file_size(log, failure) > 0;
  if (looked.error().code != ErrorCode::storage) return cannot_read(path, looked.error());
  if (has_log)
    return fail(ErrorCode::storage,
                fmt::format("{} has changes in {} that were not yet moved into it, and the file or "
                            "its directory cannot be written. Open it once where it can, or copy "
                            "both files there.",
                            path, log));
  // Without a log there is nothing to miss: the file alone is the database.
  file.is_immutable_ = true;
  connection = file.open_reader();
  looked = connection ? look_at(**connection) : Unexpected(connection.error());
  if (!looked) return cannot_read(path, looked.error());
  return file;
}

Result<SqliteFile> SqliteFile::own(const std::string& path, const StoreOptions& options) {
  SqliteFile file(path, options);
  if (Result<void> prepared = prepare_own_file(path, options); !prepared)
    return Unexpected(std::move(prepared).error());
  if (Result<void> found = file.remember(); !found) return Unexpected(std::move(found).error());
  file.logs_ = std::make_shared<const GatheredLogs>(options.vfs);
  return file;
}

std::string SqliteFile::read_only_uri() const {
  return file_uri(path_, is_immutable_ ? "mode=ro&immutable=1" : "mode=ro");
}

ConnectionOptions SqliteFile::options_for(ConnectionOptions::Mode mode) const {
  return ConnectionOptions{
      .path = is_immutable_ ? read_only_uri() : file_uri(path_, "cache=private"),
      .mode = mode,
      .vfs = vfs_,
      .busy_timeout_ms = busy_timeout_ms_,
      .work_budget = work_budget_};
}

Result<std::unique_ptr<SqliteConnection>> SqliteFile::open_writer() const {
  if (Result<void> same = check(); !same) return Unexpected(std::move(same).error());
  ConnectionOptions options = options_for(ConnectionOptions::Mode::write);
  if (logs_ != nullptr) options.vfs = logs_->name();
  Result<std::unique_ptr<SqliteConnection>> connection = SqliteConnection::open(options);
  if (!connection) return connection;
  // What a savepoint may have to take back waits in memory, not in a file of its own.
  Result<void> set = (*connection)->execute("PRAGMA temp_store=MEMORY");
  // Ours: checkpoints are ours to time, since they need the lock between processes. A user's own:
  // with a rollback journal a commit is sure only when the journal's deletion is (EXTRA); that is a
  // setting of this connection, nothing in the file.
  if (set)
    set = (*connection)
              ->execute(is_ours_ ? "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
                                   "PRAGMA cache_size=-8192;"
                                   "PRAGMA journal_size_limit=16777216"
                                 : "PRAGMA synchronous=EXTRA");
  if (!set) return Unexpected(std::move(set).error());
  return connection;
}

Result<std::unique_ptr<SqliteConnection>> SqliteFile::open_reader() const {
  if (Result<void> same = check(); !same) return Unexpected(std::move(same).error());
  Result<std::unique_ptr<SqliteConnection>> connection =
      SqliteConnection::open(options_for(ConnectionOptions::Mode::write));
  if (!connection) return connection;
  if (is_ours_) (*connection)->leave_wal_on_close();
  Result<void> set = (*connection)->execute("PRAGMA query_only=1");
  if (!set) return Unexpected(std::move(set).error());
  return connection;
}

Result<std::unique_ptr<SqliteConnection>> SqliteFile::open_query(bool is_walled) const {
  if (Result<void> same = check(); !same) return Unexpected(std::move(same).error());
  ConnectionOptions options = options_for(ConnectionOptions::Mode::read);
  if (is_walled) {
    options.path = ":memory:";
    options.mode = ConnectionOptions::Mode::create;
  }
  return SqliteConnection::open(options);
}

}  // namespace alfred
