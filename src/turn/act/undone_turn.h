// What follows for the state when a call took the turn before back.
//
// R1 content whose save was taken back is unsaved again, whole, under a new ref: a row that went keeps its own (D30).
// R2 of the step's batch the items that the undo touched are complete, as their rows show. The others are failed and
//    say why: an undo takes back what the turn before did, whatever "that" was taken to mean.
#pragma once

#include "turn/scene.h"

namespace alfred {

// After a call of this step was told; does nothing unless that was an undo.
void take_undone(Scene& scene, std::uint32_t step);

}  // namespace alfred
