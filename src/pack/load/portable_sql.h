// schema.sql is one text for two databases. It keeps to what both understand: text, bigint, double
// precision and boolean; foreign keys, deferred where rows of one owner lead to each other; and,
// for keys that the database counts, the words `integer primary key`, which only SQLite takes as
// such.
//
// R1 outside comments and quotes, `integer primary key` becomes PostgreSQL's counted bigint.
// R2 every other byte stays.
#pragma once

#include <string>
#include <string_view>

namespace alfred {

std::string schema_sql_for_postgres(std::string_view schema_sql);

}  // namespace alfred
