#include "records/undo/effects_json.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "base/base64url.h"
#include "base/digest.h"
#include "base/json/json_text.h"
#include "base/utf8.h"
#include "records/record_keys.h"
#include "records/write/row_writer.h"

namespace alfred {
namespace {

constexpr std::size_t kMarkBytes = 8;
constexpr std::size_t kUuidBytes = 16;
constexpr std::size_t kPackedBytes = kUuidBytes + kMarkBytes;

std::string hex_of(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

std::string_view bytes_in(const std::array<unsigned char, 16>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
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

// A key of one column is that column's value.
void append_key(std::string& out, const Table& table, const RecordKey& key) {
  if (table.key.size() != 1) return append_values(out, RecordKeys::values(table, key));
  append_value(out, RecordKeys::value(key));
}

// Whether a created row's key and mark are bytes of one text (R3).
bool is_packed(const RowEffect& effect) {
  return effect.table->key.size() == 1 && effect.key.kind() == KeyKind::uuid;
}

void append_packed(std::string& out, const RecordKey& key,
                   const std::array<unsigned char, 16>& digest) {
  const UuidBits bits = RecordKeys::uuid_bits(key);
  std::array<char, kPackedBytes> bytes{};
  char* to = bytes.data();
  for (const std::uint64_t half : {bits.high, bits.low})
    for (int shift = 56; shift >= 0; shift -= 8) *to++ = static_cast<char>(half >> shift & 0xff);
  std::memcpy(to, digest.data(), kMarkBytes);
  out.append(bytes.data(), bytes.size());
}

RecordKey packed_key(std::string_view bytes) {
  UuidBits bits{};
  for (const char byte : bytes.substr(0, kUuidBytes)) {
    bits.high = bits.high << 8 | bits.low >> 56;
    bits.low = bits.low << 8 | static_cast<unsigned char>(byte);
  }
  return RecordKey::uuid(bits);
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

// The values of a key: as many as the table's key has columns.
Result<std::span<const Json>> key_values(const KeptTable& kept, const Json& key) {
  const JsonArray* const list = key.if_array();
  const std::span<const Json> values =
      list == nullptr ? std::span(&key, 1) : std::span<const Json>(list->data(), list->size());
  if (!is_in_order(kept) || values.size() != kept.table->key.size()) return changed_table();
  return values;
}

Result<RowEffect> read_marked_effect(const KeptTable& kept, const Json& key, const Json& mark) {
  if (!mark.is_string()) return unreadable();
  const Result<std::span<const Json>> values = key_values(kept, key);
  if (!values) return Unexpected(values.error());
  std::vector<const Field*> fields;
  Row row;
  for (const std::string& column : kept.table->key) {
    Result<Value> value = read_value((*values)[row.size()]);
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

Result<RowEffect> read_whole_effect(const KeptTable& kept, const JsonObject& json) {
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

Result<void> read_packed(const KeptTable& kept, std::string_view text,
                         std::vector<RowEffect>& out) {
  if (!is_in_order(kept) || kept.table->key.size() != 1) return changed_table();
  const std::optional<std::string> bytes = from_base64url(text);
  if (!bytes || bytes->size() % kPackedBytes != 0) return unreadable();
  for (std::string_view left = *bytes; !left.empty(); left.remove_prefix(kPackedBytes))
    out.push_back({RowEffect::Kind::created,
                   kept.table,
                   packed_key(left),
                   {},
                   std::nullopt,
                   std::nullopt,
                   hex_of(left.substr(kUuidBytes, kMarkBytes))});
  return {};
}

// A row, or several that were created one after the other. Before, each had its own `key` and
// `mark`.
Result<void> read_rows_of(const KeptTable& kept, const JsonObject& json,
                          std::vector<RowEffect>& out) {
  const auto add = [&](Result<RowEffect> effect) -> Result<void> {
    if (!effect) return Unexpected(std::move(effect).error());
    out.push_back(std::move(*effect));
    return {};
  };
  const Json* const key = json.if_contains("key");
  const Json* const mark = json.if_contains("mark");
  if (key != nullptr && mark != nullptr) return add(read_marked_effect(kept, *key, *mark));
  const Json* const created = json.if_contains("created");
  if (created == nullptr) return add(read_whole_effect(kept, json));
  if (const JsonString* const packed = created->if_string())
    return read_packed(kept, {packed->data(), packed->size()}, out);
  const JsonArray* const list = created->if_array();
  if (list == nullptr || list->size() % 2 != 0) return unreadable();
  for (std::size_t at = 0; at < list->size(); at += 2)
    if (Result<void> read = add(read_marked_effect(kept, (*list)[at], (*list)[at + 1])); !read)
      return read;
  return {};
}

// Effects as text from the beginning: there may be many rows. Those of a table that were created
// one after the other are one list of keys and marks by turns, or one text of their bytes.
class EffectsText {
 public:
  void add_whole(const RowEffect& effect) {
    begin_rows(*effect.table);
    append_row(rows_ += R"(,"before":)", effect.before);
    append_row(rows_ += R"(,"after":)", effect.after);
    rows_ += '}';
  }

  void add_created(const RowEffect& effect) {
    const Table& table = *effect.table;
    const bool is_text = is_packed(effect);
    const bool goes_on = listed_ == &table && is_text == !packed_.empty();
    if (!goes_on) begin_rows(table);
    listed_ = &table;
    if (is_text) {
      if (!goes_on) rows_ += R"(,"created":)";
      append_packed(packed_, effect.key, marker_.digest(table, *effect.after));
    } else {
      append_key(rows_ += goes_on ? "," : R"(,"created":[)", table, effect.key);
      ((rows_ += ",\"") += marker_.mark(table, *effect.after)) += '"';
    }
  }

  std::string take() {
    end_list();
    return R"({"tables":{)" + tables_ + R"(},"rows":[)" + rows_ + "]}";
  }

 private:
  void begin_rows(const Table& table) {
    end_list();
    if (std::find(told_.begin(), told_.end(), &table) == told_.end()) {
      append_table(tables_ += told_.empty() ? "" : ",", table);
      told_.push_back(&table);
    }
    append_json_string(rows_ += rows_.empty() ? R"({"table":)" : R"(,{"table":)", table.name);
  }

  void end_list() {
    if (listed_ == nullptr) return;
    if (packed_.empty())
      rows_ += "]}";
    else
      ((rows_ += '"') += to_base64url(packed_)) += "\"}";
    packed_.clear();
    listed_ = nullptr;
  }

  RowMarker marker_;
  std::vector<const Table*> told_;
  std::string tables_;
  std::string rows_;
  const Table* listed_ = nullptr;  // whose created rows are being listed
  std::string packed_;             // of these, what is one text
};

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
std::array<unsigned char, 16> RowMarker::digest(const Table& table, const Row& row) {
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
  return quick_digest_bytes({bytes_.data(), static_cast<std::size_t>(end - bytes_.data())});
}

std::string RowMarker::mark(const Table& table, const Row& row) {
  return hex_of(bytes_in(digest(table, row)).substr(0, kMarkBytes));
}

bool RowMarker::is_mark_of(std::string_view mark, const Table& table, const Row& row) {
  const std::string whole = hex_of(bytes_in(digest(table, row)));
  const bool is_a_mark = mark.size() == 2 * kMarkBytes || mark.size() == whole.size();
  return is_a_mark && whole.starts_with(mark);
}

std::string write_effects(std::span<const RowEffect> effects, CreatedRows created) {
  EffectsText text;
  for (const RowEffect& effect : effects)
    if (created == CreatedRows::by_mark && effect.kind == RowEffect::Kind::created)
      text.add_created(effect);
    else
      text.add_whole(effect);
  return text.take();
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
    if (Result<void> read = read_rows_of(table->second, row.get_object(), out); !read)
      return Unexpected(std::move(read).error());
  }
  return out;
}

}  // namespace alfred
