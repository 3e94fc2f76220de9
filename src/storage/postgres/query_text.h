// What of a caller's SELECT can be judged by its words alone, before PostgreSQL sees it.
//
// R1 one statement that begins with SELECT, WITH or VALUES, with balanced brackets; neither parameters
//    nor dollar quotes nor escape strings, which could hide a name from us.
// R2 a function is called only by a name of our list: those compute on their arguments and touch nothing
//    else. Operators and casts are the database's own; whoever defines one answers for it.
// R3 no name of the system: pg_…, information_schema, reg… types, the login's names, system columns.
// R4 a table outside the default schema ("shop.books") becomes one quoted name.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "alfred/error.h"
#include "pack/schema.h"

namespace alfred {

struct QueryText {
  std::string sql;                   // without comments and without the last semicolon
  std::set<std::string> names;       // all of them, folded as PostgreSQL does
  std::set<std::string> qualifiers;  // those before a dot
  std::set<std::string> members;     // those after one
};
Result<QueryText> read_query_text(std::string_view sql, std::span<const Table* const> tables);

bool is_query_function(const std::string& name);

}  // namespace alfred
