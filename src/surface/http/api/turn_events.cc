#include "surface/http/api/turn_events.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>

#include <fmt/format.h>

namespace alfred::http {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(50);

bool has_begun(const FeedEntry& entry, const std::string& turn) {
  return std::any_of(entry.changes.begin(), entry.changes.end(), [&](const Change& change) {
    const auto* const started = std::get_if<TurnStarted>(&change);
    return started != nullptr && started->id == turn;
  });
}

bool has_ended(const FeedEntry& entry) {
  return std::any_of(entry.changes.begin(), entry.changes.end(), [](const Change& change) {
    return std::holds_alternative<TurnEnded>(change);
  });
}

// One reader of a turn's events.
class Watch {
 public:
  Watch(Api& api, std::unique_ptr<Session> session, std::string turn, EventId after)
      : api_(api),
        session_(std::move(session)),
        feed_(*session_, 0),
        events_(*session_),
        turn_(std::move(turn)),
        after_(after) {}

  void write_to(ResponseStream& stream) {
    while (!is_over_) {
      // Looked at before the journal is: what was moved until then is in it.
      const bool is_moved = api_.slots().is_taken(session_->id());
      if (!write_news(stream) || !is_moved) break;
      if (!is_over_) std::this_thread::sleep_for(kLookEvery);
    }
    if (is_gone_) return;
    // What ended it may have come after the state was looked at, with the last of the news.
    const Result<void> fresh = session_->records().catch_up();
    Result<Json> turn = fresh ? shown_turn(*session_, turn_) : Unexpected(fresh.error());
    if (!turn) {
      stream.write(sse_text("error", error_event(turn.error())));
      return;
    }
    turn->get_object()["event"] = "turn";
    stream.write(sse_text("turn", *turn));
  }

 private:
  bool write_news(ResponseStream& stream) {
    if (!session_->records().catch_up()) return false;
    const Result<std::vector<FeedEntry>> entries = feed_.entries();
    if (!entries) return false;
    for (const FeedEntry& entry : *entries) {
      has_begun_ = has_begun_ || has_begun(entry, turn_);
      if (!has_begun_ || is_over_) continue;
      write_events(stream, events_, entry, after_);
      is_over_ = has_ended(entry);
    }
    is_gone_ = !stream.write("");
    return !is_gone_;
  }

  Api& api_;
  std::unique_ptr<Session> session_;
  TurnFeed feed_;
  EventWriter events_;
  std::string turn_;
  EventId after_;
  bool has_begun_ = false;
  bool is_over_ = false;
  bool is_gone_ = false;
};

}  // namespace

std::optional<EventId> parse_event_id(std::string_view text) {
  EventId id;
  const char* const end = text.data() + text.size();
  const auto place = std::from_chars(text.data(), end, id.place);
  if (place.ec != std::errc() || place.ptr == end || *place.ptr != '-') return std::nullopt;
  const auto number = std::from_chars(place.ptr + 1, end, id.number);
  if (number.ec != std::errc() || number.ptr != end || id.place < 1 || id.number < 1)
    return std::nullopt;
  return id;
}

std::string sse_text(std::string_view event, const Json& json, const std::optional<EventId>& id) {
  const std::string line = id ? fmt::format("id: {}-{}\n", id->place, id->number) : "";
  return fmt::format("event: {}\n{}data: {}\n\n", event, line, write_json(json));
}

void write_events(ResponseStream& stream, EventWriter& events, const FeedEntry& entry,
                  const EventId& after) {
  EventId id{entry.place, 0};
  for (const Json& event : events.events_of(entry.changes)) {
    ++id.number;
    if (id > after)
      stream.write(sse_text(std::string_view(event.at("event").get_string()), event, id));
  }
}

Result<HttpResponse> watch_turn(Api& api, const RouteCall& call) {
  const std::string_view given = call.request.header("last-event-id");
  const std::optional<EventId> after = parse_event_id(given);
  if (!given.empty() && !after)
    return fail(ErrorCode::request, "Last-Event-ID is the id of an event such as 12-1.",
                "Last-Event-ID");
  auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(std::move(session).error());
  const std::string& turn = call.name("turn");
  if (const Result<Json> known = shown_turn(**session, turn); !known)
    return Unexpected(known.error());
  HttpResponse out;
  out.type = "text/event-stream";
  const auto watch =
      std::make_shared<Watch>(api, std::move(*session), turn, after.value_or(EventId{}));
  out.stream = [watch](ResponseStream& stream) { watch->write_to(stream); };
  return out;
}

}  // namespace alfred::http
