// How candidates are named when the user is asked which one is meant.
//
// R1 an entity is named by its label; those whose labels are the same, also by up to two values that the
//    others of that label do not share: "milk (location: fridge)".
// R2 only rows that were read in the window tell; refs, lists and long texts do not.
#pragma once

#include <string>
#include <vector>

#include "state/session_state.h"

namespace alfred {

// One name for each ref, in their order.
std::vector<std::string> told_apart(const SessionState& state,
                                    const std::vector<std::string>& refs);

}  // namespace alfred
