// Text from outside (rows, replies, names) as a terminal may have it: readable, and never obeyed.
//
// R1 control characters, escape sequences among them, are shown as \u{1b}; line ends and tabs stay, a tab as blanks.
// R2 what nobody sees or what turns the direction of text is shown the same way: U+200B–F, U+202A–E, U+2066–9, U+FEFF,
//    tags, selectors beyond U+E0100 and the like; the joiner inside of an emoji stays.
// R3 a byte that is no UTF-8 is shown as \x{ff}.
#pragma once

#include <string>
#include <string_view>

namespace alfred::cli {

std::string terminal_text(std::string_view text);
// The same on one line: line ends are shown as blanks.
std::string terminal_line(std::string_view text);

}  // namespace alfred::cli
