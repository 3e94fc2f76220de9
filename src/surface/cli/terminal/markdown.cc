#include "surface/cli/terminal/markdown.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "surface/cli/terminal/display_width.h"
#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool is_rule(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.size() < 3 || std::string_view("-*_").find(text[0]) == std::string_view::npos)
    return false;
  return text.find_first_not_of(std::string(1, text[0]) + " ") == std::string_view::npos;
}

// The bytes of "- " or "12. " that a list's line begins with after its indent; 0: it is none.
std::size_t bullet_size(std::string_view text) {
  if (text.size() >= 2 && std::string_view("-*+").find(text[0]) != std::string_view::npos)
    return text[1] == ' ' ? 2 : 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < 9 &&
         std::isdigit(static_cast<unsigned char>(text[digits])))
    ++digits;
  const bool is_number = digits > 0 && digits + 1 < text.size() &&
                         (text[digits] == '.' || text[digits] == ')') && text[digits + 1] == ' ';
  return is_number ? digits + 2 : 0;
}

TableRow cells_of(std::string_view line) {
  TableRow cells(1);
  std::string_view text = trimmed(line);
  if (text.starts_with('|')) text.remove_prefix(1);
  if (text.ends_with('|') && !text.ends_with("\\|")) text.remove_suffix(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '|')
      cells.back() += text[++at];
    else if (text[at] == '|')
      cells.emplace_back();
    else
      cells.back() += text[at];
  }
  for (std::string& cell : cells) cell = std::string(trimmed(cell));
  return cells;
}

bool is_table_line(std::string_view line) { return line.find('|') != std::string_view::npos; }
bool is_separator(std::string_view line) {
  return line.find('-') != std::string_view::npos && is_table_line(line) &&
         line.find_first_not_of("|-: ") == std::string_view::npos;
}

class Page {
 public:
  Page(std::string_view text, const PageFormat& format) : format_(format), lines_(lines_of(text)) {}

  std::string render() {
    while (at_ < lines_.size())
      if (!take_fence() && !take_table() && !take_heading()) take_line();
    while (out_.ends_with("\n\n")) out_.pop_back();
    return std::move(out_);
  }

 private:
  std::string_view line() const { return lines_[at_]; }

  // The styled text wrapped behind `head`, whose further lines begin with blanks or `again`.
  void put(std::string_view styled_text, const std::string& head,
           const std::optional<std::string>& again = std::nullopt) {
    const std::size_t taken = display_width(head);
    const std::size_t room = format_.columns > taken + 8 ? format_.columns - taken : 8;
    std::string begin = head;
    for (const std::string& one : wrapped(styled_text, room)) {
      out_ += begin + with_sequences(one) + "\n";
      begin = again ? *again : std::string(taken, ' ');
    }
  }

  bool take_fence() {
    const std::string_view text = trimmed(line());
    if (!text.starts_with("```") && !text.starts_with("~~~")) return false;
    const std::string_view fence = text.substr(0, 3);
    const bool is_coloured = format_.colours == Colours::on;
    for (++at_; at_ < lines_.size() && !trimmed(line()).starts_with(fence); ++at_)
      out_ += "    " +
              (is_coloured ? "\x1b[36m" + std::string(line()) + "\x1b[39m" : std::string(line())) +
              "\n";
    ++at_;
    return true;
  }

  bool take_table() {
    if (!is_table_line(line()) || at_ + 1 >= lines_.size() || !is_separator(lines_[at_ + 1]))
      return false;
    std::vector<TableRow> rows{cells_of(line())};
    for (at_ += 2; at_ < lines_.size() && is_table_line(line()); ++at_) {
      rows.push_back(cells_of(line()));
      rows.back().resize(rows.front().size());
    }
    out_ += render_table(rows, format_);
    return true;
  }

  bool take_heading() {
    const std::size_t depth = line().find_first_not_of('#');
    if (depth == 0 || depth == std::string_view::npos || depth > 6 || line()[depth] != ' ')
      return false;
    if (!out_.empty() && !out_.ends_with("\n\n")) out_ += "\n";
    put(styled_bold(trimmed(line().substr(depth)), format_.colours), "");
    ++at_;
    return true;
  }

  void take_line() {
    const std::string_view text = trimmed(line());
    const std::string indent(std::min<std::size_t>(indent_of(line()), 12), ' ');
    ++at_;
    if (text.empty()) {
      if (!out_.empty() && !out_.ends_with("\n\n")) out_ += "\n";
    } else if (is_rule(text)) {
      for (std::size_t i = 0; i < std::min<std::size_t>(format_.columns, 40); ++i) out_ += "─";
      out_ += "\n";
    } else if (text.starts_with('>')) {
      put(styled(trimmed(text.substr(1)), format_.colours), "│ ", "│ ");
    } else if (const std::size_t bullet = bullet_size(text); bullet > 0) {
      const bool is_number = std::isdigit(static_cast<unsigned char>(text[0])) != 0;
      const std::string sign = is_number ? std::string(text.substr(0, bullet)) : "• ";
      put(styled(trimmed(text.substr(bullet)), format_.colours), indent + sign);
    } else {
      put(styled(text, format_.colours), indent);
    }
  }

  PageFormat format_;
  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string render_markdown(std::string_view markdown, const PageFormat& format) {
  const std::string safe = terminal_text(markdown);
  return Page(safe, format).render();
}

}  // namespace alfred::cli
