#include "records/query/part_values.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/decimal.h"
#include "base/json/json.h"
#include "pack/sql/key_use.h"
#include "refs/hiding/key_shapes.h"

namespace alfred {
namespace {

constexpr std::size_t kValuesPerQuery = 5000;  // more than that no database takes as parameters

constexpr std::int64_t kLongDigits = 8;  // in front of the point

// A number that is hidden where it is a part: of PostgreSQL also as the text of its digits, and a
// text that is a number to who computes with it.
std::optional<Decimal> long_number(const Value& value) {
  std::optional<Decimal> number;
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) number = decimal_of(*whole);
  if (const auto* const one = std::get_if<double>(&value); one != nullptr && std::isfinite(*one))
    number = decimal_of(*one);
  if (const auto* const text = std::get_if<std::string>(&value)) number = read_decimal(*text);
  return number && number->point >= kLongDigits ? number : std::nullopt;
}

// The same for two that are equal.
std::string name_of(const Decimal& number) {
  return fmt::format("{}{}e{}", number.is_negative ? "-" : "", number.digits, number.point);
}

std::string spelling(const Value& number) {
  if (const auto* const text = std::get_if<std::string>(&number)) return *text;
  if (const auto* const whole = std::get_if<std::int64_t>(&number)) return std::to_string(*whole);
  return write_json(Json(std::get<double>(number)));
}

bool has_word(const std::vector<SqlWord>& words, std::string_view wanted) {
  return std::any_of(words.begin(), words.end(),
                     [&](const SqlWord& word) { return word.text == wanted; });
}

// Those of the values that stand in a column.
Result<std::vector<Value>> held(RecordStore& store, const Caller& caller, const Table& table,
                                const Field& field, const std::vector<Value>& values) {
  std::vector<Value> found;
  SelectRows plan{.table = &table, .fields = {&field}};
  plan.where = {.kind = Condition::Kind::in, .field = &field};
  for (std::size_t from = 0; from < values.size(); from += kValuesPerQuery) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(from);
    const std::size_t count = std::min(kValuesPerQuery, values.size() - from);
    plan.where.values.assign(first, first + static_cast<std::ptrdiff_t>(count));
    const Result<void> done = store.read(caller, [&](Tx& tx) {
      return tx.scan(plan, [&](const Row& row) -> Result<bool> {
        found.push_back(row[0]);
        return true;
      });
    });
    // What a column's type does not take is none of its values.
    if (!done && done.error().code != ErrorCode::value) return Unexpected(done.error());
  }
  return found;
}

}  // namespace

Result<PartValues> PartValues::find(RecordStore& store, const RecordContext& context,
                                    std::string_view sql, const QueryRows& found) {
  PartValues parts;
  std::vector<const Table*> all;
  for (const Table& table : context.schema.tables()) all.push_back(&table);
  // Read in either way: what one database calls a name is none to the other.
  std::vector<const Table*> tables = named_with_key_parts(sql, all, Brackets::hold_places);
  for (const Table* table : named_with_key_parts(sql, all, Brackets::quote_names))
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
  if (tables.empty()) return parts;
  parts.is_used_ = true;
  const std::vector<SqlWord> words = sql_words(sql, Brackets::hold_places);
  parts.is_joined_ =
      has_word(words, "union") || has_word(words, "intersect") || has_word(words, "except");
  for (std::size_t at = 0; at < found.columns.size(); ++at)
    if (parts.may_be_in(found.columns[at]))
      for (const Row& row : found.rows) parts.add_candidate(row[at]);
  if (Result<void> kept = parts.keep_parts(store, context, tables); !kept)
    return Unexpected(kept.error());
  return parts;
}

void PartValues::add_candidate(const Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  if (text != nullptr && looks_like_key(*text)) texts_.insert(*text);
  if (const std::optional<Decimal> number = long_number(value))
    numbers_.try_emplace(name_of(*number), value);
}

// What is to be looked for in a column of this type; of the types that are not here the shape says
// that it is a key.
std::vector<Value> PartValues::wanted_of(FieldType type) const {
  std::vector<Value> wanted;
  if (type == FieldType::text) wanted.assign(texts_.begin(), texts_.end());
  for (const auto& [name, value] : numbers_) {
    if (type == FieldType::text) wanted.emplace_back(spelling(value));
    if (type == FieldType::number) wanted.push_back(value);
    if (type != FieldType::integer) continue;
    if (const auto whole = exact_integer(*long_number(value))) wanted.emplace_back(*whole);
  }
  return wanted;
}

Result<void> PartValues::keep_parts(RecordStore& store, const RecordContext& context,
                                    const std::vector<const Table*>& tables) {
  PartValues there;
  for (const Table* const table : tables)
    for (const Field& field : table->fields) {
      const std::vector<Value> wanted =
          field.is_key_part ? wanted_of(field.type) : std::vector<Value>();
      if (wanted.empty()) continue;
      const Result<std::vector<Value>> found = held(store, context.caller, *table, field, wanted);
      if (!found) return Unexpected(found.error());
      for (const Value& value : *found) there.add_candidate(value);
    }
  texts_ = std::move(there.texts_);
  numbers_ = std::move(there.numbers_);
  return {};
}

bool PartValues::has(const Value& value) const {
  const auto* const text = std::get_if<std::string>(&value);
  if (text != nullptr && texts_.contains(*text)) return true;
  const std::optional<Decimal> number = long_number(value);
  return number && numbers_.contains(name_of(*number));
}

}  // namespace alfred
