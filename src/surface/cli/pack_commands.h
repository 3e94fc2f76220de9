// `alfred pack`: packs for who writes one.
//
// R1 `pack check DIR` says what is wrong with a pack, at file:line:column, and exits 1; or what is
//    in it, and exits 0.
// R2 `pack init --db URL` prints a pack.toml for a database as it is.
// R3 `pack list` prints the packs that are part of the program.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_pack_check(const Arguments& arguments, const Streams& streams);
int run_pack_init(const Arguments& arguments, const Streams& streams);
int run_pack_list(const Arguments& arguments, const Streams& streams);

}  // namespace alfred::cli
