// ReadRequest: the parameters of a db_read, checked against the schema and compiled.
//
// R1 members: table, filters, or_filters, columns, include, order, limit, cursor, count. Others are refused
//    with these (read_rows.h, R1). Every error has the path of what is wrong.
// R2 a table that does not exist and one that may not be used give the same words, which do not repeat the
//    name (C1); so do columns (C2).
// R3 order: "title", "title desc", {"field":…,"direction":"asc"|"desc"}, or a list of these. The key
//    is always the last to decide, so no two rows are equal.
// R4 a relation named among the columns is included, and that is said in `repaired`; what filter_reader.h
//    repairs is said there too.
// R5 refs of what is generated and not saved are taken out of the filters on the key: `generated`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/filter/filter_reader.h"
#include "records/read/generated_rows.h"
#include "records/read/read_cursor.h"

namespace alfred {

struct ReadRequest {
  const Table* table = nullptr;
  RowFilter filter{};
  std::vector<const Field*> columns{};  // shown, the key first
  bool shows_all = true;                // no columns were named
  std::vector<const Relation*> include{};
  std::vector<OrderBy> order{};  // with the key at its end
  bool is_by_score = false;      // the best matches first; then order is the key alone
  std::size_t limit = 0;
  bool wants_count = false;
  std::optional<CursorPlace> after{};
  CursorCall cursor_call{};  // what a cursor of this call must say

  GeneratedRows generated{};
  std::vector<std::string> repaired{};
  std::size_t collapsed = 0;
};

Result<ReadRequest> read_request(RecordContext& context, const Json& params);

// The error for every table that cannot be used, whatever the reason.
Error no_such_table(const Schema& schema, std::string_view name, std::string path);

// The columns of the table's key, in their order.
std::vector<const Field*> key_fields(const Table& table);

}  // namespace alfred
