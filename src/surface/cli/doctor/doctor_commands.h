// `alfred doctor`: checks the installation; exit 1 when something is broken.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_doctor(const Arguments& arguments, const Streams& streams);

std::vector<Command> doctor_commands();

}  // namespace alfred::cli
