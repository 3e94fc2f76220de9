// query: one SELECT as the caller wrote it, its rows in refs.
//
// R1 parameters: sql, limit. The store runs it on a connection that can only read, on the tables of the
//    schema, hidden columns and rows of others out of reach (store.h).
// R2 by origin: a column that comes from a key or a link is shown as refs, the rows registered as read or
//    linked; where the label of the same table stands beside its key, it names the row.
// R3 other columns of tables are shown as a read shows them, key-shaped text masked, and numbers that show
//    a known key as lit_n.
// R4 keys are selected, compared, joined, counted, ordered and grouped by; a query that computes with them
//    is refused (pack/sql/key_use.h). Computed text is masked like all text, and its words with
//    eight hex digits in a row as well. Where the query names a table with parts of keys of several
//    columns, which may be used in any way, so are these parts (part_values.h) and all words that
//    look like a key (hidden_words.h).
// R5 whole rows only, within the limits of a read; `truncated` and how to narrow.
// R6 refs mean nothing inside SQL; a query that looks for one is refused, since its answer would be wrong.
#pragma once

#include "records/record_context.h"

namespace alfred {

// Begins the registry's transaction; on an error it is rolled back.
Result<RecordOutcome> query_rows(RecordStore& store, RecordContext& context, const Json& params);

}  // namespace alfred
