// Between JSON and a column's value, by the column's type and by nothing else.
//
// R1 strict (C8–C15, C20): an integer takes 2 and 2.0, not "2", 2.5 or what 64 bits do not hold; a
//    boolean takes true and false only; a date 2026-02-28, an instant RFC 3339 with a zone, in
//    years 0001–9999; text has no NUL; an enum's value is one of its list or a declared alias.
// R2 null is no value here: who accepts null asks first.
// R3 errors name the column, what came (never a key, never over 60 bytes) and what is taken.
// R4 what is written reads back the same: read_field_value ∘ append_field_json = identity, except
//    for digits that no double keeps (exact_number.h), which are shown as text and not taken. What
//    a JSON column holds beyond JSON values is kept or refused (json_column.h).
// R5 a key column never gets here: refs are resolved before, keys are written by record_keys.h.
#pragma once

#include <string>

#include "base/json/json.h"
#include "pack/schema.h"
#include "records/record_limits.h"
#include "storage/value.h"

namespace alfred {

// The value that `json` means in this column. path is the place in the call, for errors.
Result<Value> read_field_value(const Field& field, const Json& json, const std::string& path,
                               const RecordLimits& limits);

// Appends the value as JSON: numbers shortest, json and list columns as what they are, bytes as
// "<12 bytes>", bytes that are no UTF-8 visibly escaped.
void append_field_json(const Field& field, const Value& value, std::string& out);

}  // namespace alfred
