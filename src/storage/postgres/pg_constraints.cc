#include "storage/postgres/pg_constraints.h"

#include <utility>

#include "storage/postgres/pg_text.h"

namespace alfred {
namespace {

constexpr const char* kConstraints = R"(
SELECT n.nspname, c.relname, k.conname,
       ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.num ORDER BY u.place),
       CASE WHEN k.contype = 'c' THEN coalesce(pg_get_expr(k.conbin, k.conrelid), '') ELSE '' END
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
UNION ALL
SELECT n.nspname, c.relname, i.relname,
       ARRAY(SELECT a.attname::text FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.num ORDER BY u.place), ''
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE x.indisunique AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.oid))";

}  // namespace

void PgConstraints::load() {
  Result<std::unique_ptr<PgSession>> session = pool_.connect_once();
  if (!session) return;
  const PgResult<PgRows> rows = (*session)->run(PgCommand{kConstraints, {}, false});
  if (!rows) return;
  known_.clear();
  for (std::size_t at = 0; at < rows->size(); ++at) {
    Constraint one{.rule = rows->text(at, 4)};
    for (std::optional<std::string>& column : array_elements(rows->text(at, 3)))
      if (column) one.columns.push_back(std::move(*column));
    known_[{rows->text(at, 0), rows->text(at, 1), rows->text(at, 2)}] = std::move(one);
  }
}

PgConstraints::Constraint PgConstraints::find(const PgFault& fault) {
  if (fault.constraint.empty()) return {};
  const Name name{fault.schema, fault.table, fault.constraint};
  const std::scoped_lock lock(mutex_);
  if (!known_.contains(name)) load();
  const auto found = known_.find(name);
  return found == known_.end() ? Constraint() : found->second;
}

std::vector<std::string> PgConstraints::columns_of(const PgFault& fault) {
  if (!fault.column.empty()) return {fault.column};
  return find(fault).columns;
}

std::string PgConstraints::rule_of(const PgFault& fault) {
  return fault.state == "23514" ? find(fault).rule : std::string();
}

}  // namespace alfred
