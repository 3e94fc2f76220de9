// What a session knew when a turn of it was over: its journal, folded up to there (time travel).
//
// R1 the state after the last turn, with what was changed by hand since, is the session's own.
// R2 a turn that is not over yet gives what is known by now.
#pragma once

#include <string>

#include "engine/session/session.h"

namespace alfred {

// Errors: session where it has no such turn; corrupt.
Result<SessionState> state_after(Session& session, const std::string& turn);

}  // namespace alfred
