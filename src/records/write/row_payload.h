// Rows that a caller wants written, read against the schema: what each column gets, refs as keys,
// lit_n as the text it stands for, nested rows under their parent.
//
// R1 a column that is unknown or hidden is refused with the known ones (C2); keys, owners, times and what
//    is declared read-only are refused as such (C18).
// R2 a new row has a value for every column that needs one: its own, our default or the database's
//    (C19); null only where the column may be null.
// R3 a link takes a live ref of its table, or null; a nested row may name its parent's own ref there
//    and nothing else.
// R4 `ref` (or `_ref`, where the table has a column `ref`) is the gen_ ref a new row is made from.
// R5 nested rows of one parent are at most limits.nested_rows (C28).
// R6 an error never shows what a lit_n stands for.
#pragma once

#include <string>
#include <vector>

#include "records/record_context.h"

namespace alfred {

struct NewRow {
  const Table* table = nullptr;
  std::string path{};
  std::string saved_from{};          // the gen_ ref it is made from; empty: none
  std::vector<FieldValue> values{};  // in the table's order; without key, times and parent
  struct Nested {
    const Relation* relation = nullptr;
    std::vector<NewRow> rows{};
  };
  std::vector<Nested> nested{};
};

// How a row of this table names the item or gen_ ref it stands for.
std::string_view item_member(const Table& table);

Result<NewRow> read_new_row(const RecordContext& context, const Table& table, const JsonObject& row,
                            const std::string& path);

// A row of a batch: the name of its item is a gen_ ref that it is made from, or just a name.
Result<NewRow> read_item_row(const RecordContext& context, const Table& table,
                             const JsonObject& row, const std::string& path);

// What an update says of a row; `row` without the members that name the row itself.
Result<std::vector<FieldValue>> read_row_changes(const RecordContext& context, const Table& table,
                                                 const JsonObject& row, const std::string& path);

}  // namespace alfred
