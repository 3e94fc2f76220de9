// The table of commands. What a command does stands in the file named after its group.
#include "surface/cli/command.h"

namespace alfred::cli {

std::span<const Group> groups() {
  static const std::vector<Group> table{};
  return table;
}

std::span<const Command> commands() {
  static const std::vector<Command> table{};
  return table;
}

}  // namespace alfred::cli
