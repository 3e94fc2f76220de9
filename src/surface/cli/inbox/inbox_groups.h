// The groups of the inbox's commands.
#pragma once

#include <vector>

#include "surface/cli/command.h"

namespace alfred::cli {

std::vector<Command> agent_commands();
std::vector<Command> source_commands();
std::vector<Command> subscription_commands();
std::vector<Command> deliver_commands();
std::vector<Command> watch_commands();
std::vector<Command> follow_commands();

}  // namespace alfred::cli
