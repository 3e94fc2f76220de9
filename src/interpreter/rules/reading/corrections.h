// "sorry, I meant 5", "no, I meant the lunches": what was said before, as it was meant.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

// R1 of rows that changed, the same rows get other values; an amount that was added is made up for.
// R2 what was made is forgotten, and the same is made with what was meant: other wishes, another place, other days.
// Nothing: the words say nothing that could have been meant.
std::optional<Program> corrected(const ReadingWorld& world, std::string_view message,
                                 const Doing& before, std::span<const Token> meant);

}  // namespace alfred::rules
