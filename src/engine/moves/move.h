// A move of a turn as the engine carries it out: from one stop of the machine to the next, with all
// the calls on records in between. The machine stays pure; who drives it implements MoveSteps.
//
// R1 begin → (a call → outcome)* until no call is out. Calls run in their order, one at a time.
// R2 on a database of ours all of a move is one transaction: rows, refs, batches, the journal (one entry) and what
//    keep() writes.
// R3 on a user's own database what begin() changed is journalled before rows are; what a call changed, its answer
//    and what outcome() changed are one transaction of ours. A call that is given out again after a
//    crash gets the answer it had, by the turn's id and its number: rows are written once.
// R4 a call that is refused leaves nothing, and its error is its outcome. A store that fails, or a bug, ends the
//    move: nothing of it stays (on a user's own database: nothing of the call it was at).
// R5 a store may run a move again: begin() comes again then, on a state that was loaded anew. After an error the
//    state is loaded anew too. So steps keep nothing between begin() and the end that begin() does
//    not reset.
#pragma once

#include <cstdint>

#include "storage/store.h"
#include "turn/turn_move.h"

namespace alfred {

class MoveSteps {
 public:
  MoveSteps() = default;
  MoveSteps(const MoveSteps&) = delete;
  MoveSteps& operator=(const MoveSteps&) = delete;
  virtual ~MoveSteps() = default;

  // The state has caught up with everybody. `place` is where its journal stands, to be compared
  // with what the caller saw last; an error ends the move.
  virtual Result<TurnMove> begin(SessionState& state, std::int64_t place) = 0;
  virtual Result<TurnMove> outcome(SessionState& state, CallOutcome outcome) = 0;
  // What belongs to a move beside its changes (prompts, the turn's record), in the transaction that
  // journals them.
  virtual Result<void> keep(Tx& tx, const TurnMove& move) = 0;
};

}  // namespace alfred
