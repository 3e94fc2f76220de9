// The inbox's own tables, one for each of its record kinds, every id stored as it is shown.
//
// R1 names begin with alfred_inbox_; `place` is an event's offset in its stream, from 1 without gaps.
// R2 what hangs on a record goes with it (ON DELETE CASCADE), so that no orphans stay. What comes with
//    every event has no such links to another, which would take a tree each: an item and its entry
//    are acked together and go together, by retention or with their inbox; events go with their
//    source, when no item shows them.
// R3 the numbers that are never used again live in alfred_inbox_counters, not in memory.
#pragma once

#include "storage/statement.h"

namespace alfred::inbox {

StateTables inbox_tables();

}  // namespace alfred::inbox
