#include "records/query/part_values.h"

#include <algorithm>
#include <optional>

#include "base/json/whole_number.h"
#include "pack/sql/key_use.h"
#include "refs/hiding/key_shapes.h"

namespace alfred {
namespace {

constexpr std::size_t kValuesPerQuery = 5000;      // more than that no database takes as parameters
constexpr std::int64_t kLeastNumber = 10'000'000;  // the first of eight digits

std::optional<std::int64_t> long_whole(const Value& value) {
  std::optional<std::int64_t> whole;
  if (const auto* const number = std::get_if<std::int64_t>(&value)) whole = *number;
  if (const auto* const number = std::get_if<double>(&value)) whole = whole_number(Json(*number));
  const bool is_long = whole && (*whole >= kLeastNumber || *whole <= -kLeastNumber);
  return is_long ? whole : std::nullopt;
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
  if (const std::optional<std::int64_t> number = long_whole(value)) numbers_.insert(*number);
}

Result<void> PartValues::keep_parts(RecordStore& store, const RecordContext& context,
                                    const std::vector<const Table*>& tables) {
  const std::vector<Value> texts(texts_.begin(), texts_.end());
  const std::vector<Value> numbers(numbers_.begin(), numbers_.end());
  texts_.clear();
  numbers_.clear();
  for (const Table* const table : tables)
    for (const Field& field : table->fields) {
      const bool is_of_numbers =
          field.type == FieldType::integer || field.type == FieldType::number;
      const std::vector<Value>& wanted = is_of_numbers ? numbers : texts;
      if (!field.is_key_part || wanted.empty()) continue;
      if (!is_of_numbers && field.type != FieldType::text) continue;  // of those the shape says it
      Result<std::vector<Value>> there = held(store, context.caller, *table, field, wanted);
      if (!there) return Unexpected(there.error());
      for (const Value& value : *there) add_candidate(value);
    }
  return {};
}

bool PartValues::has(const Value& value) const {
  if (const auto* const text = std::get_if<std::string>(&value)) return texts_.contains(*text);
  const std::optional<std::int64_t> number = long_whole(value);
  return number && numbers_.contains(*number);
}

}  // namespace alfred
