#include "engine/row_marks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "records/record_keys.h"
#include "records/write/row_writer.h"

namespace alfred {
namespace {

constexpr std::size_t kAtOnce = 500;  // databases take only so many parameters

struct RowMark {
  const Table* table;
  RecordKey key;
  std::string before;  // empty: no such row
  std::string after;
};
using RowName = std::pair<const Table*, std::string>;
using RowDigests = std::map<RowName, std::string>;

// JSON has no word for what is not finite; two of the same kind are the same here.
std::string number_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return write_json(Json(number));
}

void append_value(const Value& value, std::string& out) {
  std::string text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) text = std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) text = number_text(*number);
  if (const auto* truth = std::get_if<bool>(&value)) text = *truth ? "t" : "f";
  if (const auto* words = std::get_if<std::string>(&value)) text = *words;
  if (const auto* bytes = std::get_if<Bytes>(&value)) text = bytes->bytes;
  out += std::to_string(value.index()) + ':' + std::to_string(text.size()) + ':' + text;
}

std::string digest_of(const Table& table, const Row& row) {
  std::string all;
  for (std::size_t i = 0; i < row.size(); ++i) {
    append_value(Value(table.fields[i].name), all);
    append_value(row[i], all);
  }
  return content_digest(all);
}

JsonArray key_json(const Table& table, const RecordKey& key) {
  JsonArray out;
  for (const Value& value : RecordKeys::values(table, key)) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      out.emplace_back(*integer);
    else if (const auto* text = std::get_if<std::string>(&value))
      out.emplace_back(*text);
  }
  return out;
}

Result<RecordKey> read_key(const Table& table, const JsonArray& json) {
  std::vector<const Field*> fields;
  fields.reserve(table.key.size());
  for (const std::string& column : table.key) fields.push_back(table.find(column));
  Row row;
  for (const Json& part : json)
    row.push_back(part.is_string() ? Value(std::string(part.get_string()))
                                   : Value(part.is_int64() ? part.get_int64() : 0));
  if (row.size() != fields.size() || std::count(fields.begin(), fields.end(), nullptr) != 0)
    return fail(ErrorCode::key_type, "The table has another key now.");
  return RecordKeys::of_row(table, fields, row);
}

RowName name_of(const Table& table, const RecordKey& key) {
  return {&table, write_json(key_json(table, key))};
}

// What the rows are now; those that are not there are not in it.
Result<RowDigests> read_digests(Tx& tx, std::span<const RowMark> marks) {
  std::map<const Table*, std::vector<RecordKey>> keys;
  for (const RowMark& mark : marks) keys[mark.table].push_back(mark.key);
  RowDigests out;
  for (const auto& [table, all] : keys) {
    const std::vector<const Field*> fields = all_fields(*table);
    for (std::size_t from = 0; from < all.size(); from += kAtOnce) {
      const auto part = std::span(all).subspan(from, std::min(kAtOnce, all.size() - from));
      const Result<std::vector<Row>> rows = tx.select(
          {.table = table, .fields = fields, .where = RecordKeys::condition(*table, part)});
      if (!rows) return Unexpected(rows.error());
      for (const Row& row : *rows) {
        const Result<RecordKey> key = RecordKeys::of_row(*table, fields, row);
        if (!key) return Unexpected(key.error());
        out[name_of(*table, *key)] = digest_of(*table, row);
      }
    }
  }
  return out;
}

std::string digest_in(const RowDigests& digests, const RowMark& mark) {
  const auto found = digests.find(name_of(*mark.table, mark.key));
  return found == digests.end() ? "" : found->second;
}

// Nothing where the schema has no such rows any more.
std::optional<RowMark> read_mark(const Schema& schema, const Json& json) {
  const Json* const name = json.is_object() ? json.get_object().if_contains("table") : nullptr;
  if (name == nullptr || !name->is_string()) return std::nullopt;
  const auto table = std::find_if(
      schema.tables().begin(), schema.tables().end(),
      [&](const Table& one) { return std::string_view(name->get_string()) == one.name; });
  if (table == schema.tables().end()) return std::nullopt;
  const Result<RecordKey> key = read_key(*table, json.at("key").as_array());
  if (!key) return std::nullopt;
  return RowMark{&*table, *key, std::string(json.at("before").as_string()),
                 std::string(json.at("after").as_string())};
}

CallFate fate_by(std::span<const RowMark> marks, const RowDigests& now) {
  std::size_t done = 0;
  std::size_t not_done = 0;
  std::size_t other = 0;
  for (const RowMark& mark : marks) {
    if (mark.before == mark.after) continue;
    const std::string found = digest_in(now, mark);
    if (found == mark.after)
      ++done;
    else if (found == mark.before)
      ++not_done;
    else if (mark.after.empty())
      return CallFate::unknown;
    else
      ++other;
  }
  if (not_done == 0) return done > 0 || other == 0 ? CallFate::done : CallFate::unknown;
  return done == 0 && other == 0 ? CallFate::not_done : CallFate::unknown;
}

}  // namespace

Result<std::string> mark_rows(Tx& tx, std::span<const RowEffect> effects) {
  std::vector<RowMark> marks;
  std::map<RowName, bool> is_marked;
  for (const RowEffect& effect : effects) {
    if (!is_marked.emplace(name_of(*effect.table, effect.key), true).second) continue;
    marks.push_back({effect.table, effect.key,
                     effect.before ? digest_of(*effect.table, *effect.before) : "", ""});
  }
  const Result<RowDigests> after = read_digests(tx, marks);
  if (!after) return Unexpected(after.error());
  JsonArray out;
  for (const RowMark& mark : marks)
    out.push_back(JsonObject{{"table", mark.table->name},
                             {"key", key_json(*mark.table, mark.key)},
                             {"before", mark.before},
                             {"after", digest_in(*after, mark)}});
  return write_json(Json(std::move(out)));
}

Result<CallFate> fate_of(Tx& tx, const Schema& schema, std::string_view marks) {
  const Result<Json> json = parse_json(marks, JsonLimits::none());
  if (!json || !json->is_array()) return CallFate::unknown;
  std::vector<RowMark> read;
  for (const Json& one : json->get_array()) {
    std::optional<RowMark> mark = read_mark(schema, one);
    if (!mark) return CallFate::unknown;
    read.push_back(std::move(*mark));
  }
  const Result<RowDigests> now = read_digests(tx, read);
  if (!now) return Unexpected(now.error());
  return fate_by(read, *now);
}

}  // namespace alfred
