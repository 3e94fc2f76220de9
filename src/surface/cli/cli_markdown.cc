#include "surface/cli/cli_markdown.h"

#include <fmt/format.h>

namespace alfred::cli {
namespace {

constexpr std::string_view kHead =
    "# The command line\n\n"
    "Generated from the command table in `src/surface/cli/commands.cc` by `scripts/docs`; a test\n"
    "fails when they differ. `alfred --help`, `alfred <command> --help` and `alfred --version` work\n"
    "everywhere.\n\n"
    "| exit code | means |\n|---|---|\n"
    "| 0 | done |\n"
    "| 1 | the input was bad; the message says where and what is allowed |\n"
    "| 2 | the command line does not parse, or the data folder cannot be used |\n"
    "| 3 | a file or store was not available, or is of a newer version |\n"
    "| 4 | a database file or registry is damaged; it was left as it is |\n";

std::string cell(std::string_view text) {
  std::string out;
  for (const char one : text) {
    if (one == '|') out += '\\';
    out += one == '\n' ? ' ' : one;
  }
  return out;
}

bool is_option(const Parameter& parameter) { return parameter.name.starts_with('-'); }

// "--table TABLE", "[--count N]", "ID..."
std::string usage(const Parameter& parameter) {
  std::string form(parameter.name);
  if (is_option(parameter) && !parameter.value.empty()) form += fmt::format(" {}", parameter.value);
  if (!is_option(parameter)) form = fmt::format("<{}>", parameter.name);
  if (parameter.is_repeated) form += "...";
  return parameter.is_required ? form : fmt::format("[{}]", form);
}

std::string command_section(const Command& command) {
  std::string line = "alfred";
  if (!command.group.empty()) line += fmt::format(" {}", command.group);
  line += fmt::format(" {}", command.name);
  std::string out = fmt::format("\n### {}\n\n{}\n\n", line, command.help);
  for (const Parameter& parameter : command.parameters)
    line += fmt::format(" {}", usage(parameter));
  out += fmt::format("    {}\n", line);
  if (command.parameters.empty()) return out;
  out += "\n| parameter | value | required | meaning |\n|---|---|---|---|\n";
  for (const Parameter& parameter : command.parameters)
    out += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name,
                       parameter.value.empty() ? "flag" : cell(parameter.value),
                       parameter.is_required ? "yes" : "no", cell(parameter.help));
  return out;
}

}  // namespace

std::string cli_markdown(std::span<const Group> groups, std::span<const Command> commands) {
  std::string out(kHead);
  for (const Command& command : commands)
    if (command.group.empty()) out += command_section(command);
  for (const Group& group : groups) {
    out += fmt::format("\n## {}\n\n{}\n", group.name, group.help);
    for (const Command& command : commands)
      if (command.group == group.name) out += command_section(command);
  }
  return out;
}

}  // namespace alfred::cli
