// What was decided and done, as a node sees it (003, layer 3).
//
// R1 Think: the last turn's decision, its last two steps (D17) and curation, the phase, what the user
//    expressed. Reply: outcomes of this turn, phase. Understand: its own decisions.
// R2 outcomes come from the ledger; a blocked turn says what was in the way.
#pragma once

#include <string>

#include "context/sight.h"
#include "state/session_state.h"

namespace alfred {

std::string format_last_turn(const ReasoningTrace& trace, const Sight& sight);
std::string format_decisions(const std::vector<DecisionLogEntry>& decisions);
// One line a step of the turn that runs: what it was and what came of it.
std::string format_steps_done(const Plan& plan, std::size_t before);
// "read 5", "created 3 of 3", "made 2": from the step's calls, batch and artifacts, never its own
// words.
std::string step_outcome(const Step& step);

}  // namespace alfred
