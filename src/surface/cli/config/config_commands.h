// `alfred config show` and `alfred config path`.
//
// R1 a value is shown with where it comes from.
// R2 no secret is shown: of a key only where it comes from, of an address its user and password not.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_config_show(const Arguments& arguments, const Streams& streams);
int run_config_path(const Arguments& arguments, const Streams& streams);

std::vector<Command> config_commands();

}  // namespace alfred::cli
