// `alfred scenario`: pages that say what must come out right, run one by one.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_scenario(const Arguments& arguments, const Streams& streams);

std::vector<Command> scenario_commands();

}  // namespace alfred::cli
