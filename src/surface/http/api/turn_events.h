// A turn's events as server-sent events, each under the id by which a reader goes on after it.
//
// R1 an id is the place in the session's journal and the event's number in it, "12-1"; what comes from no journal (a
//    token, the turn at the end) has none.
// R2 who watches a turn gets its events from the beginning, or after the id in Last-Event-ID, those that are to come too,
//    and at last `turn`: when it is over, or when nobody here moves it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/feed/turn_feed.h"
#include "surface/http/api/open_session.h"

namespace alfred::http {

struct EventId {
  std::int64_t place = 0;
  std::int64_t number = 0;
  friend auto operator<=>(const EventId&, const EventId&) = default;
};
// Nothing: it is none.
std::optional<EventId> parse_event_id(std::string_view text);

std::string sse_text(std::string_view event, const Json& json,
                     const std::optional<EventId>& id = {});

// Writes those of the events of an entry that come after `after`.
void write_events(ResponseStream& stream, EventWriter& events, const FeedEntry& entry,
                  const EventId& after);

// R2. Errors: session, request.
Result<HttpResponse> watch_turn(Api& api, const RouteCall& call);

}  // namespace alfred::http
