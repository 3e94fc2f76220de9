// Subscriptions: an agent's interest in a source, each with its consumer.
//
// R1 start positions: latest (what is appended from now on), earliest, at_offset (startOffset is the first that is
//    read), at_time (the first event appended then or later).
// R2 a filter is compiled before it is kept; one that does not compile is refused.
// R3 a consumer never goes back, nor beyond the end of its stream, but by reset, which leaves a commit of kind
//    `reset`.
// R4 a consumer that has read all that was pumped follows its stream: it costs nothing while nothing matches.
// R5 cleanup: manual; at (a time); on_terminal (the tracked resource ended, plus a grace); on_terminal_or_at.
//    None is retired before it has read the event that ends it.
#pragma once

#include "inbox/store/page.h"

namespace alfred::inbox {

Result<Json> add_subscription(Sql& sql, const Json& request);
Result<Json> subscription_details(Sql& sql, std::string_view subscription);
Result<Json> remove_subscription(Sql& sql, std::string_view subscription);
struct ListSubscriptions {
  std::string source{}, agent{};  // empty: of any
  ListPage page{};
};
Result<Json> list_subscriptions(Sql& sql, const ListSubscriptions& list);

Result<Json> lag_of(Sql& sql, std::string_view subscription);
Result<Json> reset_consumer(Sql& sql, std::string_view subscription, const Json& request);
Result<Json> commit_offset(Sql& sql, std::string_view subscription, const Json& request);
void note_commit(Sql& sql, std::string_view consumer, std::string_view kind, std::int64_t place);

// The resource ended, as an event at this place of this source says. Subscriptions of this source
// that began behind that place are not meant.
struct TerminalSignal {
  std::string host, source, resource;
  std::int64_t place = 0;
  std::string only{};  // the subscription that catches up on it; empty: it is new to all
};
void mark_terminal(Sql& sql, const TerminalSignal& signal);
// Removes at most so many subscriptions whose time is over: how many.
std::int64_t retire_due(Sql& sql, std::int64_t most);

}  // namespace alfred::inbox
