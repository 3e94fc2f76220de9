#include <sqlite3.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "storage/sqlite/own_file.h"
#include "storage/sqlite/writer.h"

namespace alfred {
namespace {

constexpr std::string_view kOwnTables =
    "CREATE TABLE IF NOT EXISTS alfred_meta (owner text PRIMARY KEY NOT NULL, version integer NOT "
    "NULL) WITHOUT ROWID";
// Format 1 did not know when an op was; all that it kept counts as made now.
constexpr std::string_view kDateOps =
    "ALTER TABLE alfred_ops ADD COLUMN at_ms integer NOT NULL DEFAULT 0;"
    "UPDATE alfred_ops SET at_ms = unixepoch() * 1000";

using Versions = std::map<std::string, std::int64_t, std::less<>>;

Result<Versions> stored_versions(SqliteConnection& connection) {
  Versions versions;
  Result<std::int64_t> has_table =
      connection.number("SELECT count(*) FROM sqlite_schema WHERE name = 'alfred_meta'");
  if (!has_table) return Unexpected(std::move(has_table).error());
  if (*has_table == 0) return versions;
  Result<LentStatement> statement = connection.prepare("SELECT owner, version FROM alfred_meta");
  if (!statement) return Unexpected(std::move(statement).error());
  for (;;) {
    Result<bool> has_row = statement->step();
    if (!has_row) return Unexpected(std::move(has_row).error());
    if (!*has_row) return versions;
    const Value owner = statement->cell(0);
    const Value version = statement->cell(1);
    if (std::holds_alternative<std::string>(owner) && std::holds_alternative<std::int64_t>(version))
      versions[std::get<std::string>(owner)] = std::get<std::int64_t>(version);
  }
}

std::int64_t version_of(const Versions& versions, std::string_view owner) {
  const auto at = versions.find(owner);
  return at == versions.end() ? 0 : at->second;
}

Unexpected newer(const std::string& path, std::string_view what, std::int64_t has, int knows) {
  return fail(ErrorCode::newer_schema,
              fmt::format("{} was written by a newer version of this program: {} is at version {}, "
                          "and this one knows {}. Use the newer program.",
                          path, what, has, knows));
}

std::string pack_owner(const PackTables& pack) { return "pack:" + pack.name; }

Result<void> check_versions(const Versions& versions, const std::string& path,
                            const StoreOptions& options) {
  for (const StateTables& tables : options.tables)
    if (const std::int64_t has = version_of(versions, tables.owner); has > tables.newest_version())
      return newer(path, tables.owner, has, tables.newest_version());
  for (const PackTables& pack : options.packs)
    if (const std::int64_t has = version_of(versions, pack_owner(pack)); has > pack.version)
      return newer(path, pack.name, has, pack.version);
  return {};
}

bool has_pending(const Versions& versions, const StoreOptions& options) {
  for (const StateTables& tables : options.tables)
    if (version_of(versions, tables.owner) < tables.newest_version()) return true;
  for (const PackTables& pack : options.packs)
    if (version_of(versions, pack_owner(pack)) < pack.version) return true;
  return false;
}

// Rows that a migration could harm: none in a file without tables of ours, or in one that is only
// being made, in memory.
bool is_worth_a_copy(SqliteConnection& connection, const Versions& versions) {
  const char* const file = sqlite3_db_filename(connection.handle(), "main");
  return !versions.empty() && file != nullptr && *file != '\0';
}

Result<void> copy_beside(SqliteConnection& connection, const std::string& path) {
  std::string to;
  for (int n = 1; to.empty() || std::filesystem::exists(to); ++n)
    to = fmt::format("{}.before-migration-{}", path, n);
  // A name without "-part" means a whole copy.
  const std::string part = to + "-part";
  std::remove(part.c_str());
  Result<std::unique_ptr<SqliteConnection>> target =
      SqliteConnection::open({part, ConnectionOptions::Mode::create, {}, 1000, 0});
  if (!target) return Unexpected(std::move(target).error());
  sqlite3_backup* const backup =
      sqlite3_backup_init((*target)->handle(), "main", connection.handle(), "main");
  if (backup == nullptr) return Unexpected((*target)->error(SQLITE_ERROR));
  sqlite3_backup_step(backup, -1);
  const int code = sqlite3_backup_finish(backup);
  if (code != SQLITE_OK) return Unexpected((*target)->error(code));
  target->reset();
  std::error_code failure;
  std::filesystem::rename(part, to, failure);
  if (failure)
    return fail(ErrorCode::file, fmt::format("Cannot write {}: {}.", to, failure.message()));
  return {};
}

Result<void> store_version(SqliteConnection& connection, std::string_view owner,
                           std::int64_t version) {
  Result<LentStatement> statement = connection.prepare(
      "INSERT INTO alfred_meta (owner, version) VALUES (:owner, :version) "
      "ON CONFLICT (owner) DO UPDATE SET version = excluded.version");
  if (!statement) return Unexpected(std::move(statement).error());
  const Param params[] = {{"owner", std::string(owner)}, {"version", version}};
  if (Result<void> bound = statement->bind_named(params); !bound) return bound;
  const Result<bool> stepped = statement->step();
  if (!stepped) return Unexpected(stepped.error());
  return {};
}

Result<void> apply_steps(SqliteConnection& connection, const Versions& versions,
                         const StoreOptions& options) {
  for (const StateTables& tables : options.tables) {
    const std::int64_t has = version_of(versions, tables.owner);
    if (has >= tables.newest_version()) continue;
    for (const Statement& step : tables.steps_from(has))
      if (Result<void> done = connection.execute(std::string(step.text()).c_str()); !done)
        return done;
    if (Result<void> done = store_version(connection, tables.owner, tables.newest_version()); !done)
      return done;
  }
  for (const PackTables& pack : options.packs) {
    if (version_of(versions, pack_owner(pack)) >= pack.version) continue;
    if (Result<void> made = connection.execute_schema(pack.sql); !made) return made;
    if (Result<void> done = store_version(connection, pack_owner(pack), pack.version); !done)
      return done;
  }
  return {};
}

Result<void> migrate_inside(SqliteConnection& connection, const std::string& path,
                            const StoreOptions& options) {
  // Read again: inside the transaction nobody else changes them.
  Result<Versions> versions = stored_versions(connection);
  if (!versions) return Unexpected(std::move(versions).error());
  if (Result<void> known = check_versions(*versions, path, options); !known) return known;
  if (Result<void> made = connection.execute(std::string(kOwnTables).c_str()); !made) return made;
  if (version_of(*versions, "file") == 1)
    if (Result<void> dated = connection.execute(std::string(kDateOps).c_str()); !dated)
      return dated;
  if (Result<void> made = connection.execute(kOpsTable); !made) return made;
  const std::string pragmas = fmt::format("PRAGMA application_id={}; PRAGMA user_version={}",
                                          kSqliteApplicationId, kSqliteFormat);
  if (Result<void> marked = connection.execute(pragmas.c_str()); !marked) return marked;
  if (Result<void> marked = store_version(connection, "file", kSqliteFormat); !marked)
    return marked;
  return apply_steps(connection, *versions, options);
}

}  // namespace

Result<void> migrate(SqliteConnection& connection, const std::string& path,
                     const StoreOptions& options) {
  Result<std::int64_t> format = connection.number("PRAGMA user_version");
  if (!format) return Unexpected(std::move(format).error());
  if (*format > kSqliteFormat)
    return newer(path, "the file", *format, static_cast<int>(kSqliteFormat));
  Result<Versions> versions = stored_versions(connection);
  if (!versions) return Unexpected(std::move(versions).error());
  if (Result<void> known = check_versions(*versions, path, options); !known) return known;
  if (*format == kSqliteFormat && !has_pending(*versions, options)) return {};
  if (is_worth_a_copy(connection, *versions))
    if (Result<void> copied = copy_beside(connection, path); !copied) return copied;
  if (Result<void> begun = connection.execute("BEGIN IMMEDIATE"); !begun) return begun;
  Result<void> done = migrate_inside(connection, path, options);
  if (done) done = connection.execute("COMMIT");
  if (!done && connection.is_in_transaction()) {
    const Result<void> undone = connection.execute("ROLLBACK");
    if (!undone) done.error().detail += "; " + undone.error().detail;
  }
  return done;
}

}  // namespace alfred
