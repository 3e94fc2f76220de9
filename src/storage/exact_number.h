// Which value a number column's number is, so that no digit of it is lost and one number is one
// value on every database (C10).
//
// R1 a whole number beyond 2^53 that fits 64 bits is an integer; below it is a double like all others.
// R2 what neither an integer nor a double is, is the text of its digits.
// R3 a column of floats holds doubles and nothing else; its type says so on both databases.
#pragma once

#include <cstdint>
#include <string_view>

#include "pack/schema.h"
#include "storage/value.h"

namespace alfred {

bool holds_floats(const Field& field);

Value exact_number(std::int64_t number);
Value exact_number(double number);            // of a column that holds no floats
Value exact_number(std::string_view digits);  // a text that is no number stays as it is

}  // namespace alfred
