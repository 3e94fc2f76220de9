// Appends and acks that came at the same time, in one transaction: what each of them would do
// alone, with what they share done once (the places of a stream, wake-ups, commits of consumers,
// the counter of sequences).
//
// R1 events of a stream are appended in their order; one that comes twice is `deduped` the second time.
// R2 each has its own answer: a source that is not there or takes nothing is an error of that append alone, an agent or
//    entry that is not there of that ack, which has changed nothing then.
// R3 an error of the database is the transaction's, and everybody's.
// R4 acks come first: none of them is of an entry that nobody can have read.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "inbox/flow/ack.h"
#include "inbox/flow/pump.h"

namespace alfred::inbox {

// One of the two.
struct AskedWrite {
  std::string_view of;              // the source of an event, the agent of an ack
  const NewEvent* event = nullptr;  // to be appended
  const AskedAck* ack = nullptr;
};

struct WrittenTogether {
  // {appended, deduped, lastOffset} or {acked}, as many as were asked.
  std::vector<Result<Json>> answers{};
  bool is_pumping = false;  // what failed, failed on the way to the inboxes
};

struct Books {
  ReaderBook readers{};
  AgentBook agents{};
};

// pumps: the events go on to the inboxes.
WrittenTogether write_together(Sql& sql, Books& books, std::span<const AskedWrite> asked,
                               bool pumps);

}  // namespace alfred::inbox
