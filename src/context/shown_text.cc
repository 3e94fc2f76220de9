#include "context/shown_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "refs/model_text.h"

namespace alfred {
namespace {

// What a line of Markdown may begin a block with.
bool begins_block(std::string_view text) {
  if (text.empty()) return false;
  constexpr std::string_view kMarks = "#>-+*=_~|<";
  if (kMarks.find(text.front()) != std::string_view::npos) return true;
  if (text.front() == ' ' || text.front() == '\t') return true;
  const std::size_t digits = text.find_first_not_of("0123456789");
  return digits > 0 && digits != std::string_view::npos && digits <= 9 &&
         (text[digits] == '.' || text[digits] == ')');
}

// Where the backslash goes that takes a block's mark its meaning.
std::size_t mark_place(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  return digits > 0 && digits != std::string_view::npos ? digits : 0;
}

// Letters, digits and marks that stand for themselves everywhere.
bool is_plain(std::string_view text, bool is_cell) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return c >= ' ' && c < '\x7f' && !(is_cell && (c == '|' || c == '`'));
  });
}

std::string visible(std::string_view text, bool is_cell) {
  if (is_plain(text, is_cell)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    const std::string_view bytes = text.substr(at, point ? point->size : 1);
    at += bytes.size();
    if (!point || is_invisible(point->value))
      append_visible(out, bytes);
    else if (is_cell && (bytes == "|" || bytes == "`"))
      out.append("\\").append(bytes);
    else
      out += bytes;
  }
  return out;
}

}  // namespace

std::string shown_line(std::string_view text) {
  std::string out;
  append_shown_line(out, text);
  return out;
}

void append_shown_line(std::string& out, std::string_view text) {
  const bool is_ordinary =
      is_plain(text, false) && !begins_block(text) && text.find("```") == std::string_view::npos;
  if (is_ordinary) {
    out += text;
    return;
  }
  std::string line = visible(text, false);
  if (begins_block(line)) line.insert(mark_place(line), "\\");
  // Three backquotes are a fence wherever a line happens to begin.
  for (std::size_t at = line.find("```"); at != std::string::npos; at = line.find("```", at + 4))
    line.insert(at, "\\");
  out += line;
}

std::string visible_text(std::string_view text) { return visible(text, false); }

std::string shown_cell(std::string_view text) { return visible(text, true); }

std::string fenced(std::string_view text, std::string_view kind) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string out = fence;
  out.append(kind).append("\n").append(text);
  if (!text.ends_with('\n')) out += "\n";
  return out + fence + "\n";
}

std::string shortened(std::string_view text, std::size_t max_chars) {
  const std::string_view fitting = cut_code_points(text, max_chars);
  return fitting.size() == text.size() ? std::string(text) : std::string(fitting) + "…";
}

}  // namespace alfred
