// One round of a turn: what comes next, and what the answers of the last round do.
//
// R1 the steps of the current group are asked side by side; a group begins when the one before has ended.
// R2 a step that failed, is blocked or waits for the user stops what has not begun; what runs goes on to its end.
// R3 then a question goes to the user, or all that the steps of a group ask; else a wish for another plan back to Think, once, with what was done kept (D16);
//    else the turn goes to its reply.
#pragma once

#include <vector>

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

// What has to be asked now; empty when something else happened, or is out.
std::vector<Ask> advance(Scene& scene);
void apply_answer(Scene& scene, const OpenAsk& open);

}  // namespace alfred
