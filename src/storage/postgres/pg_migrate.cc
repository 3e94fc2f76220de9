#include "storage/postgres/pg_migrate.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "storage/postgres/pg_error.h"
#include "storage/postgres/pg_ops.h"
#include "storage/postgres/portable_sql.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

// Any number that no other program is likely to lock.
constexpr const char* kLock = "SELECT pg_advisory_xact_lock(7021469118)";

PgCommand with(std::string sql, std::string_view first, std::string second = {}) {
  PgCommand command{std::move(sql), {PgParam{std::string(first), 0}}, false};
  if (!second.empty()) command.params.push_back(PgParam{std::move(second), 0});
  return command;
}

Result<PgRows> ask(PgSession& session, const PgCommand& command) {
  PgResult<PgRows> rows = session.run(command);
  if (!rows) return Unexpected(error_of(rows.error(), {.is_write = true}));
  return std::move(*rows);
}

Result<void> run_all(PgSession& session, const std::vector<PgCommand>& commands) {
  PgResult<std::vector<PgRows>> done = session.run(commands);
  if (!done) return Unexpected(error_of(done.error(), {.is_write = true}));
  return {};
}

constexpr const char* kVersions =
    "CREATE TABLE IF NOT EXISTS alfred.alfred_versions "
    "(owner text PRIMARY KEY, version bigint NOT NULL)";

Result<void> begin(PgSession& session) {
  Result<void> begun = run_all(session, {plain_command("BEGIN"), plain_command(kLock)});
  if (!begun) return begun;
  // IF NOT EXISTS asks for the right to create even where it exists.
  Result<PgRows> there = ask(
      session, plain_command("SELECT to_regnamespace('alfred') IS NOT NULL, EXISTS (SELECT 1 FROM "
                             "pg_class WHERE relnamespace = to_regnamespace('alfred') AND relname "
                             "= 'alfred_versions')"));
  if (!there) return Unexpected(std::move(there).error());
  std::vector<PgCommand> first;
  if (!there->is_true(0, 0)) first.push_back(plain_command("CREATE SCHEMA alfred"));
  if (!there->is_true(0, 1)) {
    for (std::string& step : ops_ddl(true)) first.push_back(plain_command(std::move(step)));
    first.push_back(plain_command(kVersions));
  }
  return first.empty() ? Result<void>() : run_all(session, first);
}

Result<int> version_of(PgSession& session, std::string_view owner) {
  Result<PgRows> rows =
      ask(session, with("SELECT version FROM alfred.alfred_versions WHERE owner = $1", owner));
  if (!rows) return Unexpected(std::move(rows).error());
  return rows->size() == 0 ? 0 : std::stoi(rows->text(0, 0));
}

PgCommand store_version(std::string_view owner, int version) {
  return with(
      "INSERT INTO alfred.alfred_versions (owner, version) VALUES ($1, $2) "
      "ON CONFLICT (owner) DO UPDATE SET version = excluded.version",
      owner, std::to_string(version));
}

Unexpected newer(std::string_view what, int has, int knows) {
  return fail(ErrorCode::newer_schema,
              fmt::format("The database was written by a newer version of this program: {} is at "
                          "version {}, and this one knows {}. Use the newer program.",
                          what, has, knows));
}

Result<void> migrate_one(PgSession& session, const StateTables& tables) {
  Result<int> have = version_of(session, tables.owner);
  if (!have) return Unexpected(std::move(have).error());
  const int newest = tables.newest_version();
  if (*have > newest) return newer(tables.owner, *have, newest);
  if (*have == newest) return {};
  std::vector<PgCommand> steps{plain_command("SET LOCAL search_path = alfred")};
  for (const Statement& step : tables.steps_from(*have))
    steps.push_back(plain_command(postgres_ddl(step.text())));
  steps.push_back(store_version(tables.owner, newest));
  return run_all(session, steps);
}

Result<void> in_one_transaction(PgSession& session, Result<void> done) {
  if (done) return run_all(session, {plain_command("COMMIT")});
  (void)session.run(plain_command("ROLLBACK"));
  return done;
}

// A script has several statements, which the extended protocol does not take.
Result<void> install_pack(PgSession& session, const PackTables& pack) {
  const std::string owner = "pack:" + pack.name;
  Result<int> have = version_of(session, owner);
  if (!have) return Unexpected(std::move(have).error());
  if (*have > pack.version) return newer(owner, *have, pack.version);
  if (*have == pack.version) return {};
  Result<void> path =
      run_all(session, {with("SELECT set_config('search_path', $1, true)", session.search_path())});
  if (!path) return path;
  const PgResult<void> made =
      session.run_script(postgres_ddl(pack.sql) + ";\n" + row_security_ddl(pack));
  if (!made) return Unexpected(error_of(made.error(), {.is_write = true}));
  return run_all(session, {store_version(owner, pack.version)});
}

}  // namespace

Result<void> migrate(PgSession& session, const StoreOptions& options) {
  Result<void> done = begin(session);
  for (const StateTables& one : options.tables)
    if (done) done = migrate_one(session, one);
  for (const PackTables& pack : options.packs)
    if (done) done = install_pack(session, pack);
  return in_one_transaction(session, std::move(done));
}

Result<void> add_op_table(PgSession& session) {
  std::vector<PgCommand> steps{plain_command("BEGIN"), plain_command(kLock)};
  for (std::string& step : ops_ddl(false)) steps.push_back(plain_command(std::move(step)));
  return in_one_transaction(session, run_all(session, steps));
}

Result<int> installed_version(PgSession& session, std::string_view pack) {
  // Asked of the catalogue first: a table that may not be read would be an error.
  const Result<PgRows> there =
      ask(session, plain_command("SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON "
                                 "n.oid = c.relnamespace WHERE n.nspname = 'alfred' AND c.relname "
                                 "= 'alfred_versions' AND has_schema_privilege(n.oid, 'USAGE') AND "
                                 "has_table_privilege(c.oid, 'SELECT'))"));
  if (!there) return Unexpected(there.error());
  return there->is_true(0, 0) ? version_of(session, "pack:" + std::string(pack)) : 0;
}

std::string row_security_ddl(const PackTables& pack) {
  std::string out;
  for (const auto& [table, owner] : pack.owners) {
    // A setting that was never made is null, one that was taken back is empty.
    const std::string is_own =
        fmt::format("{}::text = nullif(current_setting('app.tenant', true), '')", sql_name(owner));
    out += fmt::format(
        "ALTER TABLE {0} ENABLE ROW LEVEL SECURITY;\n"
        "ALTER TABLE {0} FORCE ROW LEVEL SECURITY;\n"
        "DROP POLICY IF EXISTS alfred_owner ON {0};\n"
        "CREATE POLICY alfred_owner ON {0} USING ({1}) WITH CHECK ({1});\n",
        table_name_sql(Dialect::postgres, table), is_own);
  }
  return out;
}

}  // namespace alfred
