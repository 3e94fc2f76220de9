// `alfred pack`: packs for who writes one.
//
// R1 `pack check DIR` says what is wrong with a pack, at file:line:column, and exits 1; or what is
//    in it, and exits 0.
// R2 `pack init --db URL` prints a pack.toml for a database as it is.
// R3 `pack install DIR --db URL` makes a PostgreSQL database one of ours: the pack's tables, walled by
//    owner, its rows, and our own records beside them.
// R4 `pack list` prints the packs that are part of the program.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_pack_check(const Arguments& arguments, const Streams& streams);
int run_pack_init(const Arguments& arguments, const Streams& streams);
int run_pack_install(const Arguments& arguments, const Streams& streams);
int run_pack_list(const Arguments& arguments, const Streams& streams);

}  // namespace alfred::cli
