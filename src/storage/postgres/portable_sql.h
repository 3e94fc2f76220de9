// Our portable SQL (statement.h, a pack's schema.sql) as PostgreSQL wants it.
//
// R1 :name becomes $n, one number per name; the texts of strings and comments stay.
// R2 where a table is made, `integer` is 64 bits here as in SQLite (bigint), `real` is a double, `blob`
//    is bytea, and `integer primary key [autoincrement]` counts by itself (identity) as SQLite's
//    does; WITHOUT ROWID, which tells SQLite how to lay a table out, is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alfred {

struct NumberedSql {
  std::string text;
  std::vector<std::string> names;  // names[0] is $1
};
NumberedSql numbered_parameters(std::string_view sql);

std::string postgres_ddl(std::string_view sql);

}  // namespace alfred
