// What SQLite does by itself when rows go or change (store.h, acting_links).
#include <sqlite3.h>

#include "storage/sqlite/tx.h"

namespace alfred {

Result<std::uint64_t> SqliteTx::number_of(const Result<BuiltSql>& built, const Table& table) {
  if (Result<void> may = check(); !may) return Unexpected(may.error());
  Result<LentStatement> statement = start(built);
  if (!statement) return Unexpected(std::move(statement).error());
  const Result<bool> has_row = statement->step(&table);
  if (!has_row) return failed(has_row.error());
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement->get(), 0));
}

Result<std::vector<ActingLink>> SqliteTx::acting_links(const Table& table) {
  if (Result<void> may = check(); !may) return Unexpected(may.error());
  Result<const std::vector<ActingLink>*> links = connection_.links_that_act_on(table.name);
  if (!links) return failed(std::move(links).error());
  return **links;
}

Result<std::uint64_t> SqliteTx::count_acted_on(const ActingLink& link, const DeleteRows& going,
                                               const SelectRows* among) {
  return number_of(acted_on_sql(Dialect::sqlite, caller_, link, going, among), *going.table);
}

}  // namespace alfred
