// The rows of a batch: every row names its item, every item ends complete or failed with its row in
// the same transaction.
//
// R1 a row without `ref`, with one that is no open item of the manifest, or two rows of one item, refuses the
//    whole call before anything runs.
// R2 policy partial: a savepoint per item; one that fails is `failed` with the reason and whether trying again
//    can help; the others are done. Policy atomic: one failure undoes all, and all are failed with
//    the cause.
// R3 the items that this call did not name stay pending.
// R4 an update or delete whose row is gone fails its item (C26).
// R5 a dry run says what each item would come to, and what would change beside their rows (`also_deleted`,
//    `also_updated`), and changes nothing: neither rows nor items nor the registry.
#pragma once

#include "batch/manifest.h"
#include "records/record_context.h"

namespace alfred {

struct BatchOutcome {
  RecordOutcome outcome;  // its answer holds the progress: total, completed, failed, pending
  BatchChanges changes;
};

// tool is db_create, db_update or db_delete; params: `data`, rows that each carry `ref` (`_ref`
// where the table has a column `ref`), and maybe `table` and `dry_run`. A row to change or delete
// is the one its item names, or its `id`. The manifest changes only when the call succeeds. An
// error `storage` or `bug` ends the call.
Result<BatchOutcome> write_batch(Tx& tx, RecordContext& context, BatchManifest& manifest,
                                 std::string_view tool, const Json& params);

}  // namespace alfred
