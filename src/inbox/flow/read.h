// What is in an inbox, for its agent. Reading changes nothing.
//
// R1 entries come in the order of their sequence; an entry's id is a cursor, also after retention. A page says
//    whether there are more.
// R2 superseded snapshots are not shown; acked entries only when asked for.
// R3 an event's payload stands once in an entry. An entry shows all its items: what was not shown cannot be acked
//    by it. Threads are bounded (materialise.h R5).
#pragma once

#include "inbox/store/page.h"

namespace alfred::inbox {

struct ReadEntries {
  std::string after_entry{};
  bool with_acked = false;
  std::int64_t most = 50;

  // What an agent that deals with one after the other asks for. It takes a moment only, and may go
  // between two writes.
  bool asks_for_few() const { return most <= kFewEntries && !with_acked; }
  static constexpr std::int64_t kFewEntries = 4;
};

Result<Json> read_entries(Sql& sql, std::string_view agent, const ReadEntries& read);
// The entry with this sequence; null when there is none.
Result<Json> entry_at(Sql& sql, std::string_view agent, std::int64_t sequence);
// {"sequence"} of the newest entry, acked or not; 0 when there is none. It rises with each new one.
Result<Json> newest_entry(Sql& sql, std::string_view agent);
Result<Json> inbox_details(Sql& sql, std::string_view agent);
Result<Json> inbox_policy(Sql& sql, std::string_view agent);
Result<Json> set_inbox_policy(Sql& sql, std::string_view agent, const Json& request);

}  // namespace alfred::inbox
