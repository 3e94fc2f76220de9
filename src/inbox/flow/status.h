// What there is, counted, and what may go.
//
// R1 acked items go after a day with their entries; the entries' ids stay as cursors and boundaries.
// R2 agents that were offline for a week go with everything that hangs on them.
// R3 sources that were removed go when no item shows their events; subscriptions whose time is over go.
// R4 timers that are done, activations, deliveries that are over and dead letters go after a week.
#pragma once

#include "inbox/store/sql.h"

namespace alfred::inbox {

struct Retention {
  std::int64_t acked_ms = 0, offline_ms = 0;
};

Json status_of(Sql& sql, const Retention& retention);
Json collect(Sql& sql, const Retention& retention);
// R1 for one agent's inbox.
Result<Json> compact_inbox(Sql& sql, std::string_view agent, const Retention& retention);

}  // namespace alfred::inbox
