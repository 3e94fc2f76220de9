// Values in PostgreSQL's text form, both ways.
//
// R1 a column's value follows its field's type (value.h); without a field, its type in the database.
// R2 doubles keep all their bits, numeric all its digits (exact_number.h). Without a field a whole
//    number of 64 bits is an integer (sum() of integers), and a fraction below 2^53 a double
//    (avg()).
// R3 times without a field become 2026-02-28T17:05:00.000Z, with microseconds only where there are some.
// R4 what does not have the form of its type is given as the text it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/postgres/pg_session.h"
#include "storage/sql_builder.h"
#include "storage/value.h"

namespace alfred {

PgCommand command_of(const BuiltSql& built);
// A value whose type only it says: a parameter of our own statements. Booleans are 0 and 1.
PgParam typed_param(const Value& value);

Value value_of_field(std::string_view text, std::uint32_t type, FieldType field_type);
// `has_booleans` is false for our own tables, where SQLite has 0 and 1.
Value value_by_type(std::string_view text, std::uint32_t type, bool has_booleans);

std::vector<Row> rows_of(const PgRows& rows, const std::vector<const Field*>& fields);
std::vector<Row> rows_by_type(const PgRows& rows, bool has_booleans);

// The elements of a one-dimensional array of texts: {a,"b c",NULL}.
std::vector<std::optional<std::string>> array_elements(std::string_view text);

}  // namespace alfred
