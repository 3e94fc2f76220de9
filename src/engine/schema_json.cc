#include "engine/schema_json.h"

#include "base/json/json.h"

namespace alfred {
namespace {

Json column_json(const Schema& schema, const Table& table, const Field& field) {
  JsonObject out;
  out["name"] = field.name;
  const Table* target = field.link ? schema.find(field.link->table) : nullptr;
  if (table.key.size() == 1 && table.is_key(field.name))
    out["type"] = "ref " + table.ref;
  else if (target != nullptr)
    out["type"] = "ref " + target->ref;
  else
    out["type"] = field_type_name(field.type);
  if (!field.enum_values.empty())
    out["values"] = JsonArray(field.enum_values.begin(), field.enum_values.end());
  const bool is_own_key = table.is_key(field.name) && table.key_source != KeySource::caller;
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
    return fail(ErrorCode::table, "There is no such table here.", "table", std::move(names));
  }
  JsonObject out{{"tables", std::move(tables)}};
  if (schema.tables().empty()) out["hint"] = "this database has no tables yet";
  return write_json(out);
}

}  // namespace alfred
