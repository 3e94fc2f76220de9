// The steps that single calls and batches share: one row (or one set of named rows) of a call,
// checked and done. They collect in a RowWriter; nothing is told to the registry here.
#pragma once

#include "records/write/row_targets.h"
#include "records/write/row_writer.h"
#include "records/write/write_call.h"

namespace alfred {

// A row of an update that names itself.
struct NamedChange {
  RecordKey key;
  std::vector<FieldValue> values;
  std::optional<std::string> version;
  std::string path;
};
// `row` holds `id` (or `_ref`), maybe `version`, and what changes.
Result<NamedChange> read_named_change(const RecordContext& context, const Table& table,
                                      const JsonObject& row, const std::string& path);
// The member of such a row that names it; empty: none.
std::string_view row_name_member(const Table& table, const JsonObject& row);

// Deletes these rows and what goes with them (write_rows.h, R6).
Result<void> delete_with_dependents(Tx& tx, RecordContext& context, RowWriter& writer,
                                    const Table& table, std::vector<FoundRow> rows);

}  // namespace alfred
