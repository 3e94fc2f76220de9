#include "records/record_keys.h"

#include <algorithm>

#include <fmt/format.h>

namespace alfred {
namespace {

Result<RecordKey> part_of(const Field& field, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return RecordKey::integer(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return RecordKey::from_text(*text);
  return fail(ErrorCode::key_type,
              fmt::format("{} holds something that is no uuid, integer or text, so its row cannot "
                          "be referred to.",
                          field.name));
}

}  // namespace

Result<RecordKey> RecordKeys::of_row(const Table& table, std::span<const Field* const> fields,
                                     const Row& row) {
  const auto part = [&](const std::string& column) -> Result<RecordKey> {
    const auto at = std::find_if(fields.begin(), fields.end(),
                                 [&](const Field* field) { return field->name == column; });
    if (at == fields.end())
      return fail(ErrorCode::bug, "a row was read without its key", table.name);
    return part_of(**at, row[static_cast<std::size_t>(at - fields.begin())]);
  };
  if (table.key.size() == 1) return part(table.key.front());
  if (table.key.empty()) return fail(ErrorCode::bug, "a table without a key has no rows with refs");
  std::vector<RecordKey> parts;
  parts.reserve(table.key.size());
  for (const std::string& column : table.key) {
    Result<RecordKey> one = part(column);
    if (!one) return one;
    parts.push_back(std::move(*one));
  }
  return RecordKey::composite(parts);
}

Value RecordKeys::value(const RecordKey& key) {
  const KeyDoor door;
  const KeyView view = key.view();
  if (key.kind() == KeyKind::integer) return static_cast<std::int64_t>(view.bits(door).high);
  if (key.kind() == KeyKind::uuid) return uuid_text(view.bits(door), door);
  return std::string(view.bytes(door));
}

UuidBits RecordKeys::uuid_bits(const RecordKey& key) { return key.view().bits(KeyDoor()); }

std::vector<Value> RecordKeys::values(const Table&, const RecordKey& key) {
  std::vector<Value> values;
  for (const RecordKey& part : key.parts()) values.push_back(value(part));
  return values;
}

Condition RecordKeys::condition(const Table& table, std::span<const RecordKey> keys) {
  Condition condition;
  condition.kind = table.key.size() == 1 ? Condition::Kind::in : Condition::Kind::tuple_in;
  for (const std::string& column : table.key) condition.fields.push_back(table.find(column));
  if (table.key.size() == 1) {
    condition.field = condition.fields.front();
    condition.fields.clear();
  }
  for (const RecordKey& key : keys)
    for (Value& value : values(table, key)) condition.values.push_back(std::move(value));
  return condition;
}

Value RecordKeys::link_value(const Field&, const RecordKey& key) {
  return value(key.kind() == KeyKind::composite ? key.parts().front() : key);
}

Result<RecordKey> RecordKeys::linked(const Field& field, const Value& value) {
  return part_of(field, value);
}

}  // namespace alfred
