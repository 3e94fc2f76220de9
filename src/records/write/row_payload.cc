#include "records/write/row_payload.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/not_listed.h"
#include "base/plain_bytes.h"
#include "base/quoted_text.h"
#include "base/time/time_zone.h"
#include "records/field_value.h"
#include "records/record_keys.h"
#include "records/write/payload_literals.h"

namespace alfred {
namespace {

// The error with the place of its row before the column that it names.
Error in_row(Error error, const std::string& path) {
  error.path = path + "." + error.path;
  return error;
}

// A text that reads like a ref of a type there is here. As a key it would be taken for one (D5).
bool reads_like_ref(const RecordContext& context, std::string_view text) {
  const Result<Ref> ref = Ref::parse(text);
  return ref && (context.schema.find_ref(ref->type()) != nullptr ||
                 context.registry.find_type(ref->type()));
}

bool is_generated_ref(std::string_view text) {
  const Result<Ref> ref = Ref::parse(text);
  return ref && ref->is_generated();
}

}  // namespace

std::string NewRow::place() const {
  return list == nullptr ? path : *list + "[" + std::to_string(at) + "]";
}

const PayloadColumns& PayloadReader::columns_of(const Table& table) {
  if (last_table_ == &table) return *last_columns_;
  const auto [place, is_new] = columns_.try_emplace(&table);
  if (is_new) place->second = payload_columns(table);
  last_table_ = &table;
  last_columns_ = &place->second;
  return place->second;
}

// A written instant says its zone too, or that it has none, unless the call itself says (C21).
void PayloadReader::add_zones(const Table& table, std::vector<FieldValue>& values) {
  const PayloadColumns& known = columns_of(table);
  for (std::size_t at = 0; at < given_.size(); ++at) {
    const Field* const zone = known.columns[at].zone;
    if (zone == nullptr || given_[at] == nullptr) continue;
    if (given_[static_cast<std::size_t>(zone - table.fields.data())] != nullptr) continue;
    const std::optional<ZonedTime> zoned =
        given_[at]->is_string() ? read_zoned_time(given_[at]->as_string()) : std::nullopt;
    std::erase_if(values, [&](const FieldValue& one) { return one.field == zone; });
    values.push_back({zone, zoned ? Value(zoned->zone) : Value()});
  }
}

Result<Value> PayloadReader::link(const Field& field, const Json& json) {
  const Table* const target = context_.schema.find(field.link->table);
  if (target == nullptr) return fail(ErrorCode::bug, "a link leads to no table", field.name);
  if (!json.is_string())
    return fail(
        ErrorCode::ref_syntax,
        fmt::format("{} takes a ref such as {}_1, as it was shown.", field.name, target->ref),
        field.name, context_.registry.known_refs(target->ref));
  const Result<EntityNo> entity = context_.registry.resolve(json.as_string(), target->ref);
  if (!entity) {
    Error error = entity.error();
    error.path = field.name;
    return Unexpected(std::move(error));
  }
  return RecordKeys::link_value(field, RecordKey(context_.registry.key(*entity)));
}

Result<Value> PayloadReader::value(const Field& field, const Json& json) {
  if (field.link) return link(field, json);
  if (!may_name_literal(json)) return read_field_value(field, json, field.name, context_.limits);
  Result<Json> meant = with_literals(context_.registry, json);
  if (!meant) {
    Error error = std::move(meant).error();
    error.path = field.name;
    return Unexpected(std::move(error));
  }
  Result<Value> value = read_field_value(field, *meant, field.name, context_.limits);
  if (value || *meant == json) return value;
  Result<Value> as_sent = read_field_value(field, json, field.name, context_.limits);
  if (!as_sent) return as_sent;
  return fail(
      value.error().code,
      fmt::format("{} does not take the text that a lit_ name here stands for.", field.name),
      field.name);
}

// The way of most values, which read_field_value() would come to by many questions.
bool PayloadReader::take_plain(const PayloadColumns::Column& column, const Field& field,
                               const Json& json, std::vector<FieldValue>& values) const {
  if (column.takes_texts && json.is_string()) {
    constexpr std::size_t kMostOfAByte = 6;  // \u001f
    const std::string_view text = json.get_string();
    const bool is_plain = text.size() * kMostOfAByte <= context_.limits.text_bytes &&
                          has_no_zero_and_no('_', text);  // lit_1
    if (is_plain) values.push_back({&field, Value(std::in_place_type<std::string>, text)});
    return is_plain;
  }
  if (!column.takes_doubles || !json.is_double()) return false;
  const double number = json.get_double();
  const bool is_plain = number != 0 && std::abs(number) <= 0x1p53;
  if (is_plain) values.push_back({&field, Value(number)});
  return is_plain;
}

// What a column gets; nothing when the row leaves it to the database.
Result<std::optional<Value>> PayloadReader::column(const Table& table, const Field& field,
                                                   const Json* json) {
  const bool is_default = json == nullptr && is_new_ && field.default_value.has_value();
  if (is_default) json = &*field.default_value;
  if (json == nullptr || json->is_null()) {
    const bool is_missing = json != nullptr || (is_new_ && !field.has_default);
    if (is_missing && (!field.is_nullable || table.is_key(field.name)))
      return fail(ErrorCode::value,
                  fmt::format("{} of {} needs a value; {}.", field.name, table.name,
                              json == nullptr ? "none is given" : "null is none"),
                  field.name);
    return json == nullptr ? std::optional<Value>() : std::optional(Value());
  }
  Result<Value> got = is_default ? read_field_value(field, *json, field.name, context_.limits)
                                 : value(field, *json);
  if (!got && got.error().code == ErrorCode::enum_value && table.is_key(field.name))
    // What else it may be are keys of rows.
    return fail(ErrorCode::enum_value,
                fmt::format("{} takes one of {} keys that the database lists, and keys are not "
                            "shown. Ask the user which one it shall be.",
                            field.name, field.enum_values.size()),
                field.name);
  if (!got) return Unexpected(std::move(got).error());
  const bool is_own_key = is_new_ && !field.link && table.is_key(field.name);
  const auto* const key = is_own_key ? std::get_if<std::string>(&*got) : nullptr;
  if (key != nullptr && reads_like_ref(context_, *key))
    return fail(
        ErrorCode::value,
        fmt::format(
            "{} is the key that a new row of {} gets, in words of your own; {} reads like a ref, and "
            "refs are given by the system. Give another key, such as a code of its own.",
            field.name, table.name, quoted_text(*key)),
        field.name);
  return std::optional(std::move(*got));
}

Result<void> PayloadReader::check_parent(const Parent& parent, const JsonObject& object,
                                         const NewRow& row) {
  const Json* const named = object.if_contains(parent.link->name);
  if (named == nullptr || named->is_null()) return {};
  if (named->is_string() && !parent.ref.empty() && named->as_string() == parent.ref) return {};
  return fail(ErrorCode::column_readonly,
              fmt::format("{} of a nested row leads to the row it stands in. Leave it out.",
                          parent.link->name),
              row.place());
}

Result<NewRow::Nested> PayloadReader::nested(const NewRow& parent, const Relation& relation,
                                             const Json& json) {
  std::string path = parent.place() + "." + relation.member;
  const Table* const table = context_.schema.find(relation.table);
  const Field* const link = table == nullptr ? nullptr : table->find(relation.column);
  if (link == nullptr) return fail(ErrorCode::bug, "a relation leads to no column", path);
  if (table->is_read_only)
    return fail(ErrorCode::table,
                fmt::format("The rows of {} are read, not written. Leave {} out.", relation.table,
                            relation.member),
                path);
  if (!json.is_array())
    return fail(ErrorCode::schema, fmt::format("{} is a list of rows.", relation.member), path);
  if (json.as_array().size() > context_.limits.nested_rows)
    return fail(ErrorCode::limit,
                fmt::format("A row takes at most {} rows of {}; this one has {}. Write the rest by "
                            "calls on {}.",
                            context_.limits.nested_rows, relation.member, json.as_array().size(),
                            relation.table),
                path);
  NewRow::Nested out{&relation, std::make_unique<const std::string>(std::move(path)), {}};
  out.rows.reserve(json.as_array().size());
  const Parent inside{link, parent.saved_from};
  for (const Json& element : json.as_array()) {
    NewRow start{.table = table, .list = out.path.get(), .at = out.rows.size()};
    if (!element.is_object())
      return fail(ErrorCode::schema, "A row is a JSON object.", start.place());
    Result<NewRow> child = row(std::move(start), element.as_object(), inside);
    if (!child) return Unexpected(std::move(child).error());
    out.rows.push_back(std::move(*child));
  }
  return out;
}

// Which member each column has, after a look at all of them.
Result<void> PayloadReader::take_members(const NewRow& row, const JsonObject& object,
                                         const Parent& parent) {
  const Table& table = *row.table;
  const PayloadColumns& columns = columns_of(table);
  given_.assign(table.fields.size(), nullptr);
  for (const auto& member : object) {
    if (const Field* const field = table.find(member.key())) {
      const auto at = static_cast<std::size_t>(field - table.fields.data());
      given_[at] = &member.value();
      if (is_new_ && (field == parent.link || columns.columns[at].is_open)) continue;
    }
    if (is_new_ && member.key() == columns.item) continue;
    if (Result<void> known = check_payload_member(table, member.key(), is_new_, row.place());
        !known)
      return known;
  }
  return {};
}

Result<void> PayloadReader::take_item(const JsonObject& object, const Parent& parent, NewRow& row) {
  const std::string_view item = columns_of(*row.table).item;
  const Json* const from = object.if_contains(item);
  if (from == nullptr) return {};
  if (!from->is_string())
    return fail(ErrorCode::schema, fmt::format("{} names what the row is made from.", item),
                row.place());
  const std::string_view name = from->get_string();
  if (!parent.is_item || is_generated_ref(name)) row.saved_from = name;
  return {};
}

Result<NewRow> PayloadReader::row(NewRow out, const JsonObject& object, const Parent& parent) {
  const Table& table = *out.table;
  if (const Result<void> taken = take_members(out, object, parent); !taken)
    return Unexpected(taken.error());
  if (const Result<void> taken = take_item(object, parent, out); !taken)
    return Unexpected(taken.error());
  if (parent.link != nullptr)
    if (const Result<void> fits = check_parent(parent, object, out); !fits)
      return Unexpected(fits.error());
  const PayloadColumns& known = columns_of(table);
  out.values.reserve(table.fields.size() + 1);
  for (std::size_t at = 0; at < given_.size(); ++at) {
    const Field& field = table.fields[at];
    if (&field == parent.link || !known.columns[at].is_filled) continue;
    if (given_[at] != nullptr && take_plain(known.columns[at], field, *given_[at], out.values))
      continue;
    Result<std::optional<Value>> got = column(table, field, given_[at]);
    if (!got) return Unexpected(in_row(std::move(got).error(), out.place()));
    if (*got) out.values.push_back({&field, std::move(**got)});
  }
  add_zones(table, out.values);
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
  is_new_ = false;
  if (object.empty())
    return fail_listing(ErrorCode::value, "An update says what changes; this one is empty.", path,
                        writable_columns(table, false));
  if (const Result<void> taken = take_members({&table, path}, object, {}); !taken)
    return Unexpected(taken.error());
  std::vector<FieldValue> out;
  for (std::size_t at = 0; at < given_.size(); ++at) {
    if (given_[at] == nullptr) continue;
    Result<std::optional<Value>> got = column(table, table.fields[at], given_[at]);
    if (!got) return Unexpected(in_row(std::move(got).error(), path));
    out.push_back({&table.fields[at], std::move(**got)});
  }
  add_zones(table, out);
  return out;
}

Result<NewRow> PayloadReader::new_row(const Table& table, const JsonObject& object,
                                      const std::string& path) {
  is_new_ = true;
  return row({&table, path}, object, {});
}

Result<NewRow> PayloadReader::item_row(const Table& table, const JsonObject& object,
                                       const std::string& path) {
  is_new_ = true;
  return row({&table, path}, object, {.is_item = true});
}

}  // namespace alfred
