// Calls on a user's own database, written down in our file before they run: after a crash between
// the two commits, what happened there can be found out and finished (D13).
//
// R1 an open call holds all it takes to run again to the same rows: tool, parameters in refs, the time,
//    and the key that the row keys were drawn from.
// R2 it is closed in the transaction that keeps the call's answer and changes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/keyed_random.h"
#include "storage/store.h"

namespace alfred {

struct OpenCall {
  OpId op;
  std::string tool;
  std::string params;  // canonical JSON in refs
  KeyedRandom::Key key;
  std::int64_t at_ms = 0;  // when it was made: its rows say so whenever it is finished
};

StateTables open_call_tables();

Result<void> write_open_call(Tx& tx, std::string_view workspace, const OpenCall& call);
Result<void> close_call(Tx& tx, OpId op);
Result<std::vector<OpenCall>> open_calls(Tx& tx, std::string_view workspace);  // oldest first

}  // namespace alfred
