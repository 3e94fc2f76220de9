// Appends that came at the same time, in one transaction: what each of them would do alone, with
// what they share done once (the places of a stream, wake-ups, commits of consumers, the counter of
// sequences).
//
// R1 events of a stream are appended in their order; one that comes twice is `deduped` the second time.
// R2 each has its own answer: a source that is not there or takes nothing is an error of that append alone.
// R3 an error of the database is the transaction's, and everybody's.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "inbox/flow/pump.h"

namespace alfred::inbox {

struct AskedAppend {
  std::string_view source;
  const NewEvent* event = nullptr;
};

struct AppendedTogether {
  std::vector<Result<Json>> answers{};  // {appended, deduped, lastOffset}, as many as were asked
  bool is_pumping = false;              // what failed, failed on the way to the inboxes
};

// pumps: the events go on to the inboxes.
AppendedTogether append_together(Sql& sql, ReaderBook& book, std::span<const AskedAppend> asked,
                                 bool pumps);

}  // namespace alfred::inbox
