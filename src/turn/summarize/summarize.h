// Summarize: the turn becomes history. The ledger and the trace are made by code; the model only
// words what needs words. show · apply.
//
// R1 the story is asked for when turns leave the window; else what it was stays.
// R2 without a usable answer the turn ends all the same, with what code can say.
// R3 a turn that is stopped becomes history with what it did, and says so.
#pragma once

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

Ask show_summarize(const Scene& scene);
void apply_summarize(Scene& scene, const Answer& answer);
// R3.
void end_interrupted(Scene& scene);

}  // namespace alfred
