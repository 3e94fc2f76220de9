// `alfred mcp`: a database for any MCP client, over standard input and output.
#pragma once

#include <vector>

#include "surface/cli/command.h"

namespace alfred::cli {

std::vector<Command> mcp_commands();

}  // namespace alfred::cli
