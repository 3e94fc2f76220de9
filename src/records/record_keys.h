// Between a row's key columns and its RecordKey. With key_door's friends, the only place where the
// gateway looks inside a key.
#pragma once

#include <span>
#include <vector>

#include "pack/schema.h"
#include "refs/keys/record_key.h"
#include "storage/row_plans.h"

namespace alfred {

class RecordKeys {
 public:
  // The key in a row that was read with these fields; all key columns are among them and not null.
  static Result<RecordKey> of_row(const Table& table, std::span<const Field* const> fields,
                                  const Row& row);
  // The values of the key's columns, in the table's order of them.
  static std::vector<Value> values(const Table& table, const RecordKey& key);
  // The value of a key of one column.
  static Value value(const RecordKey& key);
  static UuidBits uuid_bits(const RecordKey& key);  // it is a uuid
  // The condition that holds for exactly these rows.
  static Condition condition(const Table& table, std::span<const RecordKey> keys);
  // The value a link column holds to lead to this key.
  static Value link_value(const Field& field, const RecordKey& key);
  // The key a link column's value leads to.
  static Result<RecordKey> linked(const Field& field, const Value& value);
};

}  // namespace alfred
