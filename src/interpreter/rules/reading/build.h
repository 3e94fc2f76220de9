// From a phrase that matched to what is to be done.
#pragma once

#include <vector>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

// Nothing when the phrase cannot be meant: no such rows are known, or a value is none.
std::vector<Doing> build(const ReadingWorld& world, const Clause& clause, const IntentMatch& found);

}  // namespace alfred::rules
