// `alfred refs`: the translation layer as plain filters over a registry file.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_refs_out(const Arguments& arguments,
                 const Streams& streams);  // rows on stdin → refs on stdout
int run_refs_in(const Arguments& arguments,
                const Streams& streams);  // parameters in refs → in keys
int run_refs_show(const Arguments& arguments, const Streams& streams);  // what a registry knows

}  // namespace alfred::cli
