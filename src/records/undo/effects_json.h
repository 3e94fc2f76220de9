// What calls changed, as text: kept beside the journal, so that it can be taken back later.
//
// R1 what is read is what was written, every kind of value included: whole numbers stay apart from others,
//    bytes and texts of no encoding come back byte for byte.
// R2 columns are kept by name. What was kept of a table or a column that the schema has no more cannot
//    be read: the error `conflict` says so, in words for a model.
// R3 of a created row a mark will do, which tells whether the row is still as it was made, its time of change
//    apart: to take it back, what is there is looked at, and nothing is put back.
//    Of rows whose keys are uuids, keys and marks of a list are one text of 24 bytes each, in
//    base64url: a third of the room.
// R4 it holds keys: it is for our own tables and never reaches a model.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_context.h"

namespace alfred {

Json value_json(const Value& value);
Result<Value> read_value(const Json& json);

enum class CreatedRows : std::uint8_t { whole, by_mark };

std::string write_effects(std::span<const RowEffect> effects,
                          CreatedRows created = CreatedRows::whole);
// Of created rows that were kept by their mark `after` is empty and `mark` is not.
Result<std::vector<RowEffect>> read_effects(const Schema& schema, std::string_view text);

// Makes the marks of rows (R3), sixteen hex digits; they were twice as long before, with the same
// beginning.
class RowMarker {
 public:
  std::string mark(const Table& table, const Row& row);
  bool is_mark_of(std::string_view mark, const Table& table, const Row& row);
  std::array<unsigned char, 16> digest(const Table& table, const Row& row);

 private:
  const Table* table_ = nullptr;  // of the last row
  const Field* updated_at_ = nullptr;
  std::string bytes_;  // its room
};

}  // namespace alfred
