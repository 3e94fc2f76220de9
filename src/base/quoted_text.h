// How a message shows text that came from outside.
//
// R1 printable ASCII stands as it is, in backquotes; every other byte, backquote and backslash as \xNN.
// R2 at most 32 bytes are shown; what is cut is counted.
// R3 a uuid is never shown, whole or in part: the message says that there was one.
#pragma once

#include <string>
#include <string_view>

namespace alfred {

std::string quoted_text(std::string_view text);

}  // namespace alfred
