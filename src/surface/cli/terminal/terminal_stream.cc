#include "surface/cli/terminal/terminal_stream.h"

#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

// Tabs stay, since columns are cut at them.
std::string shown(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t tab = text.find('\t');
    out += terminal_text(text.substr(0, tab));
    if (tab == std::string_view::npos) return out;
    out += '\t';
    text.remove_prefix(tab + 1);
  }
}

}  // namespace

int TerminalStream::Lines::overflow(int c) {
  if (c == traits_type::eof()) return 0;
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

// Lines are whole, so that no character is cut in two.
std::streamsize TerminalStream::Lines::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<std::size_t>(size));
  const std::size_t last = waiting_.rfind('\n');
  if (last != std::string::npos) {
    to_ << shown(std::string_view(waiting_).substr(0, last + 1));
    waiting_.erase(0, last + 1);
  }
  return to_ ? size : 0;
}

int TerminalStream::Lines::sync() {
  to_ << shown(waiting_) << std::flush;
  waiting_.clear();
  return to_ ? 0 : -1;
}

}  // namespace alfred::cli
