#include "records/undo/effects_json.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/json/json_text.h"
#include "base/utf8.h"
#include "records/record_keys.h"
#include "records/write/row_writer.h"

namespace alfred {
namespace {

std::string hex_of(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

Unexpected unreadable() {
  return fail(ErrorCode::corrupt, "What was kept of an earlier change cannot be read.");
}

Result<std::string> bytes_of(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned byte = 0;
    const char* const at = hex.data() + i;
    if (std::from_chars(at, at + 2, byte, 16).ptr != at + 2) return unreadable();
    out += static_cast<char>(byte);
  }
  return hex.size() % 2 == 0 ? Result<std::string>(std::move(out)) : unreadable();
}

Result<Value> read_marked(const JsonObject& object) {
  if (object.size() != 1 || !object.begin()->value().is_string()) return unreadable();
  const std::string_view kind = object.begin()->key();
  const std::string_view text = object.begin()->value().get_string();
  if (kind == "double") {
    std::uint64_t bits = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data(), end, bits).ptr != end) return unreadable();
    return Value(std::bit_cast<double>(bits));
  }
  Result<std::string> bytes = bytes_of(text);
  if (!bytes) return Unexpected(std::move(bytes).error());
  if (kind == "bytes") return Value(Bytes{std::move(*bytes)});
  return kind == "text" ? Result<Value>(Value(std::move(*bytes))) : unreadable();
}

void append_value(std::string& out, const Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  if (is_null(value))
    out += "null";
  else if (text != nullptr && is_utf8(*text))
    append_json_string(out, *text);
  else
    append_json(out, value_json(value));
}

void append_values(std::string& out, std::span<const Value> values) {
  out += '[';
  for (const Value& value : values) {
    if (&value != &values.front()) out += ',';
    append_value(out, value);
  }
  out += ']';
}

void append_key(std::string& out, const Table& table, const RecordKey& key) {
  if (table.key.size() != 1) return append_values(out, RecordKeys::values(table, key));
  append_value(out += '[', RecordKeys::value(key));
  out += ']';
}

void append_row(std::string& out, const std::optional<Row>& row) {
  if (row)
    append_values(out, *row);
  else
    out += "null";
}

// "books":["id","title"]
void append_table(std::string& out, const Table& table) {
  append_json_string(out, table.name);
  out += ":[";
  for (const Field& field : table.fields) {
    if (&field != &table.fields.front()) out += ',';
    append_json_string(out, field.name);
  }
  out += ']';
}

// The columns of a table as they were, in the order of their values.
struct KeptTable {
  const Table* table = nullptr;
  std::vector<std::size_t> places{};  // in table->fields
};

Unexpected changed_table() {
  return fail(ErrorCode::conflict,
              "The tables have been changed since then, so it cannot be taken back. Nothing was "
              "done.");
}

Result<KeptTable> read_table(const Schema& schema, std::string_view name, const Json& columns) {
  KeptTable out{schema.find(name)};
  if (out.table == nullptr) return changed_table();
  if (!columns.is_array()) return unreadable();
  for (const Json& column : columns.get_array()) {
    const Field* field = column.is_string() ? out.table->find(column.get_string()) : nullptr;
    if (field == nullptr) return changed_table();
    out.places.push_back(static_cast<std::size_t>(field - out.table->fields.data()));
  }
  if (out.places.size() != out.table->fields.size()) return changed_table();
  return out;
}

Result<std::optional<Row>> read_row(const KeptTable& kept, const Json& json) {
  if (json.is_null()) return std::optional<Row>();
  if (!json.is_array() || json.get_array().size() != kept.places.size()) return unreadable();
  Row row(kept.places.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    Result<Value> value = read_value(json.get_array()[i]);
    if (!value) return Unexpected(std::move(value).error());
    row[kept.places[i]] = std::move(*value);
  }
  return std::optional(std::move(row));
}

std::string_view text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto* const bytes = std::get_if<Bytes>(&value);
  return bytes == nullptr ? "" : std::string_view(bytes->bytes);
}

// A mark is of values in the table's order.
bool is_in_order(const KeptTable& kept) {
  return std::is_sorted(kept.places.begin(), kept.places.end());
}

Result<RowEffect> read_marked_effect(const KeptTable& kept, const Json& key, const Json& mark) {
  if (!key.is_array() || !mark.is_string()) return unreadable();
  if (!is_in_order(kept) || key.get_array().size() != kept.table->key.size())
    return changed_table();
  std::vector<const Field*> fields;
  Row row;
  for (const std::string& column : kept.table->key) {
    Result<Value> value = read_value(key.get_array()[row.size()]);
    if (!value) return Unexpected(std::move(value).error());
    fields.push_back(kept.table->find(column));
    row.push_back(std::move(*value));
  }
  Result<RecordKey> read = RecordKeys::of_row(*kept.table, fields, row);
  if (!read) return Unexpected(std::move(read).error());
  return RowEffect{
      RowEffect::Kind::created,      kept.table, std::move(*read), {}, std::nullopt, std::nullopt,
      std::string(mark.get_string())};
}

Result<RowEffect> read_effect(const KeptTable& kept, const JsonObject& json) {
  const Json* const named = json.if_contains("key");
  const Json* const mark = json.if_contains("mark");
  if (named != nullptr && mark != nullptr) return read_marked_effect(kept, *named, *mark);
  const Json* before = json.if_contains("before");
  const Json* after = json.if_contains("after");
  if (before == nullptr || after == nullptr) return unreadable();
  Result<std::optional<Row>> was = read_row(kept, *before);
  if (!was) return Unexpected(std::move(was).error());
  Result<std::optional<Row>> is = read_row(kept, *after);
  if (!is) return Unexpected(std::move(is).error());
  if (!*was && !*is) return unreadable();
  Result<RecordKey> key =
      RecordKeys::of_row(*kept.table, all_fields(*kept.table), *was ? **was : **is);
  if (!key) return Unexpected(std::move(key).error());
  const RowEffect::Kind kind = !*was  ? RowEffect::Kind::created
                               : !*is ? RowEffect::Kind::deleted
                                      : RowEffect::Kind::updated;
  return RowEffect{kind, kept.table, std::move(*key), {}, std::move(*was), std::move(*is)};
}

}  // namespace

Json value_json(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<double>(&value))
    return JsonObject{{"double", std::to_string(std::bit_cast<std::uint64_t>(*number))}};
  if (const auto* bytes = std::get_if<Bytes>(&value))
    return JsonObject{{"bytes", hex_of(bytes->bytes)}};
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return nullptr;
  if (!is_utf8(*text)) return JsonObject{{"text", hex_of(*text)}};
  return Json(*text);
}

Result<Value> read_value(const Json& json) {
  if (json.is_null()) return Value();
  if (json.is_bool()) return Value(json.get_bool());
  if (json.is_int64()) return Value(json.get_int64());
  if (json.is_string()) return Value(std::string(json.get_string()));
  return json.is_object() ? read_marked(json.get_object()) : unreadable();
}

// Every value begins with its kind and, where that does not say it, its size.
std::string RowMarker::mark(const Table& table, const Row& row) {
  if (table_ != &table) updated_at_ = table.find(table.updated_at);
  table_ = &table;
  std::size_t most = row.size() * (1 + sizeof(std::uint64_t));
  for (const Value& value : row) most += text_of(value).size();
  if (bytes_.size() < most) bytes_.resize(most);
  char* end = bytes_.data();
  const auto append = [&end](const void* from, std::size_t size) {
    std::memcpy(end, from, size);
    end += size;
  };
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (&table.fields[i] == updated_at_) continue;
    *end++ = static_cast<char>(row[i].index());
    const std::string_view text = text_of(row[i]);
    std::uint64_t word = text.size();
    if (const auto* integer = std::get_if<std::int64_t>(&row[i]))
      word = static_cast<std::uint64_t>(*integer);
    else if (const auto* number = std::get_if<double>(&row[i]))
      word = std::bit_cast<std::uint64_t>(*number + 0.0);  // both zeros are the same number
    else if (const auto* truth = std::get_if<bool>(&row[i]))
      word = *truth ? 1 : 0;
    append(&word, sizeof word);
    append(text.data(), text.size());
  }
  return quick_digest({bytes_.data(), static_cast<std::size_t>(end - bytes_.data())});
}

// As text from the beginning: there may be many rows.
std::string write_effects(std::span<const RowEffect> effects, CreatedRows created) {
  RowMarker marker;
  std::vector<const Table*> told;
  std::string tables;
  std::string rows;
  for (const RowEffect& effect : effects) {
    const Table& table = *effect.table;
    if (std::find(told.begin(), told.end(), &table) == told.end()) {
      append_table(tables += told.empty() ? "" : ",", table);
      told.push_back(&table);
    }
    append_json_string(rows += rows.empty() ? R"({"table":)" : R"(,{"table":)", table.name);
    if (created == CreatedRows::by_mark && effect.kind == RowEffect::Kind::created) {
      append_key(rows += R"(,"key":)", table, effect.key);
      (rows += R"(,"mark":")") += marker.mark(table, *effect.after);
      rows += '"';
    } else {
      append_row(rows += R"(,"before":)", effect.before);
      append_row(rows += R"(,"after":)", effect.after);
    }
    rows += '}';
  }
  return R"({"tables":{)" + tables + R"(},"rows":[)" + rows + "]}";
}

Result<std::vector<RowEffect>> read_effects(const Schema& schema, std::string_view text) {
  const Result<Json> json = parse_json(text, JsonLimits::none());
  if (!json || !json->is_object()) return unreadable();
  const Json* tables = json->get_object().if_contains("tables");
  const Json* rows = json->get_object().if_contains("rows");
  if (tables == nullptr || !tables->is_object() || rows == nullptr || !rows->is_array())
    return unreadable();
  std::map<std::string, KeptTable, std::less<>> kept;
  for (const auto& one : tables->get_object()) {
    Result<KeptTable> table = read_table(schema, one.key(), one.value());
    if (!table) return Unexpected(std::move(table).error());
    kept.emplace(one.key(), std::move(*table));
  }
  std::vector<RowEffect> out;
  for (const Json& row : rows->get_array()) {
    const Json* name = row.is_object() ? row.get_object().if_contains("table") : nullptr;
    const auto table = name == nullptr || !name->is_string()
                           ? kept.end()
                           : kept.find(std::string_view(name->get_string()));
    if (table == kept.end()) return unreadable();
    Result<RowEffect> effect = read_effect(table->second, row.get_object());
    if (!effect) return Unexpected(std::move(effect).error());
    out.push_back(std::move(*effect));
  }
  return out;
}

}  // namespace alfred
