// What PostgreSQL does by itself when rows go or change (store.h, acting_links). It does that as
// the owner of the other table and past row-level security, so rows may go that nobody here sees;
// the server's own count of what the transaction touched tells of them.
#include <charconv>

#include "storage/postgres/pg_text.h"
#include "storage/postgres/pg_tx.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

// A part of a partitioned table has the table's constraints once more.
constexpr const char* kLinksThatAct = R"(
SELECT c.oid, CASE WHEN n.nspname = current_schema() THEN c.relname
                   ELSE n.nspname || '.' || c.relname END,
       ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num ORDER BY u.place),
       ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num ORDER BY u.place),
       has_schema_privilege(n.oid, 'USAGE') AND (SELECT bool_and(
         has_column_privilege(c.oid, u.num, 'SELECT')) FROM unnest(k.conkey) AS u(num)),
       NOT row_security_active(c.oid), k.confdeltype IN ('c', 'n', 'd'),
       k.confupdtype IN ('c', 'n', 'd')
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE k.contype = 'f' AND k.conparentid = 0 AND k.confrelid = to_regclass($1)
  AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd'))
ORDER BY 2, k.conname)";

constexpr const char* kTouchedRows = R"(
SELECT current_setting('track_counts') = 'on', sum(pg_stat_get_xact_tuples_deleted(o.id)
       + pg_stat_get_xact_tuples_updated(o.id))::bigint
FROM (SELECT $1::oid AS id UNION SELECT relid FROM pg_partition_tree($1::oid)) AS o)";

std::vector<std::string> column_names(const std::string& array) {
  std::vector<std::string> out;
  for (std::optional<std::string>& one : array_elements(array))
    if (one) out.push_back(std::move(*one));
  return out;
}

Result<std::uint64_t> count_at(const PgRows& rows, std::size_t column) {
  std::uint64_t number = 0;
  const std::string text = rows.size() == 1 ? rows.text(0, column) : "";
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc() && end == text.data() + text.size()) return number;
  return fail(ErrorCode::bug, "A count of rows is no number.");
}

}  // namespace

Result<std::vector<ActingLink>> PgTx::acting_links(const Table& table) {
  use_path(false);
  Result<PgRows> rows =
      send({kLinksThatAct, {PgParam{table_name_sql(Dialect::postgres, table.name)}}, true}, &table);
  if (!rows) return Unexpected(std::move(rows).error());
  std::vector<ActingLink> links;
  for (std::size_t at = 0; at < rows->size(); ++at)
    links.push_back({.table = rows->text(at, 1),
                     .columns = column_names(rows->text(at, 2)),
                     .target_columns = column_names(rows->text(at, 3)),
                     .acts_on_delete = rows->is_true(at, 6),
                     .acts_on_update = rows->is_true(at, 7),
                     .table_id = rows->text(at, 0),
                     .is_readable = rows->is_true(at, 4),
                     .shows_all_rows = rows->is_true(at, 5)});
  return links;
}

Result<std::uint64_t> PgTx::count_acted_on(const ActingLink& link, const DeleteRows& going,
                                           const SelectRows* among) {
  const Result<BuiltSql> built = acted_on_sql(Dialect::postgres, caller_, link, going, among);
  if (!built) return Unexpected(built.error());
  use_path(false);
  const Result<PgRows> rows = send(command_of(*built), going.table);
  if (!rows) return Unexpected(rows.error());
  return count_at(*rows, 0);
}

Result<std::optional<std::uint64_t>> PgTx::touched_so_far(const ActingLink& link) {
  const Result<PgRows> rows = send({kTouchedRows, {PgParam{link.table_id}}, true});
  if (!rows) return Unexpected(rows.error());
  if (rows->size() != 1 || !rows->is_true(0, 0)) return std::optional<std::uint64_t>();
  const Result<std::uint64_t> number = count_at(*rows, 1);
  if (!number) return Unexpected(number.error());
  return std::optional<std::uint64_t>(*number);
}

}  // namespace alfred
