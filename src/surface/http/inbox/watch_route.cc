// An inbox as server-sent events: what there is, then what comes.
//
// R1 the cursor is checked before anything is streamed: one that is no entry of this inbox is an error.
// R2 each entry is told once for each of its revisions, in the order of their sequence.
// R3 changes by this process are told at once, those of others within half a second.
// R4 who does not read holds up nobody but its own stream.
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "surface/http/inbox/inbox_route.h"

namespace alfred::http {
namespace {

constexpr std::int64_t kPage = 50;
constexpr std::int64_t kLookMs = 500;
constexpr std::int64_t kHeartbeatMs = 15'000;
constexpr std::size_t kPiece = 64 * 1024;
constexpr std::size_t kMostWaiting = 256 * 1024;

// A watcher's place among those that may be here at once.
class Seat {
 public:
  static std::shared_ptr<Seat> take(InboxDoor& door) {
    if (door.watchers.fetch_add(1) < InboxDoor::kMostWatchers) return std::make_shared<Seat>(door);
    --door.watchers;
    return nullptr;
  }
  explicit Seat(InboxDoor& door) : door_(door) {}
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  ~Seat() { --door_.watchers; }

 private:
  InboxDoor& door_;
};

struct Watch {
  InboxDoor& door;
  const Clock& clock;
  std::string agent;
  inbox::ReadEntries read;
  std::int64_t heartbeat_ms = kHeartbeatMs;
};

bool is_over(const Watch& watch) { return watch.door.is_ending && watch.door.is_ending(); }

// R4: in pieces, as they are taken. False: nobody reads any more.
bool write_slowly(ResponseStream& stream, const Watch& watch, std::string_view text) {
  while (!text.empty()) {
    if (!stream.write(text.substr(0, kPiece))) return false;
    text.remove_prefix(std::min(text.size(), kPiece));
    while (stream.waiting() > kMostWaiting) {
      if (is_over(watch) || !stream.write("")) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  return true;
}

bool tell(ResponseStream& stream, const Watch& watch, std::string_view name, const Json& what) {
  return write_slowly(stream, watch,
                      fmt::format("event: {}\ndata: {}\n\n", name, write_json(what)));
}

// All behind the cursor, which moves on. False: it is over.
bool tell_news(ResponseStream& stream, Watch& watch, bool is_first) {
  for (;;) {
    Result<Json> page = watch.door.inbox.entries(watch.agent, watch.read);
    if (!page) return !is_first && error_kind(page.error().code) == ErrorKind::unavailable;
    const JsonArray& entries = page->at("entries").as_array();
    const bool is_whole = std::ssize(entries) < watch.read.most;
    if (!entries.empty()) watch.read.after_entry = entries.back().at("entryId").as_string();
    if ((!entries.empty() || is_first) &&
        !tell(stream, watch, "items",
              JsonObject{{"agentId", watch.agent}, {"entries", page->at("entries")}}))
      return false;
    is_first = false;
    if (is_whole) return true;
  }
}

void run_watch(ResponseStream& stream, Watch watch) {
  const Inbox& inbox = watch.door.inbox;
  std::uint64_t seen = inbox.changes();
  std::int64_t told_ns = watch.clock.monotonic_ns();
  for (bool is_first = true; tell_news(stream, watch, is_first); is_first = false) {
    seen = inbox.wait_for_change(seen, std::min(kLookMs, watch.heartbeat_ms));
    if (is_over(watch) || !stream.write("")) return;
    const std::int64_t now_ns = watch.clock.monotonic_ns();
    if (now_ns - told_ns < watch.heartbeat_ms * 1'000'000) continue;
    told_ns = now_ns;
    if (!tell(stream, watch, "heartbeat", JsonObject{{"agentId", watch.agent}})) return;
  }
}

}  // namespace

Result<HttpResponse> watch_entries(Api& api, const RouteCall& call) {
  const Result<InboxDoor*> door = inbox_door(api, call);
  if (!door) return Unexpected(door.error());
  const Result<bool> with_acked = query_flag(call, "include_acked");
  if (!with_acked) return Unexpected(with_acked.error());
  const Result<std::int64_t> beat = call.number("heartbeat_ms", kHeartbeatMs, 3'600'000);
  if (!beat) return Unexpected(beat.error());
  Watch watch{**door,
              api.world().clock,
              call.plain_name("agent"),
              {call.text("after_entry_id"), *with_acked, kPage},
              std::max<std::int64_t>(*beat, 100)};
  inbox::ReadEntries probe = watch.read;
  probe.most = 1;
  if (const Result<Json> good = watch.door.inbox.entries(watch.agent, probe); !good)
    return Unexpected(good.error());
  const std::shared_ptr<Seat> seat = Seat::take(watch.door);
  if (!seat)
    return fail(ErrorCode::busy,
                fmt::format("{} watch already, and more may not at once. Read entries instead.",
                            InboxDoor::kMostWatchers));
  HttpResponse out;
  out.type = "text/event-stream";
  if (call.request.method == "HEAD") return out;
  out.stream = [seat, watch](ResponseStream& stream) { run_watch(stream, watch); };
  return out;
}

}  // namespace alfred::http
