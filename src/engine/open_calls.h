// Calls on a user's own database, written down in our file before their rows commit there: after a
// crash between the two commits it can be found out what became of them (D13).
//
// R1 an open call holds what it came to (answer, changes, row_marks.h): nobody has to run it again.
// R2 a call that is not written down committed nothing.
// R3 it is closed in the transaction that keeps the call's answer and changes.
// R4 one of which it cannot be told what became is kept as such, for as long as an answer would be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/store.h"

namespace alfred {

struct OpenCall {
  OpId op;
  std::string tool;
  std::string params;  // canonical JSON in refs
  std::int64_t at_ms = 0;
  bool is_in_op_table = false;  // its op commits with its rows
  std::string answer{};
  std::string changes{};    // of the workspace, as in the journal
  std::string marks{};      // of its rows; empty: an older version wrote none
  std::int64_t place = -1;  // of the journal that the changes come after
  std::string ledger{};     // what it changed, to be taken back (undo_ledger.h)
  bool is_unknown = false;  // R4
};

StateTables open_call_tables();

Result<void> write_open_call(Tx& tx, std::string_view workspace, const OpenCall& call);
Result<void> close_call(Tx& tx, OpId op);
// R4. Forgets those that were called so before `forget_before_ms`.
Result<void> mark_unknown(Tx& tx, OpId op, std::int64_t forget_before_ms);
Result<std::vector<OpenCall>> open_calls(Tx& tx, std::string_view workspace);  // oldest first

}  // namespace alfred
