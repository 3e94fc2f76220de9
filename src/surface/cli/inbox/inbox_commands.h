// `alfred agent|host|source|subscription|inbox|timer|deliver` and `alfred status|gc`: the inbox
// from a shell.
//
// R1 --db names the inbox's database; without it the one that `alfred chat` uses (named_inbox.h).
// R2 a line or two for people; --json prints the answer that HTTP gives.
// R3 what an entry says was written by strangers: it is cut to a line, and escaped like all that is printed.
#pragma once

#include <vector>

#include "surface/cli/command.h"

namespace alfred::cli {

std::vector<Command> inbox_commands();

}  // namespace alfred::cli
