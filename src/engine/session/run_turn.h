// Drives a turn with an interpreter from where it stands: until it is finished, or until whoever
// called has to answer.
//
// R1 the caller answers: the progress comes back at once with its asks, and nothing is done.
// R2 asks of one round go to the interpreter side by side, as many as it takes at once; their answers are given to
//    the session in the order of the asks, so the bytes do not depend on who answered first.
// R3 an ask that nobody answers ends it with that error. The answers that came with it are given first; the turn stays
//    open, and who drives it again asks only for what is missing.
// R4 a turn that is to be cancelled is ended at the next ask or answer: what it did stays done; an answer that came
//    too late is not used.
// R5 where the process is to end, it ends with `busy` at the next ask or answer, and the turn stays open; an answer
//    that came too late is not used, and is asked for again.
#pragma once

#include <functional>

#include "engine/session/session.h"
#include "interpreter/interpreter.h"

namespace alfred {

struct RunTurnOptions {
  // Looked at before every ask and every answer, on the thread that called. None: never.
  std::function<bool()> is_cancelled{};
  std::function<bool()> is_stopping{};  // R5
  // Told of every move, the one it starts from too: what is asked, what the reply is.
  std::function<void(const TurnProgress&)> on_move{};
};

Result<TurnProgress> run_turn(Session& session, Interpreter& interpreter, TurnProgress progress,
                              const RunTurnOptions& options = {});

}  // namespace alfred
