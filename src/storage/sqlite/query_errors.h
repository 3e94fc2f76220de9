// What SQLite says of a caller's query, in words that a caller may read.
//
// R1 unknown and forbidden tables read the same.
// R2 one that changes rows, or has several statements, is told so, whatever tables it names.
// R3 a mistake in the text is named with its word and its place; words of SQLite that could name schemas are for
//    operators alone.
#pragma once

#include <cstdint>
#include <string>

#include "storage/sqlite/sqlite_store.h"

namespace alfred {

bool begins_with_select(std::string_view sql);
Unexpected refused_table(const SqliteQuery& query, std::string detail);
Unexpected several_statements();
bool has_words(std::string_view sql);  // besides comments and semicolons
// The last error of the connection, which came of the query: of its text, or as it ran.
enum class QueryStage : std::uint8_t { compile, run };
Error query_error(SqliteConnection& connection, int code, const SqliteQuery& query,
                  QueryStage stage);

}  // namespace alfred
