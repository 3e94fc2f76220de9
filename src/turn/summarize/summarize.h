// Summarize: the turn becomes history. The ledger and the trace are made by code; the model only
// words what needs words. show · apply.
//
// R1 the story is asked for when turns leave the window; else what it was stays.
// R2 without a usable answer the turn ends all the same, with what code can say.
// R3 the story keeps every name and number of what it is made of, and no refs: what the model left out is added. It is
//    bounded; its beginning goes first.
// R4 a turn that is stopped becomes history with what it did, and says so.
// R5 a short form that claims what the ledger does not have is not taken: the reply itself stands there, cut.
#pragma once

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

Result<Ask> show_summarize(const Scene& scene);
void apply_summarize(Scene& scene, const Answer& answer);
// R2.
void end_without_summary(Scene& scene);
// R4.
void end_interrupted(Scene& scene);

}  // namespace alfred
