// The name somebody probably meant: commands, options and kinds that were typed wrongly.
//
// R1 near is a third of the letters changed, added, left out or swapped with their neighbour, one at least; or a
//    beginning of three letters or more.
// R2 the nearest, and of two that are as near the first; empty: none is near.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace alfred {

std::string near_name(std::string_view typed, std::span<const std::string> names);
// " Did you mean read?", or nothing.
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

}  // namespace alfred
