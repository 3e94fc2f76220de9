#include "surface/cli/terminal/inline_style.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "surface/cli/terminal/display_width.h"

namespace alfred::cli {
namespace {

// Odd marks open, the even ones after them close.
enum Mark : char { kBold = 1, kBoldEnd, kItalic, kItalicEnd, kCode, kCodeEnd };
constexpr std::array<std::string_view, 7> kSequences{"",         "\x1b[1m",  "\x1b[22m", "\x1b[3m",
                                                     "\x1b[23m", "\x1b[36m", "\x1b[39m"};

bool is_mark(char c) { return c >= kBold && c <= kCodeEnd; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; }

class InlineReader {
 public:
  InlineReader(std::string_view text, Colours colours) : text_(text), colours_(colours) {}

  std::string read() {
    while (at_ < text_.size())
      if (!take_escape() && !take_code() && !take_link() && !take_pair("**", kBold) &&
          !take_pair("__", kBold) && !take_pair("*", kItalic) && !take_pair("_", kItalic))
        out_ += text_[at_++];
    return std::move(out_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  void put(Mark mark, std::string_view without) {
    if (colours_ == Colours::on)
      out_ += static_cast<char>(mark);
    else
      out_ += without;
  }

  bool take_escape() {
    static constexpr std::string_view kSigns = "\\`*_{}[]()#+-.!|<>~";
    if (rest().size() < 2 || rest()[0] != '\\' || kSigns.find(rest()[1]) == std::string_view::npos)
      return false;
    out_ += rest()[1];
    at_ += 2;
    return true;
  }

  bool take_code() {
    if (rest()[0] != '`') return false;
    const std::size_t ticks = std::min(rest().find_first_not_of('`'), rest().size());
    const std::string fence(ticks, '`');
    const std::size_t end = rest().find(fence, ticks);
    if (end == std::string_view::npos) {
      out_ += fence;
    } else {
      put(kCode, "`");
      out_ += rest().substr(ticks, end - ticks);
      put(kCodeEnd, "`");
    }
    at_ += end == std::string_view::npos ? ticks : end + ticks;
    return true;
  }

  bool take_link() {
    if (rest()[0] != '[') return false;
    const std::size_t middle = rest().find("](");
    const std::size_t end = rest().find(')');
    if (middle == std::string_view::npos || end == std::string_view::npos || end < middle)
      return false;
    const std::string_view name = rest().substr(1, middle - 1);
    const std::string_view address = rest().substr(middle + 2, end - middle - 2);
    out_ += InlineReader(name, colours_).read();
    if (name != address) out_ += " (" + std::string(address) + ")";
    at_ += end + 1;
    return true;
  }

  // Opens before a word and closes after one; _ also stays text inside of a word.
  bool take_pair(std::string_view sign, Mark mark) {
    if (!rest().starts_with(sign)) return false;
    const std::size_t begin = sign.size();
    if (rest().size() <= begin || rest()[begin] == ' ' || rest()[begin] == sign[0]) return false;
    const bool is_low = sign[0] == '_';
    if (is_low && at_ > 0 && is_word(text_[at_ - 1])) return false;
    for (std::size_t end = rest().find(sign, begin); end != std::string_view::npos;
         end = rest().find(sign, end + 1)) {
      const std::size_t after = end + sign.size();
      if (rest()[end - 1] == ' ') continue;
      if (sign.size() == 1 && after < rest().size() && rest()[after] == sign[0]) {
        ++end;
        continue;
      }
      if (is_low && after < rest().size() && is_word(rest()[after])) continue;
      put(mark, "");
      out_ += InlineReader(rest().substr(begin, end - begin), colours_).read();
      put(static_cast<Mark>(mark + 1), "");
      at_ += after;
      return true;
    }
    return false;
  }

  std::string_view text_;
  Colours colours_;
  std::size_t at_ = 0;
  std::string out_;
};

// Fills lines word by word and keeps styles closed at their ends (R3).
class Wrapper {
 public:
  explicit Wrapper(std::size_t columns) : columns_(std::max<std::size_t>(columns, 1)) {}

  void add_word(std::string_view word) {
    const std::size_t width = display_width(word);
    if (used_ > 0 && used_ + 1 + width > columns_) {
      break_line();
    } else if (used_ > 0 || has_word_) {
      line_ += ' ';
      ++used_;
    }
    has_word_ = true;
    while (!word.empty()) add_glyph(word);
  }
  std::vector<std::string> done() {
    break_line();
    return std::move(lines_);
  }

 private:
  void add_glyph(std::string_view& word) {
    if (is_mark(word[0])) {
      const char mark = word[0];
      line_ += mark;
      if (mark % 2 == 1)
        open_ += mark;
      else if (!open_.empty())
        open_.pop_back();
      word.remove_prefix(1);
      return;
    }
    const Glyph glyph = first_glyph(word);
    if (used_ + glyph.columns > columns_ && used_ > 0) break_line();
    line_ += word.substr(0, glyph.bytes);
    used_ += glyph.columns;
    word.remove_prefix(glyph.bytes);
  }
  void break_line() {
    for (auto mark = open_.rbegin(); mark != open_.rend(); ++mark)
      line_ += static_cast<char>(*mark + 1);
    lines_.push_back(std::move(line_));
    line_ = open_;
    used_ = 0;
    has_word_ = false;
  }

  std::size_t columns_;
  std::size_t used_ = 0;
  bool has_word_ = false;
  std::string line_;
  std::string open_;  // marks, in the order they were opened
  std::vector<std::string> lines_;
};

}  // namespace

std::string styled(std::string_view markdown, Colours colours) {
  return InlineReader(markdown, colours).read();
}

std::string styled_bold(std::string_view markdown, Colours colours) {
  if (colours == Colours::off) return styled(markdown, colours);
  std::string out(1, kBold);
  for (const char c : styled(markdown, colours))
    if (c != kBold && c != kBoldEnd) out += c;
  return out + static_cast<char>(kBoldEnd);
}

std::vector<std::string> wrapped(std::string_view styled_text, std::size_t columns) {
  Wrapper wrapper(columns);
  while (!styled_text.empty()) {
    const std::size_t end = std::min(styled_text.find(' '), styled_text.size());
    if (end > 0) wrapper.add_word(styled_text.substr(0, end));
    styled_text.remove_prefix(std::min(end + 1, styled_text.size()));
  }
  return wrapper.done();
}

std::string with_sequences(std::string_view styled_text) {
  std::string out;
  for (const char c : styled_text)
    if (is_mark(c))
      out += kSequences.at(static_cast<std::size_t>(c));
    else
      out += c;
  return out;
}

}  // namespace alfred::cli
