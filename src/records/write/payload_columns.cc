#include "records/write/payload_columns.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "pack/derive/declared_type.h"

namespace alfred {
namespace {

const Relation* relation_of(const Table& table, std::string_view member) {
  const auto found = std::find_if(table.relations.begin(), table.relations.end(),
                                  [&](const Relation& one) { return one.member == member; });
  return found == table.relations.end() ? nullptr : &*found;
}

bool is_not_granted(const Field& field, bool is_new) {
  return is_new ? !field.may_insert : !field.may_update;
}

bool is_system_column(const Table& table, const Field& field, bool is_new) {
  if (field.is_read_only || field.name == table.owner || is_not_granted(field, is_new)) return true;
  if (field.name == table.created_at || field.name == table.updated_at) return true;
  return table.is_key(field.name) && (!is_new || table.key_source != KeySource::caller);
}

// Precondition: is_system_column, or a name of ours (null).
std::string_view why_closed(const Table& table, const Field* field, bool is_new) {
  if (field != nullptr && field->type == FieldType::bytes)
    return "holds bytes, which are only read here";
  const bool is_given = field != nullptr && table.is_key(field->name) && !field->is_read_only &&
                        table.key_source == KeySource::caller;
  if (is_given) return "is part of the row's key, which does not change once the row is there";
  const bool is_of_odd_type = field != nullptr && field->is_read_only &&
                              read_declared_type(field->database_type).is_read_only;
  if (is_of_odd_type) return "is of a type that is only read here";
  if (field != nullptr && is_not_granted(*field, is_new))
    return is_new ? "is not written: the database's login has no INSERT on it"
                  : "is not written: the database's login has no UPDATE on it";
  return "is set by the system and is not written";
}

// Nobody can give a value for a column that is hidden or read-only.
bool is_filled_here(const Table& table, const Field& field) {
  const bool is_closed = field.is_hidden || is_system_column(table, field, true);
  const bool is_set_later = table.is_key(field.name) || field.name == table.owner ||
                            field.name == table.created_at || field.name == table.updated_at;
  return !is_closed || (field.default_value.has_value() && field.may_insert && !is_set_later);
}

const Field* zone_column(const Table& table, const Field& field) {
  if (field.type != FieldType::instant) return nullptr;
  const Field* const zone = table.find(field.name + "_zone");
  return zone != nullptr && zone->type == FieldType::text && !zone->is_hidden ? zone : nullptr;
}

}  // namespace

PayloadColumns payload_columns(const Table& table) {
  PayloadColumns out;
  out.columns.reserve(table.fields.size());
  for (const Field& field : table.fields) {
    const bool is_plain = !field.link && !table.is_key(field.name) && field.enum_values.empty();
    out.columns.push_back({is_filled_here(table, field),
                           !field.is_hidden && !is_system_column(table, field, true),
                           zone_column(table, field), is_plain && field.type == FieldType::text,
                           is_plain && field.type == FieldType::number});
  }
  out.item = item_member(table);
  return out;
}

std::string_view item_member(const Table& table) {
  return table.find("ref") == nullptr ? "ref" : "_ref";
}

std::vector<std::string> writable_columns(const Table& table, bool is_new) {
  std::vector<std::string> names;
  for (const Field& field : table.fields)
    if (!field.is_hidden && !is_system_column(table, field, is_new)) names.push_back(field.name);
  if (is_new)
    for (const Relation& relation : table.relations) names.push_back(relation.member);
  return names;
}

Result<void> check_payload_member(const Table& table, std::string_view name, bool is_new,
                                  const std::string& path) {
  const Field* const field = table.find(name);
  const bool is_ours = field == nullptr && (name == "id" || name == "_ref" || name == "version");
  if (is_ours || (field != nullptr && (!field->is_hidden || name == table.owner))) {
    if (!is_ours && !is_system_column(table, *field, is_new)) return {};
    return fail_listing(ErrorCode::column_readonly,
                        fmt::format("{} {}. Leave it out.", name, why_closed(table, field, is_new)),
                        path, writable_columns(table, is_new));
  }
  const Relation* const relation = relation_of(table, name);
  if (relation != nullptr && is_new) return {};
  if (relation != nullptr)
    return fail_listing(ErrorCode::column,
                        fmt::format("{} holds rows of {}; change those by calls on {} itself.",
                                    name, relation->table, relation->table),
                        path, writable_columns(table, is_new));
  return fail_listing(
      ErrorCode::column,
      fmt::format("{} has no column {}. Use one it has.", table.name, quoted_text(name)), path,
      writable_columns(table, is_new));
}

}  // namespace alfred
