#include <fmt/format.h>

#include <algorithm>

#include "base/not_listed.h"
#include "pack/check.h"
#include "pack/load/check_shown.h"
#include "pack/overlay.h"
#include "pack/seed_rows.h"

namespace alfred {
namespace {

Unexpected wrong(const std::string& place, std::string message,
                 std::vector<std::string> allowed = {}) {
  return fail_listing(ErrorCode::pack, std::move(message), place, std::move(allowed));
}

Result<void> has_column(const Table& table, const std::string& column, const std::string& place) {
  if (table.find(column) != nullptr) return {};
  std::vector<std::string> names;
  for (const Field& field : table.fields)
    if (!field.is_hidden) names.push_back(field.name);
  return wrong(place, fmt::format("\"{}\" has no column \"{}\".", table.name, column), names);
}

Result<void> check_columns(const ColumnRules& rules, const Table& table, const std::string& place) {
  std::vector<std::string> columns;
  columns.reserve(rules.renames.size() + rules.coercions.size() + rules.defaults.size());
  for (const auto& [field, column] : rules.renames) columns.push_back(column);
  for (const auto& [column, coercion] : rules.coercions) columns.push_back(column);
  for (const auto& [column, value] : rules.defaults) columns.push_back(column);
  for (const std::string& column : columns)
    if (Result<void> ok = has_column(table, column, place); !ok) return ok;
  return {};
}

Result<void> check_compile(const PackEntity& entity, const Schema& schema) {
  const auto at = entity.places.find("compile");
  if (at == entity.places.end()) return {};
  const std::string& place = at->second;
  if (Result<void> ok = check_columns(entity.compile.columns, *schema.find(entity.table), place);
      !ok)
    return ok;
  for (const LinkedRules& linked : entity.compile.linked) {
    const Table& child = *schema.find(linked.table);
    if (Result<void> ok = check_columns(linked.columns, child, place); !ok) return ok;
    for (const std::string& column :
         {linked.text_column, linked.quantity_column, linked.unit_column, linked.notes_column})
      if (!column.empty())
        if (Result<void> ok = has_column(child, column, place); !ok) return ok;
    const Field* back = child.find(linked.column);
    if (back == nullptr || !back->link || back->link->table != entity.table)
      return wrong(place, fmt::format("\"{}\" of \"{}\" does not lead to \"{}\".", linked.column,
                                      linked.table, entity.table));
  }
  return {};
}

Result<void> check_scopes(const Pack& pack, const Schema& schema) {
  for (const Subdomain& subdomain : pack.subdomains)
    for (const auto& [word, conditions] : subdomain.scopes)
      for (const auto& [column, value] : conditions)
        if (Result<void> ok =
                has_column(*schema.find(subdomain.tables.front()), column, subdomain.place);
            !ok)
          return ok;
  return {};
}

// What the type of a field takes, as far as a file can break it.
bool fits(const Field& field, const Json& value) {
  switch (field.type) {
    case FieldType::text:
    case FieldType::uuid: return value.is_string();
    case FieldType::integer: return value.is_int64();
    case FieldType::number: return value.is_number();
    case FieldType::boolean: return value.is_bool();
    case FieldType::list: {
      if (!value.is_array()) return false;
      const auto& elements = value.get_array();
      return std::all_of(elements.begin(), elements.end(),
                         [](const Json& element) { return element.is_string(); });
    }
    case FieldType::json: return true;
    default: return false;  // days are no Json, and bytes are not written
  }
}

bool is_value(const Field& field, const Json& value) {
  if (field.enum_values.empty()) return true;
  const auto is_known = [&](const Json& word) {
    return word.is_string() &&
           std::find(field.enum_values.begin(), field.enum_values.end(),
                     std::string_view(word.get_string())) != field.enum_values.end();
  };
  if (!value.is_array()) return is_known(value);
  return std::all_of(value.get_array().begin(), value.get_array().end(), is_known);
}

bool is_filled(const Table& table, const Field& field) {
  return field.is_nullable || field.has_default || field.default_value ||
         table.is_key(field.name) || field.name == table.owner || field.name == table.created_at ||
         field.name == table.updated_at;
}

Result<void> check_row(const SeedRow& row, const Table& table) {
  for (const auto& [column, value] : row.values) {
    const Field& field = *table.find(column);
    const Json* json = std::get_if<Json>(&value);
    if (json == nullptr) continue;
    const bool is_null = json->is_null();
    if (is_null ? !field.is_nullable : field.link || !fits(field, *json))
      return wrong(row.place,
                   fmt::format("\"{}\" holds {}; {} does not fit.", column,
                               field.link ? "the name of a row" : field_type_name(field.type),
                               write_json(*json)));
    if (!is_null && !is_value(field, *json))
      return wrong(row.place, fmt::format("\"{}\" cannot be {}.", column, write_json(*json)),
                   field.enum_values);
  }
  for (const Field& field : table.fields) {
    const bool is_given = std::any_of(row.values.begin(), row.values.end(),
                                      [&](const auto& cell) { return cell.first == field.name; });
    if (!is_given && !is_filled(table, field))
      return wrong(row.place, fmt::format("\"{}\" is required and missing.", field.name));
  }
  return {};
}

Result<std::size_t> check_rows(const Result<std::vector<SeedRow>>& rows, const Schema& schema) {
  if (!rows) return Unexpected(rows.error());
  for (const SeedRow& row : *rows)
    if (Result<void> ok = check_row(row, *schema.find(row.table)); !ok)
      return Unexpected(ok.error());
  return rows->size();
}

}  // namespace

Result<PackSummary> check_against(const Pack& pack, const Catalogue& catalogue) {
  const Result<Schema> schema = overlay(pack, catalogue);
  if (!schema) return Unexpected(schema.error());
  for (const PackEntity& entity : pack.entities)
    if (Result<void> ok = check_compile(entity, *schema); !ok) return Unexpected(ok.error());
  if (Result<void> ok = check_scopes(pack, *schema); !ok) return Unexpected(ok.error());
  if (Result<void> ok = check_shown(pack, *schema); !ok) return Unexpected(ok.error());
  const Result<std::size_t> rows = check_rows(load_seed_rows(pack, *schema), *schema);
  if (!rows) return Unexpected(rows.error());
  const Result<std::size_t> demo = check_rows(load_demo(pack, *schema), *schema);
  if (!demo) return Unexpected(demo.error());
  return PackSummary{schema->tables().size(), *rows, *demo};
}

}  // namespace alfred
