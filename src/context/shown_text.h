// How text from outside (rows, messages, a model's own earlier words) stands in a prompt: readable,
// and never as structure.
//
// R1 a line stays one line: line ends are shown as \n, invisible characters as their code point.
// R2 a line cannot begin a heading, list, quote, table, fence or rule, wherever we put it.
// R3 ordinary text stands as it is; only hostile values are escaped.
// R4 a block stands in a fence that is longer than any run of backquotes inside.
// R5 in the end a whole prompt is looked through: what is still invisible is shown as its code point. A
//    joiner stays where it joins, as in signs of several people or in some scripts: between two
//    characters that are seen and are not ASCII.
#pragma once

#include <string>
#include <string_view>

namespace alfred {

std::string shown_line(std::string_view text);
// R3: whether shown_line() gives back the very text, as far as that is told at a glance.
bool is_shown_as_it_is(std::string_view text);
void append_shown_line(std::string& out, std::string_view text);
// The same for a cell of a table: also | is escaped.
std::string shown_cell(std::string_view text);
// The text in one line with what is invisible or no text escaped, and nothing else.
std::string visible_text(std::string_view text);
// ```json … ```; `kind` may be empty.
std::string fenced(std::string_view text, std::string_view kind);
// R5; lines and tabs stay.
std::string visible_prompt(std::string_view prompt);
// R5 for one text: joiners that shown_line() and the like made visible join again.
std::string with_joiners(std::string_view text);
// The text cut to so many characters, with an ellipsis that says so.
std::string shortened(std::string_view text, std::size_t max_chars);

}  // namespace alfred
