// The words of agent names: 256 that say how, 256 that say what, so that one random byte picks each
// without bias.
//
// R1 lower-case ASCII, 3 to 7 letters, sorted, no word twice, also not across the lists.
// R2 friendly in any pair: nothing rude, nothing about a person, nothing to eat.
// R3 words may be exchanged later: no stored name depends on the lists.
#pragma once

#include <array>
#include <string_view>

namespace alfred {

extern const std::array<std::string_view, 256> kAgentAdjectives;
extern const std::array<std::string_view, 256> kAgentNouns;

}  // namespace alfred
