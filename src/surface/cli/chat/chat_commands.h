// `alfred chat`: a conversation at a terminal, or one turn a line from a stream.
//
// R1 exit codes: 0 all turns came to a reply, 1 one failed, 2 wrong usage, 130 interrupted; 3 and 4 as for
//    every command.
// R2 without a person at a terminal, or with --once: no greeting and no prompt; where the output is no terminal,
//    plain text without colours.
// R3 at a terminal the line that was typed, and what it led to, is on the screen before the next is read.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_chat(const Arguments& arguments, const Streams& streams);

std::vector<Command> chat_commands();

}  // namespace alfred::cli
