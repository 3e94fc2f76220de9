// `alfred session`, `alfred replay`, `alfred audit`: looking at conversations that are kept.
#pragma once

#include <vector>

#include "surface/cli/command.h"

namespace alfred::cli {

std::vector<Command> session_commands();

}  // namespace alfred::cli
