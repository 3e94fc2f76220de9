// db_read: rows of a table in refs.
//
// R1 parameters: table, filters, or_filters, columns, include, order, limit, cursor, count. Unknown ones
//    are refused with the known ones listed. A table or column the caller may not see looks
//    unknown.
// R2 filters all hold; of or_filters at least one; groups {"any":[…]} and {"all":[…]} nest.
// R3 the answer is the same on every database: what SQL cannot say alike is decided by our own code on the
//    rows that SQL let through (row_filter.h), in the same order.
// R4 rows come whole or not at all: {"rows":[…],"has_more":…,"cursor":…,"truncated":…,"hint":…}; `labels`
//    names every linked row once; `count` is of all that match, when asked for.
// R5 a cursor holds no key, goes on after the last row shown, and survives inserts and deletes.
// R6 rows read are registered as read, rows they lead to as linked, with labels by one query per table.
// R7 a filter on the key with gen_ refs is served from artifacts, never from the database.
#pragma once

#include "records/record_context.h"

namespace alfred {

struct ReadRequest;  // read_request.h: the call, checked and compiled

// Runs inside a read transaction. The registry's transaction is begun; on an error it is rolled
// back.
Result<RecordOutcome> read_rows(Tx& tx, RecordContext& context, const Json& params);

}  // namespace alfred
