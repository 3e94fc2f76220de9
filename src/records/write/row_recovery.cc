// What a crashed call had already created (row_writer.h, R5).
#include <algorithm>

#include "records/record_keys.h"
#include "records/write/row_writer.h"

namespace alfred {
namespace {

// Columns that a database compares as we do; the others are compared here.
bool compares_alike(const Field& field) {
  switch (field.type) {
    case FieldType::text:
    case FieldType::integer:
    case FieldType::boolean:
    case FieldType::date:
    case FieldType::uuid: return true;
    default: return false;
  }
}

Condition equal(const FieldValue& one) {
  if (is_null(one.value)) return {.kind = Condition::Kind::is_null, .field = one.field};
  return {.kind = Condition::Kind::compare, .field = one.field, .values = {one.value}};
}

bool holds(const Table& table, const Row& row, const std::vector<FieldValue>& values) {
  return std::all_of(values.begin(), values.end(), [&](const FieldValue& one) {
    return value_in(table, row, *one.field) == one.value;
  });
}

}  // namespace

Result<std::optional<Row>> RowWriter::find_crashed(const Table& table,
                                                   const std::vector<FieldValue>& values) {
  if (!context_.is_recovering) return std::optional<Row>();
  if (table.key_source == KeySource::database) return find_equal(table, values);
  Condition where;
  for (const FieldValue& one : values)
    if (table.is_key(one.field->name)) where.parts.push_back(equal(one));
  if (where.parts.size() != table.key.size()) return std::optional<Row>();
  Result<std::vector<Row>> rows =
      tx_.select({.table = &table, .fields = all_fields(table), .where = std::move(where)});
  if (!rows) return Unexpected(std::move(rows).error());
  if (rows->empty()) return std::optional<Row>();
  return std::optional(std::move(rows->front()));
}

// A row with the same content that no ref stands for yet and that is not another row of this call.
Result<std::optional<Row>> RowWriter::find_equal(const Table& table,
                                                 const std::vector<FieldValue>& values) {
  Condition where;
  for (const FieldValue& one : values)
    if (compares_alike(*one.field)) where.parts.push_back(equal(one));
  SelectRows plan{.table = &table, .fields = all_fields(table), .where = std::move(where)};
  for (const std::string& column : table.key) plan.order.push_back({table.find(column), false});
  Result<std::vector<Row>> rows = tx_.select(plan);
  if (!rows) return Unexpected(std::move(rows).error());
  for (Row& row : *rows) {
    if (!holds(table, row, values)) continue;
    const Result<RecordKey> key = RecordKeys::of_row(table, plan.fields, row);
    if (!key || context_.registry.find(table.ref, key->view()) != kNoEntity) continue;
    const bool is_taken = std::any_of(rows_.begin(), rows_.end(), [&](const WrittenRow& one) {
      return one.effect.table == &table && one.effect.key == *key;
    });
    if (!is_taken) return std::optional(std::move(row));
  }
  return std::optional<Row>();
}

}  // namespace alfred
