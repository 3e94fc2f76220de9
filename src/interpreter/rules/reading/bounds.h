// Numbers that nobody can mean: an order with one is refused as a whole.
//
// R1 an amount is more than nothing and at most a million; nothing at all is only said of what is left.
// R2 one to ten things are made at once.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "interpreter/rules/reading/doing.h"
#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

// That "1.000" may be one or a thousand, where such a number is said; empty: none is.
std::string unclear_number(const ReadingWorld& world, std::string_view message,
                           std::span<const Token> tokens);

// Why it is not done, with what came and what is allowed; empty: all of it may be.
std::string out_of_bounds(const ReadingWorld& world, const Program& program);

}  // namespace alfred::rules
