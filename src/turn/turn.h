// The turn: one resumable machine without I/O. It hands out asks (for an interpreter) and calls
// (for the records), stops, and is given the outcomes, until the turn is over.
//
// R1 everything it knows is in the session's state; a machine made anew on a loaded state goes on where the
//    old one stopped (resume()).
// R2 it moves in rounds: when all asks that are out are answered they are applied in step order, so nothing depends on
//    who answered first; the journal only tells in which order the answers came.
// R3 calls that are out are executed in their order, each with the changes it causes in one transaction.
// R4 it ends within its caps whatever the model answers (I-39), and never completes what is not complete.
// R5 a message that nobody typed (contracts/wake_up.h) answers nothing: what waits for the user's word waits on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contracts/ask.h"
#include "turn/scene.h"
#include "turn/turn_move.h"

namespace alfred {

struct TurnStart {
  std::string message{};
  std::string id{};  // trn_…
  std::int64_t at_ms = 0;
  std::string seed{};                         // KeyedRandom::key_text
  std::optional<SessionSettings> settings{};  // from this turn on; none: as they are
};

class Turn {
 public:
  Turn(SessionState& state, const TurnWorld& world) : scene_(state, world) {}

  // Error: turn_open while one is running; value for a message that is empty; limit, utf8.
  Result<TurnMove> start(const TurnStart& given);
  // Error: bug when nothing of this number is out.
  Result<TurnMove> answer(const Answer& answer);
  Result<TurnMove> outcome(CallOutcome outcome);
  TurnMove resume();
  // Stops it where it is: what it did is told and stays. Error: bug when no turn is running.
  Result<TurnMove> cancel();

 private:
  TurnMove move();
  void apply_round();

  Scene scene_;
  std::vector<Ask> asks_;  // of this move
};

}  // namespace alfred
