// The things that were spoken of last, for who says "with it" or "using those".
#pragma once

#include <string>
#include <vector>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

// The rows that things are made of and that were spoken of last, as nouns; empty: the talk was of
// something else, of too many, or of something that is no noun here.
std::vector<std::string> things_in_focus(const ReadingWorld& world);

}  // namespace alfred::rules
