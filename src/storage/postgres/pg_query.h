// A caller's own SELECT on PostgreSQL, walled.
//
// R1 each table it names is put before it under the same name (WITH books AS …), with the columns and
//    the rows the caller may see and nothing else; a name with a schema is refused, so the table
//    behind cannot be named. Tables with an owner are MATERIALIZED: no condition of the query runs
//    on others' rows.
// R2 before it runs, it is planned (query_bound.h, R3), and the relations PostgreSQL locked for that are compared with the
//    allowed ones: anything else is refused, and looks like a table that does not exist.
// R3 it runs in a read-only transaction with a time limit, and only functions of query_text.h.
// R4 row-level security, where the tables have it, still holds: it is the second wall.
// R5 no value, row or result is longer than query_bound.h says.
// Limits: a table whose row-security policies read other tables is refused; operators and casts
// that the database's owner defined are trusted; a column named like a function that takes its row
// hides it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "storage/postgres/pg_tx.h"

namespace alfred {

struct QueryCall {
  const Caller& caller;
  std::string_view sql;
  std::span<const Table* const> tables;
  std::size_t max_rows;
};
Result<QueryRows> run_query(PgTx& tx, const QueryCall& call);

}  // namespace alfred
