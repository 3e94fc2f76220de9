// When targets are to be told: the outbox of the flow, a row per target (alfred_inbox_dispatch).
//
// R1 the first new entry makes a target due after its window (3 s), the twentieth at once; within its lease new
//    entries only add up, and the end of the lease is when it is due again.
// R2 an ack that leaves entries the target was not told of makes it due at once; one that leaves nothing unacked
//    clears what waits.
// R3 when one target goes, the others of its agent that were not told of what is unacked are due at once: they may
//    have waited behind it.
#pragma once

#include "inbox/flow/agent_book.h"

namespace alfred::inbox {

inline constexpr std::int64_t kWakeWindowMs = 3'000;
inline constexpr std::int64_t kWakeAtOnce = 20;

using TargetIds = std::vector<std::string>;
// In the order of their ids.
TargetIds target_ids(Sql& sql, std::string_view agent, bool only_active);

// Whether there is anybody to be woken: an active target.
bool raise_intents(Sql& sql, std::string_view agent, std::int64_t entries);
// The same for who knows the active targets of the agent.
void raise_intents_of(Sql& sql, const TargetIds& active, std::int64_t entries);
void settle_intents(Sql& sql, const AgentPage& agent);
void raise_owed(Sql& sql, std::string_view agent);
// The sequence of the newest entry that an agent has not acked; 0: there is none.
std::int64_t newest_unacked(Sql& sql, std::string_view agent);

}  // namespace alfred::inbox
