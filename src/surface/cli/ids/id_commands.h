// `alfred id`: making durable ids and checking them, one per line, for use in a pipeline.
//
// R1 `id new <prefix|kind>` prints --count ids (1 to 1,000,000; 1 when not given).
// R2 `id check <id>...` prints `<id>\t<kind>` for each good one on standard output and says of
//    each bad one, on standard error, what is wrong and which id was probably meant; exit 1 if any
//    is bad.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_id_new(const Arguments& arguments, const Streams& streams);
int run_id_check(const Arguments& arguments, const Streams& streams);

}  // namespace alfred::cli
