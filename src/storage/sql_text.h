// How names, columns and parameters stand in SQL, by dialect and by what a column holds.
//
// R1 names are double-quoted, quotes in them doubled. "shop.books" is schema and table on PostgreSQL;
//    on SQLite, where a catalogue has one schema, it is one name.
// R2 an ordered comparison of text is by its bytes: COLLATE BINARY on SQLite; on PostgreSQL COLLATE "C",
//    and not for equality, where it would change nothing and keep indexes out.
// R3 on PostgreSQL every parameter is cast, never to a type with a length, since such a cast cuts
//    silently; a column of another type than ours is compared as ours: an enum as text. numeric is
//    compared digit by digit, never as a double (C10); time, timetz and interval as what they are.
// R4 on PostgreSQL a select list turns arrays into JSON text and instants into their form in
//    schema.h (microseconds only where there are some), so that a driver gives text as it comes.
// R5 booleans are 0 and 1 wherever the column is no boolean: on SQLite always.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "storage/sql_builder.h"

namespace alfred {

std::string sql_name(std::string_view name);
void append_sql_name(std::string& out, std::string_view name);
std::string table_name_sql(Dialect dialect, std::string_view name);

// `column` is a quoted name, with or without its table before it.
struct ColumnSql {
  Dialect dialect;
  const Field& field;
  std::string column;
};
std::string read_sql(const ColumnSql& column);      // in a select list
std::string equality_sql(const ColumnSql& column);  // beside = <> IN, by bytes
// The same as the database compares keys and links (Field::match), and what stands beside it.
std::string matching_sql(const ColumnSql& column);
std::string matching_parameter_sql(Dialect dialect, const Field& field, std::size_t number);
std::string ordered_sql(const ColumnSql& column);  // beside < > and in ORDER BY

std::string compared_parameter_sql(Dialect dialect, const Field& field, std::size_t number);
std::string stored_parameter_sql(Dialect dialect, const Field& field, std::size_t number);
std::string count_parameter_sql(Dialect dialect, std::size_t number);

// The value as a driver is to bind it (R5).
Value parameter_value(Dialect dialect, const Field& field, const Value& value);

}  // namespace alfred
