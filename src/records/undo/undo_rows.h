// Takes changes of rows back: rows that were created go, deleted ones come back, changed fields get
// the values they had.
//
// R1 the inverse is done step by step from the last change to the first, so each state on the way is one that
//    the database has held before; all of it or nothing.
// R2 a row that is not as the changes left it (its time of change apart) refuses the whole with `conflict`, and
//    so does a row that leads to one that would go. The refs are named, where the rows have any.
// R3 a row that comes back has its key, its times and its hidden columns as before, and a new ref (D30).
// R4 what the database computes is left to it. What it does not let back in (a rule of its own) refuses
//    the whole, and says so.
// R5 rows that lead to each other in a circle come back together: links are made when both ends are there.
// R6 what triggers of the database write into a row that is changed back stays, and "not_as_before" names these columns.
//
// The answer is one of a write, in refs: {"created":[…],"updated":[…],"deleted":[…],"count":n};
// rows that are parts of others, and those that nobody was shown, stand in "also_created",
// "also_deleted" and "also_updated", as in a delete's answer. `count` is that of the rows named.
#pragma once

#include <span>

#include "records/record_context.h"

namespace alfred {

struct UndoOf {
  std::span<const RowEffect> effects;  // in the order they happened
  bool is_dry_run = false;
};

// As create_rows and its like (write_rows.h).
Result<RecordOutcome> undo_rows(Tx& tx, RecordContext& context, const UndoOf& undo);

}  // namespace alfred
