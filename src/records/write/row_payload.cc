#include "records/write/row_payload.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "base/time_zone.h"
#include "records/field_value.h"
#include "records/record_keys.h"
#include "refs/literal_mask.h"

namespace alfred {
namespace {

constexpr std::size_t kMostAllowed = 10;

const Relation* relation_of(const Table& table, std::string_view member) {
  const auto found = std::find_if(table.relations.begin(), table.relations.end(),
                                  [&](const Relation& one) { return one.member == member; });
  return found == table.relations.end() ? nullptr : &*found;
}

bool is_system_column(const Table& table, const Field& field, bool is_new) {
  if (field.is_read_only || field.name == table.owner) return true;
  if (field.name == table.created_at || field.name == table.updated_at) return true;
  return table.is_key(field.name) && (!is_new || table.key_source != KeySource::caller);
}

// Whether the caller or a default of ours says what a new row has in the column. Nobody can give a
// value for one that is hidden or read-only.
bool is_filled_here(const Table& table, const Field& field) {
  const bool is_closed = field.is_hidden || is_system_column(table, field, true);
  const bool is_set_later = table.is_key(field.name) || field.name == table.owner ||
                            field.name == table.created_at || field.name == table.updated_at;
  return !is_closed || (field.default_value.has_value() && !is_set_later);
}

std::vector<std::string> writable_columns(const Table& table, bool is_new) {
  std::vector<std::string> names;
  for (const Field& field : table.fields)
    if (!field.is_hidden && !is_system_column(table, field, is_new)) names.push_back(field.name);
  if (is_new)
    for (const Relation& relation : table.relations) names.push_back(relation.member);
  if (names.size() > kMostAllowed) names.resize(kMostAllowed);
  return names;
}

// Every text of a value with its lit_n replaced.
Result<Json> restored(const RefRegistry& registry, const Json& json) {
  if (json.is_string()) {
    Result<std::string> text = LiteralMask::restore(registry, json.as_string());
    if (!text) return Unexpected(std::move(text).error());
    return Json(*text);
  }
  if (json.is_array()) {
    JsonArray out;
    for (const Json& element : json.as_array()) {
      Result<Json> inner = restored(registry, element);
      if (!inner) return inner;
      out.push_back(std::move(*inner));
    }
    return Json(std::move(out));
  }
  if (!json.is_object()) return json;
  JsonObject out;
  for (const auto& member : json.as_object()) {
    const Result<std::string> name = LiteralMask::restore(registry, member.key());
    Result<Json> inner = restored(registry, member.value());
    if (!inner) return inner;
    out[name ? std::string_view(*name) : std::string_view(member.key())] = std::move(*inner);
  }
  return Json(std::move(out));
}

// Where an instant's zone is kept: the text column beside it that is called as it is and `_zone`.
const Field* zone_column(const Table& table, const Field& field) {
  if (field.type != FieldType::instant) return nullptr;
  const Field* const zone = table.find(field.name + "_zone");
  return zone != nullptr && zone->type == FieldType::text && !zone->is_hidden ? zone : nullptr;
}

// A written instant says its zone too, or that it has none, unless the call itself says (C21).
void add_zones(const Table& table, const JsonObject& object, std::vector<FieldValue>& values) {
  for (const Field& field : table.fields) {
    const Json* const json = object.if_contains(field.name);
    const Field* const zone = json == nullptr ? nullptr : zone_column(table, field);
    if (zone == nullptr || object.contains(zone->name)) continue;
    const std::optional<ZonedTime> zoned =
        json->is_string() ? read_zoned_time(json->as_string()) : std::nullopt;
    std::erase_if(values, [&](const FieldValue& one) { return one.field == zone; });
    values.push_back({zone, zoned ? Value(zoned->zone) : Value()});
  }
}

// Whether a lit_n may stand anywhere in it.
bool may_name_literal(const Json& json) {
  const auto is_in = [](std::string_view text) { return text.find("lit_") != text.npos; };
  if (json.is_string()) return is_in(json.get_string());
  if (json.is_array())
    return std::any_of(json.get_array().begin(), json.get_array().end(), may_name_literal);
  if (!json.is_object()) return false;
  return std::any_of(json.get_object().begin(), json.get_object().end(), [&](const auto& member) {
    return is_in(member.key()) || may_name_literal(member.value());
  });
}

// The error with the place of its row before the column that it names.
Error in_row(Error error, const std::string& path) {
  error.path = path + "." + error.path;
  return error;
}

bool is_generated_ref(std::string_view text) {
  const Result<Ref> ref = Ref::parse(text);
  return ref && ref->is_generated();
}

// Reads the rows of one call.
class PayloadReader {
 public:
  PayloadReader(const RecordContext& context, bool is_new) : context_(context), is_new_(is_new) {}

  // `parent` is the column that the row's parent fills in, with the ref it has.
  struct Parent {
    const Field* link = nullptr;
    std::string ref{};
    bool is_item = false;  // no parent, and a name that need not be a ref
  };
  Result<NewRow> row(const Table& table, const JsonObject& object, const std::string& path,
                     const Parent& parent);
  Result<std::vector<FieldValue>> changes(const Table& table, const JsonObject& object,
                                          const std::string& path);

 private:
  Result<void> check_member(const Table& table, std::string_view name, const std::string& path);
  Result<Value> value(const Field& field, const Json& json, const std::string& path);
  Result<Value> link(const Field& field, const Json& json, const std::string& path);
  Result<std::optional<Value>> column(const Table& table, const Field& field, const Json* json,
                                      const std::string& path);
  Result<void> check_parent(const Parent& parent, const JsonObject& object,
                            const std::string& path);
  Result<NewRow::Nested> nested(const NewRow& parent, const Relation& relation, const Json& json);

  const RecordContext& context_;
  bool is_new_;
};

Result<void> PayloadReader::check_member(const Table& table, std::string_view name,
                                         const std::string& path) {
  const Field* const field = table.find(name);
  const bool is_ours = field == nullptr && (name == "id" || name == "_ref" || name == "version");
  if (is_ours || (field != nullptr && (!field->is_hidden || name == table.owner))) {
    if (!is_ours && !is_system_column(table, *field, is_new_)) return {};
    return fail(ErrorCode::column_readonly,
                fmt::format("{} is set by the system and is not written. Leave it out.", name),
                path, writable_columns(table, is_new_));
  }
  const Relation* const relation = relation_of(table, name);
  if (relation != nullptr && is_new_) return {};
  if (relation != nullptr)
    return fail(ErrorCode::column,
                fmt::format("{} holds rows of {}; change those by calls on {} itself.", name,
                            relation->table, relation->table),
                path, writable_columns(table, is_new_));
  return fail(ErrorCode::column,
              fmt::format("{} has no column {}. Use one it has.", table.name, quoted_text(name)),
              path, writable_columns(table, is_new_));
}

Result<Value> PayloadReader::link(const Field& field, const Json& json, const std::string& path) {
  const Table* const target = context_.schema.find(field.link->table);
  if (target == nullptr) return fail(ErrorCode::bug, "a link leads to no table", path);
  if (!json.is_string())
    return fail(
        ErrorCode::ref_syntax,
        fmt::format("{} takes a ref such as {}_1, as it was shown.", field.name, target->ref), path,
        context_.registry.known_refs(target->ref));
  const Result<EntityNo> entity = context_.registry.resolve(json.as_string(), target->ref);
  if (!entity) {
    Error error = entity.error();
    error.path = path;
    return Unexpected(std::move(error));
  }
  return RecordKeys::link_value(field, RecordKey(context_.registry.key(*entity)));
}

Result<Value> PayloadReader::value(const Field& field, const Json& json, const std::string& path) {
  if (field.link) return link(field, json, path);
  if (!may_name_literal(json)) return read_field_value(field, json, path, context_.limits);
  Result<Json> meant = restored(context_.registry, json);
  if (!meant) {
    Error error = std::move(meant).error();
    error.path = path;
    return Unexpected(std::move(error));
  }
  Result<Value> value = read_field_value(field, *meant, path, context_.limits);
  if (value || *meant == json) return value;
  Result<Value> as_sent = read_field_value(field, json, path, context_.limits);
  if (!as_sent) return as_sent;
  return fail(
      value.error().code,
      fmt::format("{} does not take the text that a lit_ name here stands for.", field.name), path);
}

// What a column gets; nothing when the row leaves it to the database.
Result<std::optional<Value>> PayloadReader::column(const Table& table, const Field& field,
                                                   const Json* json, const std::string& path) {
  const bool needs_value = !field.is_nullable || table.is_key(field.name);
  const bool is_default = json == nullptr && is_new_ && field.default_value.has_value();
  if (is_default) json = &*field.default_value;
  if (json == nullptr || json->is_null()) {
    const bool is_missing = json != nullptr || (is_new_ && !field.has_default);
    if (needs_value && is_missing)
      return fail(ErrorCode::value,
                  fmt::format("{} of {} needs a value; {}.", field.name, table.name,
                              json == nullptr ? "none is given" : "null is none"),
                  path);
    return json == nullptr ? std::optional<Value>() : std::optional(Value());
  }
  Result<Value> got = is_default ? read_field_value(field, *json, path, context_.limits)
                                 : value(field, *json, path);
  if (!got) return Unexpected(std::move(got).error());
  return std::optional(std::move(*got));
}

Result<void> PayloadReader::check_parent(const Parent& parent, const JsonObject& object,
                                         const std::string& path) {
  const Json* const named = object.if_contains(parent.link->name);
  if (named == nullptr || named->is_null()) return {};
  if (named->is_string() && !parent.ref.empty() && named->as_string() == parent.ref) return {};
  return fail(ErrorCode::column_readonly,
              fmt::format("{} of a nested row leads to the row it stands in. Leave it out.",
                          parent.link->name),
              path);
}

Result<NewRow::Nested> PayloadReader::nested(const NewRow& parent, const Relation& relation,
                                             const Json& json) {
  const std::string path = parent.path + "." + relation.member;
  const Table* const table = context_.schema.find(relation.table);
  if (table == nullptr || table->find(relation.column) == nullptr)
    return fail(ErrorCode::bug, "a relation leads to no column", path);
  if (!json.is_array())
    return fail(ErrorCode::schema, fmt::format("{} is a list of rows.", relation.member), path);
  if (json.as_array().size() > context_.limits.nested_rows)
    return fail(ErrorCode::limit,
                fmt::format("A row takes at most {} rows of {}; this one has {}. Write the rest by "
                            "calls on {}.",
                            context_.limits.nested_rows, relation.member, json.as_array().size(),
                            relation.table),
                path);
  NewRow::Nested out{&relation, {}};
  for (const Json& element : json.as_array()) {
    const std::string place = fmt::format("{}[{}]", path, out.rows.size());
    if (!element.is_object()) return fail(ErrorCode::schema, "A row is a JSON object.", place);
    Result<NewRow> child =
        row(*table, element.as_object(), place, {table->find(relation.column), parent.saved_from});
    if (!child) return Unexpected(std::move(child).error());
    out.rows.push_back(std::move(*child));
  }
  return out;
}

Result<NewRow> PayloadReader::row(const Table& table, const JsonObject& object,
                                  const std::string& path, const Parent& parent) {
  NewRow out{&table, path};
  out.values.reserve(table.fields.size());
  const std::string_view item = item_member(table);
  for (const auto& member : object) {
    if (member.key() == item || (parent.link != nullptr && member.key() == parent.link->name))
      continue;
    if (const Result<void> known = check_member(table, member.key(), path); !known)
      return Unexpected(known.error());
  }
  if (const Json* from = object.if_contains(item)) {
    if (!from->is_string())
      return fail(ErrorCode::schema, fmt::format("{} names what the row is made from.", item),
                  path);
    const std::string_view name = from->get_string();
    if (!parent.is_item || is_generated_ref(name)) out.saved_from = name;
  }
  if (parent.link != nullptr)
    if (const Result<void> fits = check_parent(parent, object, path); !fits)
      return Unexpected(fits.error());
  for (const Field& field : table.fields) {
    if (&field == parent.link || !is_filled_here(table, field)) continue;
    Result<std::optional<Value>> got =
        column(table, field, object.if_contains(field.name), field.name);
    if (!got) return Unexpected(in_row(std::move(got).error(), path));
    if (*got) out.values.push_back({&field, std::move(**got)});
  }
  add_zones(table, object, out.values);
  for (const Relation& relation : table.relations) {
    const Json* const rows = object.if_contains(relation.member);
    if (rows == nullptr || rows->is_null() || table.find(relation.member) != nullptr) continue;
    Result<NewRow::Nested> children = nested(out, relation, *rows);
    if (!children) return Unexpected(std::move(children).error());
    out.nested.push_back(std::move(*children));
  }
  return out;
}

Result<std::vector<FieldValue>> PayloadReader::changes(const Table& table, const JsonObject& object,
                                                       const std::string& path) {
  if (object.empty())
    return fail(ErrorCode::value, "An update says what changes; this one is empty.", path,
                writable_columns(table, false));
  for (const auto& member : object)
    if (const Result<void> known = check_member(table, member.key(), path); !known)
      return Unexpected(known.error());
  std::vector<FieldValue> out;
  for (const Field& field : table.fields) {
    const Json* const json = object.if_contains(field.name);
    if (json == nullptr) continue;
    Result<std::optional<Value>> got = column(table, field, json, field.name);
    if (!got) return Unexpected(in_row(std::move(got).error(), path));
    out.push_back({&field, std::move(**got)});
  }
  add_zones(table, object, out);
  return out;
}

}  // namespace

std::string_view item_member(const Table& table) {
  return table.find("ref") == nullptr ? "ref" : "_ref";
}

Result<NewRow> read_new_row(const RecordContext& context, const Table& table, const JsonObject& row,
                            const std::string& path) {
  return PayloadReader(context, true).row(table, row, path, {});
}

Result<NewRow> read_item_row(const RecordContext& context, const Table& table,
                             const JsonObject& row, const std::string& path) {
  return PayloadReader(context, true).row(table, row, path, {.is_item = true});
}

Result<std::vector<FieldValue>> read_row_changes(const RecordContext& context, const Table& table,
                                                 const JsonObject& row, const std::string& path) {
  return PayloadReader(context, false).changes(table, row, path);
}

}  // namespace alfred
