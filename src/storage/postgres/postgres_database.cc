#include "storage/postgres/postgres_database.h"

#include <utility>

#include "storage/postgres/pg_catalogue.h"
#include "storage/postgres/pg_migrate.h"
#include "storage/postgres/pg_query.h"

namespace alfred {

PostgresDatabase::PostgresDatabase(const DatabaseUrl& url, const StoreOptions& options)
    : pool_({url.target, url.identity, options.pool, options.busy_timeout_ms}),
      constraints_(pool_),
      context_{pool_, constraints_, options.is_ours, options.statement_timeout_ms,
               options.busy_timeout_ms},
      keeps_ops_(options.is_ours || options.allows_op_table),
      kept_ops_(options.ops) {}

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::open(const DatabaseUrl& url,
                                                                 const StoreOptions& options) {
  std::unique_ptr<PostgresDatabase> database(new PostgresDatabase(url, options));
  if (Result<void> ready = database->prepare(options); !ready)
    return Unexpected(std::move(ready).error());
  return database;
}

Result<int> PostgresDatabase::installed_version(const DatabaseUrl& url, std::string_view pack) {
  PgPool pool({url.target, url.identity, 1, 0});
  const Result<std::unique_ptr<PgSession>> session = pool.connect_once();
  if (!session) return Unexpected(session.error());
  return alfred::installed_version(**session, pack);
}

Result<void> PostgresDatabase::prepare(const StoreOptions& options) {
  Result<std::unique_ptr<PgSession>> session = pool_.connect_once();
  if (!session) return Unexpected(std::move(session).error());
  if (options.is_ours) return migrate(**session, options);
  if (options.allows_op_table) return add_op_table(**session);
  return {};
}

Result<void> PostgresDatabase::read(const Caller& caller, const ReadFn& closure) {
  Result<PgLease> lease = pool_.lend();
  if (!lease) return Unexpected(std::move(lease).error());
  PgTx tx(context_, std::move(*lease), caller, PgTx::Mode::read);
  return closure(tx);
}

Result<std::optional<KeptOp>> PostgresDatabase::find(std::string_view op) {
  if (!keeps_ops_) return std::nullopt;
  Result<PgLease> lease = pool_.lend();
  if (!lease) return Unexpected(std::move(lease).error());
  PgTx tx(context_, std::move(*lease), {}, PgTx::Mode::read);
  Result<PgRows> rows = tx.send(find_op(context_.is_ours, op));
  if (!rows) return Unexpected(std::move(rows).error());
  return kept_op(*rows);
}

Result<std::optional<std::string>> PostgresDatabase::answer_of(OpId op) {
  Result<std::optional<KeptOp>> kept = find(op.view());
  if (!kept) return Unexpected(std::move(kept).error());
  if (!*kept) return std::nullopt;
  return std::move((*kept)->answer);
}

Result<Catalogue> PostgresDatabase::catalogue() {
  Result<PgLease> lease = pool_.lend();
  if (!lease) return Unexpected(std::move(lease).error());
  PgTx tx(context_, std::move(*lease), {}, PgTx::Mode::read);
  return read_catalogue(tx);
}

Result<QueryRows> PostgresDatabase::query(const Caller& caller, std::string_view sql,
                                          std::span<const Table* const> tables,
                                          std::size_t max_rows) {
  Result<PgLease> lease = pool_.lend();
  if (!lease) return Unexpected(std::move(lease).error());
  PgTx tx(context_, std::move(*lease), caller, PgTx::Mode::read);
  return run_query(tx, {caller, sql, tables, max_rows});
}

}  // namespace alfred
