// Reads of what is generated and not saved: served from the artifacts that the caller supplies,
// never from the database (read_rows.h, R7).
//
// R1 a gen_ ref counts as one of these while it has no row and its content is known; otherwise it stays in
//    the filter, where it is resolved or refused like every ref.
// R2 the other filters of the call hold for artifacts too; what an artifact does not say is null.
// R3 an artifact is shown as it is, under its gen_ ref, key-shaped text masked; `columns` leaves members out.
//    The schema's own names, of its columns and of those of rows nested in it, are no text of
//    anybody's.
#pragma once

#include <string>
#include <vector>

#include "records/filter/filter_reader.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {

// A gen_ ref asked for by name, with its content.
struct GeneratedRow {
  std::string ref;
  const JsonObject* content = nullptr;
};

struct GeneratedRows {
  std::vector<GeneratedRow> rows{};
  std::vector<std::size_t> key_parts{};  // of the filter's root: those that named them
  bool asks_database = true;             // false: nothing but generated ones was named
};

// Takes them out of the filters on the key.
GeneratedRows take_generated(RecordContext& context, const Table& table, FilterCall& call);

// R2. key_parts are tests that the row passed by being named.
bool matches_generated(RecordContext& context, const Table& table, const RowFilter& filter,
                       const GeneratedRows& all, const GeneratedRow& row);

// R3. `members`: the names to show; empty: all.
Result<std::string> generated_text(LiteralMask& mask, const Schema& schema, const Table& table,
                                   const GeneratedRow& row,
                                   const std::vector<std::string>& members);

}  // namespace alfred
