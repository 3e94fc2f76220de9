// The inline marks of Markdown, and lines that fit a width.
//
// A styled text is plain text with one-byte marks in it that no text from outside can hold (it went
// through terminal_text() before), so that it can be measured and wrapped like any other.
//
// R1 **bold**, *italic*, `code`, [text](address), and \ before a sign; a mark without its partner is text.
// R2 a wrapped line is broken between words; a word that is too long alone is cut.
// R3 a style that goes over a line's end is closed there and opened again on the next.
// R4 without colours there are no marks; code keeps its backquotes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace alfred::cli {

enum class Colours : std::uint8_t { off, on };

std::string styled(std::string_view markdown, Colours colours);
// All of it bold.
std::string styled_bold(std::string_view markdown, Colours colours);

std::vector<std::string> wrapped(std::string_view styled_text, std::size_t columns);

// The marks as a terminal's sequences.
std::string with_sequences(std::string_view styled_text);

}  // namespace alfred::cli
