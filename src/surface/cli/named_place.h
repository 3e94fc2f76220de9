// The place that a command's arguments name: --db, --pack, --workspace, --user; where they do not,
// the environment and the configuration (config/config.h).
//
// R1 what opening has to say (a file that was moved aside) goes to the error stream, a line each.
// R2 an empty --user or --workspace is refused: a script with an unset variable must not read somebody else's rows.
#pragma once

#include "engine/open_place.h"
#include "surface/cli/command.h"

namespace alfred::cli {

struct Ports {
  SystemClock clock{};
  OsRandom random{};
};

Result<PlaceOptions> named_place(const Arguments& arguments);
Result<RecordPlace> open_named_place(const Arguments& arguments, const Streams& streams,
                                     Ports& ports);

}  // namespace alfred::cli
