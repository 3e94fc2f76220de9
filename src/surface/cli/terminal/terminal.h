// What standard output is: a terminal, how wide, and whether it takes colours.
#pragma once

#include <cstddef>
#include <string_view>

#include "surface/cli/config/paths.h"
#include "surface/cli/terminal/markdown.h"

namespace alfred::cli {

struct TerminalFacts {
  bool is_interactive = false;  // both input and output are a terminal
  bool is_output = false;       // output is one
  bool is_capable = false;      // output is one that obeys sequences
  std::size_t columns = 80;
};
TerminalFacts look_at_terminal(const Environment& environment);

// `wanted` is auto, always or never: colours only on a terminal that takes them, in any case, or
// not at all.
Colours colours_for(std::string_view wanted, const TerminalFacts& terminal);

// Whether the locale of the environment is one of UTF-8.
bool is_utf8_locale(const Environment& environment);

}  // namespace alfred::cli
