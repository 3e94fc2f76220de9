// What stands between a caller's query and the rows it may not see.
//
// R1 where a table has an owner or hidden columns, the query runs in an empty database in memory. The file is attached under a
//    name nobody can guess, and of each listed table there is a view: the caller's rows, without
//    hidden columns.
// R2 a statement that reads no column of a table (count(*)) is judged by what it opens, since its name may be a WITH's own:
//    so a table that is hidden and one that does not exist are refused alike.
#pragma once

#include "storage/sqlite/sqlite_store.h"

namespace alfred {

bool needs_query_wall(std::span<const Table* const> tables);
Result<void> build_query_wall(SqliteConnection& connection, const SqliteFile& file,
                              const SqliteQuery& query);
Result<bool> opens_only_listed(SqliteConnection& connection, const SqliteQuery& query,
                               bool is_walled);

}  // namespace alfred
