// Ack: the agent has dealt with entries. Never the same as a consumer's commit.
//
// R1 acking an entry acks the items it holds; every entry of the inbox whose items are all acked is acked then.
// R2 `through` e acks what entries with a sequence up to e's hold, as of e's revision; what came later stays, also
//    of the same thread. e itself may be acked, superseded, or gone by retention.
// R3 a superseded snapshot can be acked; what is left of its thread's newest appears as the next revision.
// R4 again is fine and acks 0; an unknown id in entryIds acks 0, in throughEntryId it is refused. A superseded
//    snapshot counts where it was named, in entryIds or as e.
// R5 a thread with nothing unacked and nothing waiting is closed.
#pragma once

#include <string>
#include <vector>

#include "inbox/flow/agent_book.h"

namespace alfred::inbox {

// What is acked: these entries, or all up to one, or where neither is given all.
struct AskedAck {
  std::vector<std::string> entries{};
  std::string through{};
};

// Exactly one of {entryIds}, {throughEntryId}, {all: true}.
Result<AskedAck> read_ack(const Json& request);
// {acked}. An error that is not the database's comes before anything is changed.
Result<Json> ack_entries(Sql& sql, const AgentPage& agent, const AskedAck& asked);

// The sequence of an entry of this inbox, also of one that retention removed.
Result<std::int64_t> sequence_of(Sql& sql, std::string_view inbox, std::string_view entry);

}  // namespace alfred::inbox
