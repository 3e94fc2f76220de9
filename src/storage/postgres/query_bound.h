// The result of a caller's query, kept small where it is made: at the server.
//
// R1 a row of more than kMostQueryRowBytes, or with a value of more than kMostQueryCellBytes, is an error that says
//    which; its values do not travel.
// R2 rows end with the one after which the result has kMostQueryBytes.
// R3 what a query gives, its columns' names, types and origins, is found out by a probe that gives no row.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/postgres/pg_session.h"
#include "storage/query_limits.h"

namespace alfred {

// `walls`: the WITH before the query, or nothing.
struct BoundedQuery {
  std::string_view walls;
  std::string_view sql;
  std::size_t max_rows;
};
// R3.
std::string probe_text(const BoundedQuery& query);
// The query itself, at most max_rows + 1 rows. Its columns are those of the probe, and two more.
std::string bounded_text(const BoundedQuery& query, const PgRows& probe);

// What the rows of a bounded query say by their last columns.
struct QueryBound {
  std::optional<Error> error;  // R1
  bool is_cut = false;         // R2: rows may be missing at the end
};
QueryBound bound_of(const PgRows& rows, const PgRows& probe);

}  // namespace alfred
