// What `status` lists beside its counts: the newest of each kind, bounded.
#pragma once

#include "inbox/store/sql.h"

namespace alfred::inbox {

inline constexpr std::int64_t kMostListed = 100;

// Adds agents, sources, subscriptions, inboxes, activationTargets, activationDispatchStates,
// streams, consumers, adapters and lifecycle.
void add_status_lists(Sql& sql, JsonObject& status);

}  // namespace alfred::inbox
