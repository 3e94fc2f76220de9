#include "storage/scratch_database.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "storage/postgres/pg_error.h"
#include "storage/postgres/pg_session.h"
#include "storage/sqlite/connection.h"

namespace alfred {
namespace {

using Mode = ConnectionOptions::Mode;

std::string sql_quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) out.append(c == quote ? 2 : 1, c);
  return out + quote;
}

Result<std::unique_ptr<SqliteConnection>> open_sqlite(const std::string& path, Mode mode) {
  ConnectionOptions options;
  options.path = path;
  options.mode = mode;
  return SqliteConnection::open(options);
}

Result<std::unique_ptr<PgSession>> open_postgres(const std::string& url,
                                                 const std::string& identity) {
  PgResult<std::unique_ptr<PgSession>> session = PgSession::open(url);
  if (!session) return Unexpected(unreachable(session.error(), identity));
  return std::move(*session);
}

Unexpected not_copied(const std::string& why) {
  Unexpected out = fail(ErrorCode::storage,
                        "The database cannot be copied: on PostgreSQL the login must be allowed to "
                        "make databases, and nobody else may be connected to this one.",
                        "--db");
  out.value().detail = why;
  return out;
}

Unexpected refused(const std::string& why) {
  return fail(ErrorCode::query, "The database refuses this SQL: " + why);
}

// A name of lower-case letters.
std::string scratch_name(Random& random) {
  std::string name = "alfred_scratch_";
  for (std::uint64_t left = random.next_u64(); left > 0; left /= 26)
    name += static_cast<char>('a' + left % 26);
  return name;
}

}  // namespace

Result<std::unique_ptr<ScratchDatabase>> ScratchDatabase::copy_of(const DatabaseUrl& original,
                                                                  const std::string& folder,
                                                                  Random& random) {
  std::unique_ptr<ScratchDatabase> out(new ScratchDatabase);
  const std::string name = scratch_name(random);
  if (original.kind == DatabaseUrl::Kind::sqlite) {
    const auto connection = open_sqlite(original.target, Mode::read);
    if (!connection) return Unexpected(connection.error());
    const std::string file = folder + "/" + name + ".db";
    const std::string copy = "VACUUM INTO " + sql_quoted(file, '\'');
    if (Result<void> done = (*connection)->execute(copy.c_str()); !done)
      return Unexpected(done.error());
    out->file_ = file;
    out->url_ = "sqlite:" + file;
    return out;
  }
  const auto session = open_postgres(original.target, original.identity);
  if (!session) return Unexpected(session.error());
  const auto here = (*session)->run(plain_command("SELECT current_database()"));
  if (!here) return not_copied(here.error().message);
  const std::string copy =
      fmt::format("CREATE DATABASE {} TEMPLATE {}", name, sql_quoted(here->text(0, 0), '"'));
  if (const auto made = (*session)->run(plain_command(copy)); !made)
    return not_copied(made.error().message);
  out->original_ = original.target;
  out->name_ = name;
  // Of two names of a database libpq takes the later one.
  const bool has_options = original.target.find('?') != std::string::npos;
  out->url_ = original.target + (has_options ? "&" : "?") + "dbname=" + name;
  return out;
}

ScratchDatabase::~ScratchDatabase() {
  std::error_code failure;
  for (const char* more : {"", "-wal", "-shm", "-journal"})
    if (!file_.empty()) std::filesystem::remove(file_ + more, failure);
  if (name_.empty()) return;
  const PgResult<std::unique_ptr<PgSession>> session = PgSession::open(original_);
  // A server that is gone keeps it; nobody is left who could be told.
  if (session) (void)(*session)->run(plain_command("DROP DATABASE " + name_ + " WITH (FORCE)"));
}

Result<void> run_sql(const DatabaseUrl& url, const std::string& sql) {
  if (url.kind == DatabaseUrl::Kind::sqlite) {
    const auto connection = open_sqlite(url.target, Mode::write);
    if (!connection) return Unexpected(connection.error());
    if (Result<void> off = (*connection)->execute("PRAGMA foreign_keys = OFF"); !off) return off;
    const Result<void> done = (*connection)->execute(sql.c_str());
    if (!done) return refused(done.error().detail);
    return {};
  }
  const auto session = open_postgres(url.target, url.identity);
  if (!session) return Unexpected(session.error());
  (void)(*session)->run(plain_command("SET session_replication_role = replica"));
  if (const auto done = (*session)->run_script(sql); !done) return refused(done.error().message);
  return {};
}

}  // namespace alfred
