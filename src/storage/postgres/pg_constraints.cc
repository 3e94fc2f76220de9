#include "storage/postgres/pg_constraints.h"

#include <utility>

#include "storage/postgres/pg_text.h"

namespace alfred {
namespace {

constexpr const char* kConstraints = R"(
SELECT n.nspname, c.relname, k.conname,
       ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.num ORDER BY u.place)
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
UNION ALL
SELECT n.nspname, c.relname, i.relname,
       ARRAY(SELECT a.attname::text FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.num ORDER BY u.place)
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE x.indisunique AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.oid))";

}  // namespace

void PgConstraints::load() {
  Result<std::unique_ptr<PgSession>> session = pool_.connect_once();
  if (!session) return;
  const PgResult<PgRows> rows = (*session)->run(PgCommand{kConstraints, {}, false});
  if (!rows) return;
  columns_.clear();
  for (std::size_t at = 0; at < rows->size(); ++at) {
    std::vector<std::string> columns;
    for (std::optional<std::string>& one : array_elements(rows->text(at, 3)))
      if (one) columns.push_back(std::move(*one));
    columns_[{rows->text(at, 0), rows->text(at, 1), rows->text(at, 2)}] = std::move(columns);
  }
}

std::vector<std::string> PgConstraints::columns_of(const PgFault& fault) {
  if (!fault.column.empty()) return {fault.column};
  if (fault.constraint.empty()) return {};
  const Name name{fault.schema, fault.table, fault.constraint};
  const std::scoped_lock lock(mutex_);
  if (!columns_.contains(name)) load();
  const auto found = columns_.find(name);
  return found == columns_.end() ? std::vector<std::string>() : found->second;
}

}  // namespace alfred
