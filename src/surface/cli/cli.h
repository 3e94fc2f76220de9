// The command line: one table of commands (commands.cc), parsed in one place (cli.cc).
#pragma once

namespace alfred::cli {

// Runs one command. Returns the process's exit code: 0 done, 1 the input was bad, 2 the command
// line was, 3 a file or store was not available.
int run(int argc, char** argv);

}  // namespace alfred::cli
