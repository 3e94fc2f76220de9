// Tables that fit: columns shrink from the widest down, and cells wrap.
#include <algorithm>
#include <numeric>

#include "surface/cli/terminal/display_width.h"
#include "surface/cli/terminal/markdown.h"
#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

constexpr std::string_view kBetween = " │ ";
constexpr std::size_t kBetweenWidth = 3;
constexpr std::size_t kNarrowest = 6;  // a column narrower than this cannot be read

using Widths = std::vector<std::size_t>;

std::size_t sum(const Widths& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0});
}

// What the columns may have; nothing when they do not fit.
Widths fitted(Widths wanted, std::size_t room) {
  while (sum(wanted) > room) {
    const auto widest = std::max_element(wanted.begin(), wanted.end());
    if (*widest <= kNarrowest) return {};
    --*widest;
  }
  return wanted;
}

std::string row_lines(const TableRow& row, const Widths& widths) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t at = 0; at < row.size(); ++at) {
    cells.push_back(wrapped(row[at], widths[at]));
    height = std::max(height, cells.back().size());
  }
  std::string out;
  for (std::size_t line = 0; line < height; ++line) {
    for (std::size_t at = 0; at < cells.size(); ++at) {
      const std::string text = line < cells[at].size() ? cells[at][line] : "";
      const bool is_last = at + 1 == cells.size();
      out += with_sequences(is_last ? text : padded(text, widths[at]));
      if (!is_last) out += kBetween;
    }
    while (out.ends_with(' ')) out.pop_back();
    out += "\n";
  }
  return out;
}

std::string rule(const Widths& widths) {
  std::string out;
  for (std::size_t at = 0; at < widths.size(); ++at) {
    if (at > 0) out += "─┼─";
    for (std::size_t i = 0; i < widths[at]; ++i) out += "─";
  }
  return out + "\n";
}

// Each row as lines of its own, for a table that is too wide.
std::string as_lists(std::span<const TableRow> rows) {
  std::string out;
  for (const TableRow& row : rows.subspan(1)) {
    for (std::size_t at = 0; at < row.size(); ++at)
      if (!row[at].empty())
        out += with_sequences(rows.front()[at]) + ": " + with_sequences(row[at]) + "\n";
    out += "\n";
  }
  if (!out.empty()) out.pop_back();
  return out;
}

}  // namespace

std::string render_table(std::span<const TableRow> rows, const PageFormat& format) {
  if (rows.empty() || rows.front().empty()) return "";
  std::vector<TableRow> cells;
  Widths wanted(rows.front().size(), 1);
  for (const TableRow& row : rows) {
    TableRow& out = cells.emplace_back();
    for (std::size_t at = 0; at < wanted.size(); ++at) {
      const std::string text = at < row.size() ? terminal_line(row[at]) : "";
      out.push_back(cells.size() == 1 ? styled_bold(text, format.colours)
                                      : styled(text, format.colours));
      wanted[at] = std::max(wanted[at], display_width(out.back()));
    }
  }
  const std::size_t between = kBetweenWidth * (wanted.size() - 1);
  const Widths widths =
      format.columns > between ? fitted(wanted, format.columns - between) : Widths();
  if (widths.empty()) return as_lists(cells);
  std::string out = row_lines(cells.front(), widths) + rule(widths);
  for (std::size_t at = 1; at < cells.size(); ++at) out += row_lines(cells[at], widths);
  return out;
}

}  // namespace alfred::cli
