#include "engine/schema_json.h"

#include "base/json/json.h"
#include "base/not_listed.h"

namespace alfred {
namespace {

Json column_json(const Schema& schema, const Table& table, const Field& field) {
  JsonObject out;
  out["name"] = field.name;
  const Table* target = field.link ? schema.find(field.link->table) : nullptr;
  const bool is_key = table.is_key(field.name);
  const bool is_own_key = is_key && table.key_source != KeySource::caller;
  const bool is_ref = table.key.size() == 1 && is_key && target == nullptr;
  if (target != nullptr)
    out["type"] = "ref " + target->ref;
  else if (is_ref && (is_own_key || table.is_read_only))
    out["type"] = "ref " + table.ref;
  else
    out["type"] = field_type_name(field.type);
  if (is_key && !is_own_key && !table.is_read_only) {
    out["key"] = true;
    if (is_ref) out["shown_as"] = "ref " + table.ref;
  }
  // What a link or a key may be is other rows' keys.
  if (!field.enum_values.empty() && target == nullptr && !is_ref)
    out["values"] = JsonArray(field.enum_values.begin(), field.enum_values.end());
  if (field.is_read_only || is_own_key || table.is_read_only)
    out["read_only"] = true;
  else if (!field.is_nullable && !field.has_default && !field.default_value)
    out["required"] = true;
  return out;
}

Json table_json(const Schema& schema, const Table& table) {
  JsonObject out;
  out["table"] = table.name;
  if (!table.key.empty()) out["ref"] = table.ref;
  if (!table.label.empty()) out["label"] = table.label;
  if (table.is_read_only) out["read_only"] = true;
  JsonArray columns;
  for (const Field& field : table.fields)
    if (!field.is_hidden) columns.push_back(column_json(schema, table, field));
  out["columns"] = std::move(columns);
  JsonArray nested;
  for (const Relation& relation : table.relations)
    nested.push_back(JsonObject{{"member", relation.member}, {"table", relation.table}});
  if (!nested.empty()) out["nested"] = std::move(nested);
  return out;
}

}  // namespace

Result<std::string> schema_json(const Schema& schema, std::string_view table) {
  JsonArray tables;
  for (const Table& one : schema.tables())
    if (table.empty() || one.name == table) tables.push_back(table_json(schema, one));
  if (!table.empty() && tables.empty()) {
    std::vector<std::string> names;
    for (const Table& one : schema.tables())
      if (names.size() < 10) names.push_back(one.name);
    std::string message =
        with_not_listed("There is no such table here.", names.size(), schema.tables().size());
    return fail(ErrorCode::table, std::move(message), "table", std::move(names));
  }
  JsonObject out{{"tables", std::move(tables)}};
  if (schema.tables().empty()) out["hint"] = "this database has no tables yet";
  return write_json(out);
}

}  // namespace alfred
