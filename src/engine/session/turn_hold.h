// Who moves the turn of a session holds it: of all processes on a machine one at a time, so that
// nobody takes the running turn of another for one that was cut off.
//
// R1 a process that ends, however it does, holds nothing any more: the next finds an open turn and knows that it was left.
// R2 it holds nobody up but who would move the same session: looking, and other sessions, go on.
#pragma once

#include <optional>
#include <string>

#include "base/files/file.h"
#include "engine/record_service.h"

namespace alfred {

// Nothing in it where the place has no folder for it: nobody else can be there.
using TurnHold = std::optional<FileLock>;

// Error: busy when another has it for so long; file.
Result<TurnHold> hold_turns(const RecordPlace& place, const std::string& session, int timeout_ms);

}  // namespace alfred
