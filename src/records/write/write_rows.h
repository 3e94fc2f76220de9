// db_create, db_update, db_delete: changes of rows, in refs.
//
// R1 everything a call says is checked before the first statement; with one bad part nothing is done
//    (but see BatchWrite for items that fail on their own).
// R2 keys: uuid keys are made here before the insert, integer keys come from the database (D13).
// R3 a parent and its nested rows are one write; children get the parent's key by themselves.
// R4 update and delete name rows by refs; other filters only narrow; an empty filter is refused; more rows
//    than the cap is refused with the count (D14).
// R5 every changed row is a RowEffect with what it was; audit columns are set here; nothing but what was
//    named and those is changed.
// R6 what a delete takes with it (cascade, set_null) is done here in the same transaction and is in the
//    effects and in the registry, whether the database would do it or not.
// R7 dry_run says what would change and changes nothing, the registry included.
// R8 a `version` that is not the row's is refused as stale.
// R9 a row of another owner is a row that is not there.
//
// Answers, canonical JSON in refs:
//   create {"created":[{"ref","label","item"?,"nested"?:{member:[refs]}}],"count":n};
//          rows nested in nested ones stand under "member.member"
//   update {"updated":[refs],"count":n}
//   delete {"deleted":[{"ref","label"}],"count":n,"also_deleted"?:{table:{"count","refs"}},
//           "also_updated"?:{…}}
// and, where it is so: "no_match":true, "not_matched":[refs], "gone":[refs] (of those the rows that
// are not there any more), "repaired":[texts], "dry_run":true. A dry run of a create shows no refs,
// and numbers for nested rows.
#pragma once

#include "records/record_context.h"

namespace alfred {

// Inside a write transaction, on a registry whose transaction is begun by these. A store may run
// its closure again: it then needs the registry as it was before, so give each run a copy, or roll
// back.
Result<RecordOutcome> create_rows(Tx& tx, RecordContext& context, const Json& params);
Result<RecordOutcome> update_rows(Tx& tx, RecordContext& context, const Json& params);
Result<RecordOutcome> delete_rows(Tx& tx, RecordContext& context, const Json& params);

}  // namespace alfred
