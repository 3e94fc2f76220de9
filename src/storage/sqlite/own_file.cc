#include "storage/sqlite/own_file.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "base/files/file.h"
#include "storage/sqlite/database_file.h"
#include "storage/sqlite/new_file.h"

namespace alfred {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code failure;
  return fs::exists(path, failure);
}

std::uint64_t size_of(const std::string& path) {
  std::error_code failure;
  const std::uint64_t size = fs::file_size(path, failure);
  return failure ? 0 : size;
}

std::string first_bytes(const std::string& path) {
  std::array<char, 100> bytes{};
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(in.gcount())};
}

Unexpected damaged(const std::string& path, std::string_view what) {
  return Unexpected(Error{
      ErrorCode::corrupt,
      fmt::format("The database file {0} is damaged ({1}). It was left as it is. Keep a copy: "
                  "cp -p '{0}' '{0}.damaged' (with {0}-wal where there is one), then put a backup "
                  "in its place or move it away.",
                  path, what),
      {},
      {},
      {}});
}

// A log that is no log would be taken for an empty one, and what it held for lost.
bool is_garbage_log(const std::string& path) {
  const std::string bytes = first_bytes(path + "-wal");
  if (bytes.size() < 4 || bytes.substr(0, 4) == std::string(4, '\0')) return false;
  return bytes.substr(0, 3) != "\x37\x7f\x06" || (bytes[3] != '\x82' && bytes[3] != '\x83');
}

// Of a file that SQLite does not know: by what is left of it, was it ours? The file is looked at
// only now, since closing it would drop the locks of a connection of this process, and none can
// have it open.
bool was_ours(const std::string& path, bool had_lock) {
  const std::string bytes = first_bytes(path);
  return had_lock || (bytes.size() >= 72 && bytes.substr(68, 4) == "Alfr");
}

Result<void> move_aside(const std::string& path, const StoreOptions& options) {
  std::string to;
  for (int n = 1; to.empty() || exists(to); ++n) to = fmt::format("{}.archived-{}", path, n);
  std::error_code failure;
  for (const std::string_view tail : {"-wal", "-journal", ""}) {
    const std::string from = path + std::string(tail);
    if (!exists(from)) continue;
    fs::rename(from, to + std::string(tail), failure);
    if (failure)
      return fail(ErrorCode::file,
                  fmt::format("Cannot move {} aside: {}.", from, failure.message()));
  }
  fs::remove(path + "-shm", failure);
  if (options.warnings != nullptr)
    options.warnings->push_back(fmt::format(
        "{} was no database of this program. It was moved to {}, and a fresh one was made.", path,
        to));
  return {};
}

struct Found {
  std::int64_t application_id = 0;
  std::int64_t tables = 0;
};

Result<Found> look_into(SqliteConnection& connection) {
  Result<std::int64_t> id = connection.number("PRAGMA application_id");
  if (!id) return Unexpected(std::move(id).error());
  Result<std::int64_t> tables = connection.number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return Unexpected(std::move(tables).error());
  return Found{*id, *tables};
}

bool is_of_another(const Found& found) {
  return found.application_id != kSqliteApplicationId &&
         (found.tables > 0 || found.application_id != 0);
}

// To look and not to touch: without a log the file alone is the database, and SQLite makes nothing
// beside it.
Result<std::unique_ptr<SqliteConnection>> open_to_look(const std::string& path) {
  const std::string_view how = size_of(path + "-wal") > 0 ? "mode=ro" : "mode=ro&immutable=1";
  return SqliteConnection::open({file_uri(path, how), ConnectionOptions::Mode::read, {}, 5000, 0});
}

Unexpected not_ours(const std::string& path, std::string_view what) {
  return Unexpected(Error{
      ErrorCode::file,
      fmt::format("{} is {}, not one of this program. Nothing was changed. Name a file that is not "
                  "there yet, and it is made; or name none, and the usual one is used.",
                  path, what),
      {},
      {},
      {}});
}

Result<void> check_pages(SqliteConnection& connection, const std::string& path) {
  if (size_of(path) > kCheckedBytes) return {};
  const Result<std::int64_t> good =
      connection.number("SELECT count(*) FROM pragma_quick_check(1) WHERE quick_check = 'ok'");
  if (!good && good.error().code != ErrorCode::corrupt) return Unexpected(good.error());
  if (!good || *good != 1) return damaged(path, "its pages do not fit together");
  return {};
}

Result<std::unique_ptr<SqliteConnection>> open_at(const std::string& path,
                                                  const StoreOptions& options) {
  Result<std::unique_ptr<SqliteConnection>> connection = SqliteConnection::open(
      {path, ConnectionOptions::Mode::create, options.vfs, options.busy_timeout_ms, 0});
  // Nothing is moved from the log before we know that the file is sound.
  if (connection) (*connection)->leave_wal_on_close();
  return connection;
}

// A connection to a file that is ours, empty or just made.
Result<std::unique_ptr<SqliteConnection>> open_known(const std::string& path, bool had_lock,
                                                     const StoreOptions& options) {
  if (is_garbage_log(path)) return damaged(path, "its -wal file is none");
  Result<std::unique_ptr<SqliteConnection>> connection = open_at(path, options);
  if (!connection) return connection;
  const Result<Found> found = look_into(**connection);
  const bool is_damaged = !found && found.error().code == ErrorCode::corrupt;
  if (!found && !is_damaged) return Unexpected(found.error());
  if (is_damaged && was_ours(path, had_lock)) return damaged(path, "its first page or its size");
  if (is_damaged || is_of_another(*found)) {
    connection->reset();
    if (Result<void> moved = move_aside(path, options); !moved)
      return Unexpected(std::move(moved).error());
    return open_at(path, options);
  }
  if (Result<void> sound = check_pages(**connection, path); !sound)
    return Unexpected(std::move(sound).error());
  return connection;
}

}  // namespace

Result<void> check_own_name(const std::string& path) {
  if (size_of(path) == 0) return {};
  Result<std::unique_ptr<SqliteConnection>> connection = open_to_look(path);
  if (!connection) return Unexpected(std::move(connection).error());
  const Result<Found> found = look_into(**connection);
  connection->reset();
  if (found && is_of_another(*found))
    return not_ours(
        path, fmt::format("a database of another program ({} tables and indexes)", found->tables));
  if (found) return {};
  if (found.error().code != ErrorCode::corrupt) return Unexpected(found.error());
  if (was_ours(path, exists(path + ".lock"))) return {};  // which prepare_own_file() refuses
  return not_ours(path, "no SQLite database");
}

Result<void> prepare_own_file(const std::string& path, const StoreOptions& options) {
  // The lock file stays beside a file of ours for good.
  const bool had_lock = exists(path + ".lock");
  const Result<FileLock> lock = lock_file(path, options.busy_timeout_ms);
  if (!lock) return Unexpected(lock.error());
  // Nobody else may read what we made; its log gets the same permissions. The log of a file that is
  // gone would be taken for that of the new one: SQLite drops it when it finds an empty file.
  if (!exists(path)) {
    if (!exists(path + "-wal") && !exists(path + "-journal")) return make_own_file(path, options);
    if (!open_file(path, O_RDWR | O_CREAT, 0600).is_open()) return fail_file("create", path, errno);
  }
  Result<std::unique_ptr<SqliteConnection>> connection = open_known(path, had_lock, options);
  if (!connection) return Unexpected(std::move(connection).error());
  Result<void> set = (*connection)->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
  if (!set) return set;
  return migrate(**connection, path, options);
}

}  // namespace alfred
