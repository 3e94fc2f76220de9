#include "records/read/read_cursor.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/base64url.h"
#include "base/decimal.h"
#include "base/utf8.h"
#include "records/filter/filter_ops.h"
#include "records/key_part.h"
#include "records/read/linked_keys.h"
#include "records/read/masked_json.h"
#include "records/record_keys.h"
#include "records/write/payload_literals.h"
#include "refs/hiding/literal_mask.h"
#include "storage/exact_number.h"

namespace alfred {
namespace {

constexpr std::size_t kMaxCursorBytes = 4096;
constexpr std::int64_t kMaxOffset = 1'000'000'000'000;  // no table has more rows

std::string order_text(const CursorCall& call) {
  std::string text = call.is_by_score ? "*" : "";
  for (const OrderBy& by : call.order)
    text +=
        fmt::format("{}{}{}", text.empty() ? "" : ",", by.is_descending ? "-" : "", by.field->name);
  return text;
}

// One that is shown as a literal stands for it here too.
Result<Json> number_json(RefRegistry& registry, const Json& number) {
  KeyPieces pieces(registry.keys());
  Result<Json> shown = with_hidden_numbers(registry, pieces, number);
  if (!shown || shown->is_number()) return shown;
  return Json(JsonObject{{"number", std::move(*shown)}});
}

Result<Json> text_literal(RefRegistry& registry, const std::string& text) {
  const Result<std::uint32_t> literal = registry.register_literal(text);
  if (!literal) return Unexpected(literal.error());
  return Json(LiteralMask::name(*literal));
}

// A part of a key is the literal that it is shown as (key_part.h); null: it is shown as it is.
Result<Json> part_json(RefRegistry& registry, const Field& field, const Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  const auto* const whole = std::get_if<std::int64_t>(&value);
  const auto* const number = std::get_if<double>(&value);
  const bool is_number = whole != nullptr || (number != nullptr && std::isfinite(*number));
  if (text == nullptr && !is_number) return Json(nullptr);
  if (text != nullptr && field.type == FieldType::number && hides_part(*text))
    return text_literal(registry, *text);  // digits that no double keeps
  const Result<std::optional<std::string>> literal =
      text != nullptr ? literal_of_part_text(registry, *text)
                      : literal_of_part_number(
                            registry, write_json(whole != nullptr ? Json(*whole) : Json(*number)));
  if (!literal) return Unexpected(literal.error());
  if (!*literal) return Json(nullptr);
  return text != nullptr ? Json(**literal) : Json(JsonObject{{"number", **literal}});
}

Result<Json> value_json(RefRegistry& registry, const Field& field, const Value& value) {
  if (field.is_key_part) {
    Result<Json> part = part_json(registry, field, value);
    if (!part || !part->is_null()) return part;
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) return number_json(registry, *number);
  if (const auto* flag = std::get_if<bool>(&value)) return Json(*flag);
  if (const auto* number = std::get_if<double>(&value)) {
    if (std::isfinite(*number)) return number_json(registry, *number);
    return Json(JsonObject{{"number", std::isnan(*number) ? "nan" : *number > 0 ? "inf" : "-inf"}});
  }
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) return Json(nullptr);
  const Result<MaskedText> masked = LiteralMask(registry).mask(*text);
  if (!masked) return Unexpected(masked.error());
  return Json(masked->view());
}

Result<Value> value_of(const RefRegistry& registry, const Json& json) {
  if (json.is_null()) return Value();
  if (json.is_int64()) return Value(json.get_int64());
  if (json.is_bool()) return Value(json.get_bool());
  if (json.is_double()) return Value(json.get_double());
  if (json.is_string()) {
    Result<std::string> text = LiteralMask::restore(registry, json.get_string());
    if (!text) return foreign_cursor();
    return Value(std::move(*text));
  }
  if (!json.is_object()) return foreign_cursor();
  const Json* const number = json.get_object().if_contains("number");
  if (number == nullptr || !number->is_string()) return foreign_cursor();
  if (number->get_string().starts_with("lit_")) {
    const Result<Json> hidden = with_literals(registry, *number);
    if (!hidden || !hidden->is_number()) return foreign_cursor();
    return value_of(registry, *hidden);
  }
  if (number->get_string() == "nan") return Value(std::nan(""));
  return Value(number->get_string() == "inf" ? HUGE_VAL : -HUGE_VAL);
}

// Digits that no double keeps travel as their text.
bool is_long_number(const Field& field, const std::string& text) {
  return !holds_floats(field) && read_decimal(text) &&
         std::holds_alternative<std::string>(exact_number(text));
}

// Whether a column of this type may hold a value. SQLite keeps times in any form.
bool fits(const Field& field, const Value& value) {
  const bool is_number =
      std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
  const auto* const text = std::get_if<std::string>(&value);
  const bool is_text = text != nullptr && text->find('\0') == std::string::npos;
  if (is_null(value)) return true;
  switch (field.type) {
    case FieldType::integer: return std::holds_alternative<std::int64_t>(value);
    case FieldType::number: return is_number || (is_text && is_long_number(field, *text));
    case FieldType::boolean: return std::holds_alternative<bool>(value);
    case FieldType::date:
    case FieldType::instant: return is_number || is_text;
    default: return is_text;
  }
}

// Whether a value can stand in JSON and mean the same to a database when it comes back.
bool travels(const Field& field, const Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  if (text != nullptr && !is_utf8(*text)) return false;
  return field.link ? !std::holds_alternative<Bytes>(value) : fits(field, value);
}

// The ref of a row that is registered, or is now.
Result<std::string> ref_of(RefRegistry& registry, const Table& table, const RecordKey& key) {
  const Result<TypeNo> type = registry.type_named(table.ref, table.name);
  if (!type) return Unexpected(type.error());
  const Result<EntityNo> entity = registry.register_linked(*type, key.view());
  if (!entity) return Unexpected(entity.error());
  return std::string(registry.ref(*entity).text());
}

// The key behind a ref; also behind one whose row was deleted (R3).
Result<RecordKey> key_of(const RefRegistry& registry, const Json& ref, const Table& table) {
  if (!ref.is_string()) return foreign_cursor();
  const EntityNo entity = registry.find(std::string_view(ref.get_string()));
  if (entity == kNoEntity || !registry.has_key(entity) || registry.type_of(entity) != table.ref)
    return foreign_cursor();
  return RecordKey(registry.key(entity));
}

std::size_t place_in_key(const Table& table, const Field& field) {
  const auto found = std::find(table.key.begin(), table.key.end(), field.name);
  return static_cast<std::size_t>(found - table.key.begin());
}

// By its ref; a text that its row may spell otherwise by what is stored, which is no other row.
Result<Json> link_json(RecordContext& context, const Field& field, const Value& value) {
  if (is_null(value)) return Json(nullptr);
  const auto* const text = std::get_if<std::string>(&value);
  if (text != nullptr && may_be_spelt_otherwise(field)) {
    Result<Json> literal = text_literal(context.registry, *text);
    if (!literal) return literal;
    return Json(JsonObject{{"text", std::move(*literal)}});
  }
  const Result<RecordKey> key = RecordKeys::linked(field, value);
  if (!key) return Unexpected(key.error());
  Result<std::string> ref = ref_of(context.registry, *context.schema.find(field.link->table), *key);
  if (!ref) return Unexpected(ref.error());
  return Json(*ref);
}

Json member(const JsonObject& cursor, std::string_view name) {
  const Json* const found = cursor.if_contains(name);
  return found == nullptr ? Json() : *found;
}

bool belongs_to(const JsonObject& cursor, const CursorCall& call) {
  const auto says = [&](std::string_view name, const Json& wanted) {
    return write_json(member(cursor, name)) == write_json(wanted);
  };
  return says("t", Json(call.table->name)) && says("o", Json(order_text(call))) &&
         says("f", Json(call.fingerprint));
}

Result<Value> order_value(RecordContext& context, const Field& field, const Json& json) {
  const JsonObject* const stored = json.if_object();
  const bool is_text = stored != nullptr && stored->contains("text");
  if (!field.link || json.is_null() || is_text) {
    Result<Value> value = value_of(context.registry, is_text ? stored->at("text") : json);
    if (value && !fits(field, *value)) return foreign_cursor();
    return value;
  }
  const Result<RecordKey> key =
      key_of(context.registry, json, *context.schema.find(field.link->table));
  if (!key) return Unexpected(key.error());
  return RecordKeys::link_value(field, *key);
}

std::optional<std::size_t> count_member(const JsonObject& cursor, std::string_view name) {
  const Json count = member(cursor, name);
  if (!count.is_int64() || count.get_int64() < 0 || count.get_int64() > kMaxOffset)
    return std::nullopt;
  return static_cast<std::size_t>(count.get_int64());
}

Result<CursorPlace> place_of(RecordContext& context, const CursorCall& call,
                             const JsonObject& cursor) {
  const Table& table = *call.table;
  CursorPlace place;
  const Json score = member(cursor, "s");
  if (score.is_int64()) place.score = static_cast<int>(score.get_int64());
  const bool is_named = cursor.contains("r");
  if (!is_named || cursor.contains("n")) {
    const std::optional<std::size_t> count = count_member(cursor, "n");
    if (!count) return foreign_cursor();
    (is_named ? place.nameless : place.offset) = *count;
    if (!is_named) return place;
  }
  const Result<RecordKey> key = key_of(context.registry, member(cursor, "r"), table);
  if (!key) return Unexpected(key.error());
  const std::vector<Value> key_values = RecordKeys::values(table, *key);
  const Json values = member(cursor, "v");
  std::size_t at = 0;
  for (const OrderBy& by : call.order) {
    if (table.is_key(by.field->name)) {
      place.values.push_back(key_values.at(place_in_key(table, *by.field)));
      continue;
    }
    if (!values.is_array() || at >= values.get_array().size()) return foreign_cursor();
    Result<Value> value = order_value(context, *by.field, values.get_array()[at++]);
    if (!value) return Unexpected(value.error());
    place.values.push_back(std::move(*value));
  }
  return place;
}

// R4.
Result<std::optional<std::string>> write_keyless(RecordContext& context, const CursorCall& call,
                                                 const CursorPlace& place, JsonObject cursor) {
  cursor.emplace("n", static_cast<std::int64_t>(place.offset));
  JsonObject counted = cursor;
  bool may_travel = !call.order.empty();
  for (std::size_t i = 0; i < call.order.size(); ++i)
    may_travel = may_travel && travels(*call.order[i].field, place.values[i]);
  JsonArray values;
  for (std::size_t i = 0; may_travel && i < call.order.size(); ++i) {
    const Field& field = *call.order[i].field;
    Result<Json> json = field.link ? link_json(context, field, place.values[i])
                                   : value_json(context.registry, field, place.values[i]);
    if (!json) return Unexpected(json.error());
    values.push_back(std::move(*json));
  }
  cursor.emplace("v", std::move(values));
  if (call.is_by_score) cursor.emplace("s", place.score);
  if (!call.table->row_number) cursor.emplace("e", static_cast<std::int64_t>(place.equals));
  std::string text = to_base64url(write_json(cursor));
  if (may_travel && text.size() <= kMaxCursorBytes) return std::optional(std::move(text));
  if (call.is_by_score) return std::optional<std::string>();
  return std::optional(to_base64url(write_json(counted)));
}

Result<CursorPlace> keyless_place(RecordContext& context, const CursorCall& call,
                                  const JsonObject& cursor) {
  CursorPlace place;
  const std::optional<std::size_t> offset = count_member(cursor, "n");
  if (!offset) return foreign_cursor();
  place.offset = *offset;
  const Json values = member(cursor, "v");
  if (values.is_null() && !call.is_by_score) return place;
  const std::optional<std::size_t> equals =
      call.table->row_number ? std::size_t{0} : count_member(cursor, "e");
  const bool fits = values.is_array() && values.get_array().size() == call.order.size() &&
                    !call.order.empty() && equals.has_value();
  if (!fits) return foreign_cursor();
  place.equals = *equals;
  const Json score = member(cursor, "s");
  if (score.is_int64()) place.score = static_cast<int>(score.get_int64());
  for (std::size_t i = 0; i < call.order.size(); ++i) {
    Result<Value> value = order_value(context, *call.order[i].field, values.get_array()[i]);
    if (!value) return Unexpected(value.error());
    place.values.push_back(std::move(*value));
  }
  return place;
}

}  // namespace

Unexpected foreign_cursor() {
  return fail(ErrorCode::value,
              "this cursor belongs to another call. Send it with the table, filters and order it "
              "came from, or leave it out to begin anew.",
              "cursor");
}

std::uint32_t fingerprint_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

Result<std::optional<std::string>> write_cursor(RecordContext& context, const CursorCall& call,
                                                const CursorPlace& place) {
  const Table& table = *call.table;
  JsonObject cursor{{"t", table.name}, {"o", order_text(call)}, {"f", call.fingerprint}};
  if (table.key.empty()) return write_keyless(context, call, place, std::move(cursor));
  if (place.values.empty()) {
    cursor.emplace("n", static_cast<std::int64_t>(place.offset));
    return std::optional(to_base64url(write_json(cursor)));
  }
  // The key goes by its ref, whatever it is.
  for (std::size_t i = 0; i < call.order.size(); ++i)
    if (!table.is_key(call.order[i].field->name) && !travels(*call.order[i].field, place.values[i]))
      return std::optional<std::string>();
  JsonArray values;
  Row key(table.key.size());
  for (std::size_t i = 0; i < call.order.size(); ++i) {
    const Field& field = *call.order[i].field;
    const Value& value = place.values[i];
    if (table.is_key(field.name)) {
      key[place_in_key(table, field)] = value;
      continue;
    }
    Result<Json> json =
        field.link ? link_json(context, field, value) : value_json(context.registry, field, value);
    if (!json) return Unexpected(json.error());
    values.push_back(std::move(*json));
  }
  std::vector<const Field*> fields;
  fields.reserve(table.key.size());
  for (const std::string& name : table.key) fields.push_back(table.find(name));
  const Result<RecordKey> row_key = RecordKeys::of_row(table, fields, key);
  if (!row_key) return std::optional<std::string>();  // a row that no ref can name
  Result<std::string> ref = ref_of(context.registry, table, *row_key);
  if (!ref) return Unexpected(ref.error());
  cursor.emplace("v", std::move(values));
  if (call.is_by_score) cursor.emplace("s", place.score);
  cursor.emplace("r", std::move(*ref));
  if (place.nameless > 0) cursor.emplace("n", static_cast<std::int64_t>(place.nameless));
  std::string text = to_base64url(write_json(cursor));
  if (text.size() > kMaxCursorBytes) return std::optional<std::string>();
  return std::optional(std::move(text));
}

Result<CursorPlace> read_cursor(RecordContext& context, const CursorCall& call,
                                std::string_view text) {
  const std::optional<std::string> bytes =
      text.size() > kMaxCursorBytes ? std::nullopt : from_base64url(text);
  if (!bytes) return foreign_cursor();
  const Result<Json> json = parse_json(*bytes, JsonLimits::model_output());
  if (!json || !json->is_object()) return foreign_cursor();
  const JsonObject& cursor = json->get_object();
  if (!belongs_to(cursor, call)) return foreign_cursor();
  return call.table->key.empty() ? keyless_place(context, call, cursor)
                                 : place_of(context, call, cursor);
}

}  // namespace alfred
