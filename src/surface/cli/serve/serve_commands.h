// `alfred serve`: the place and who speaks, over HTTP.
//
// R1 loopback and a token when nothing is said; without a token only on loopback or a Unix socket, and another address only
//    with one.
// R2 it prints where it listens, one line, once it does; then the log, on the error stream.
// R3 what cannot be listened on, or a token that others may read, ends it at once with exit code 2 (F10, F13).
// R4 SIGTERM or Ctrl-C: what is running may finish for ten seconds, then exit 0; the second ends it at once (F2).
#pragma once

#include <vector>

#include "surface/cli/command.h"

namespace alfred::cli {

std::vector<Command> serve_commands();

}  // namespace alfred::cli
