#include "surface/cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace alfred::cli {
namespace {

constexpr std::size_t kNarrowest = 20;
constexpr std::size_t kWidest = 400;

std::size_t columns_of(const Environment& environment) {
  std::size_t columns = 0;
  struct winsize size {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  if (columns == 0) {
    const std::string text = environment("COLUMNS");
    std::from_chars(text.data(), text.data() + text.size(), columns);
  }
  return columns == 0 ? 80 : std::clamp(columns, kNarrowest, kWidest);
}

}  // namespace

TerminalFacts look_at_terminal(const Environment& environment) {
  const bool is_terminal = ::isatty(STDOUT_FILENO) != 0;
  TerminalFacts facts;
  facts.is_output = is_terminal;
  facts.is_interactive = is_terminal && ::isatty(STDIN_FILENO) != 0;
  facts.is_capable = is_terminal && environment("TERM") != "dumb" && !environment("TERM").empty();
  facts.columns = columns_of(environment);
  return facts;
}

Colours colours_for(std::string_view wanted, const TerminalFacts& terminal) {
  const bool is_on = wanted == "always" || (wanted == "auto" && terminal.is_capable);
  return is_on ? Colours::on : Colours::off;
}

bool is_utf8_locale(const Environment& environment) {
  std::string name;
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (name.empty()) name = environment(variable);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
}

}  // namespace alfred::cli
