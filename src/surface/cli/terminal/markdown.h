// Markdown as a terminal shows it readably.
//
// R1 text from outside goes through terminal_text(): nothing in it is obeyed.
// R2 headings, lists, quotes, rules, code and inline marks; a line end of the source stays a line end.
// R3 lines are wrapped at the width, those of lists and quotes under their own text.
// R4 tables fit the width: columns shrink and cells wrap; where even that does not fit, a row becomes lines of
//    `name: value`.
// R5 without colours the output has no sequence at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surface/cli/terminal/inline_style.h"

namespace alfred::cli {

struct PageFormat {
  std::size_t columns = 80;
  Colours colours = Colours::off;
};

// Ends in a line end, unless the text is empty.
std::string render_markdown(std::string_view markdown, const PageFormat& format);

// A table of cells in Markdown (R4); the first row is the head.
using TableRow = std::vector<std::string>;
std::string render_table(std::span<const TableRow> rows, const PageFormat& format);

}  // namespace alfred::cli
