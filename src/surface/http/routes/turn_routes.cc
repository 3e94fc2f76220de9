// Turns: said, answered by the caller's own model, gone on with, cancelled, looked at.
#include <chrono>
#include <limits>
#include <thread>

#include "contracts/shape.h"
#include "engine/session/audit.h"
#include "surface/http/api/turn_events.h"
#include "surface/http/api/turn_run.h"

namespace alfred {

struct TurnRequest {
  std::string message{};
  std::optional<std::string> interpreter{};
};
template <>
struct Described<TurnRequest> {
  static Shape make() {
    return object("TurnRequest", {field<&TurnRequest::message>("message", "What the user says."),
                                  field<&TurnRequest::interpreter>("interpreter", "Who answers.")});
  }
};

struct AnswerRequest {
  std::uint32_t ask = 0;
  std::string text{};
  std::optional<FinishReason> finish{};
};
template <>
struct Described<AnswerRequest> {
  static Shape make() {
    return object("AnswerRequest", {field<&AnswerRequest::ask>("ask", "Which ask it answers."),
                                    field<&AnswerRequest::text>("text", "What the model said."),
                                    field<&AnswerRequest::finish>("finish", "Why it stopped.")});
  }
};

struct ResumeRequest {
  std::optional<std::string> interpreter{};
};
template <>
struct Described<ResumeRequest> {
  static Shape make() {
    return object("ResumeRequest",
                  {field<&ResumeRequest::interpreter>("interpreter", "Who answers.")});
  }
};

namespace http {
namespace {

constexpr std::int64_t kPage = 50;
constexpr std::int64_t kCancelMs = 5000;

template <class T>
Result<T> read_body(const RouteCall& call) {
  DecodeNotes notes;
  Result<T> body = from_json<T>(call.body, notes);
  if (body && !notes.unknown_fields.empty())
    return fail(ErrorCode::schema, "The body has a member that nobody reads.",
                notes.unknown_fields.front());
  return body;
}

Result<HttpResponse> say(Api& api, const RouteCall& call) {
  const Result<TurnRequest> body = read_body<TurnRequest>(call);
  if (!body) return Unexpected(body.error());
  // It begins with the tables as they are; where they cannot be read the last that were still
  // count.
  if (const auto& live = api.world().place.live) (void)live->now();
  auto run = TurnRun::open(api, call.name("session"), body->interpreter.value_or(""));
  if (!run) return Unexpected(std::move(run).error());
  const Result<std::string> key = own_key(api, call);
  if (!key) return Unexpected(key.error());
  if (Result<void> started = (*run)->start(body->message, *key); !started)
    return Unexpected(std::move(started).error());
  return TurnRun::response(std::move(*run), call);
}

Result<HttpResponse> give_answer(Api& api, const RouteCall& call) {
  const Result<AnswerRequest> body = read_body<AnswerRequest>(call);
  if (!body) return Unexpected(body.error());
  auto run = TurnRun::open(api, call.name("session"), "caller");
  if (!run) return Unexpected(std::move(run).error());
  const Answer answer{body->ask, body->text, body->finish.value_or(FinishReason::stop)};
  if (Result<void> taken = (*run)->answer(call.name("turn"), answer); !taken)
    return Unexpected(std::move(taken).error());
  return TurnRun::response(std::move(*run), call);
}

// Who goes on with a turn where the request names nobody: what was begun for the caller's model is
// shown to no other.
Result<std::string> who_goes_on(const Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  return std::string((*session)->waits_for_caller() ? "caller" : "");
}

Result<HttpResponse> go_on(Api& api, const RouteCall& call) {
  const Result<ResumeRequest> body = read_body<ResumeRequest>(call);
  if (!body) return Unexpected(body.error());
  const std::string named = body->interpreter.value_or("");
  const Result<std::string> who = named.empty() ? who_goes_on(api, call) : named;
  if (!who) return Unexpected(who.error());
  auto run = TurnRun::open(api, call.name("session"), *who);
  if (!run) return Unexpected(std::move(run).error());
  if (Result<void> resumed = (*run)->resume(call.name("turn")); !resumed)
    return Unexpected(std::move(resumed).error());
  return TurnRun::response(std::move(*run), call);
}

Result<HttpResponse> show_turn(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  const Result<Json> turn = shown_turn(**session, call.name("turn"));
  if (!turn) return Unexpected(turn.error());
  return json_response(*turn);
}

// Who moves the turn in this process is told, and sees it at the next ask or answer; then it is
// ended here.
Result<HttpResponse> cancel(Api& api, const RouteCall& call) {
  const std::string& id = call.name("session");
  const auto tick = std::chrono::milliseconds(20);
  const std::int64_t until = api.world().clock.monotonic_ns() + kCancelMs * 1'000'000;
  while (true) {
    auto run = TurnRun::open(api, id, "caller");
    const bool is_taken = !run && run.error().code == ErrorCode::turn_open;
    if (!run && !is_taken) return Unexpected(std::move(run).error());
    if (run) {
      if (Result<void> ended = (*run)->cancel(call.name("turn")); !ended)
        return Unexpected(std::move(ended).error());
      run->reset();
      return show_turn(api, call);
    }
    api.slots().cancel(id);
    if (api.world().clock.monotonic_ns() > until) return Unexpected(std::move(run).error());
    std::this_thread::sleep_for(tick);
  }
}

Result<HttpResponse> list_turns(Api& api, const RouteCall& call) {
  const Result<std::int64_t> limit = call.number("limit", kPage, 200);
  if (!limit) return Unexpected(limit.error());
  const Result<std::int64_t> after =
      call.number("after", 0, std::numeric_limits<std::int64_t>::max());
  if (!after) return Unexpected(after.error());
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  Result<JsonArray> turns = shown_turns(**session, *after, *limit);
  if (!turns) return Unexpected(std::move(turns).error());
  return json_response(JsonObject{{"turns", std::move(*turns)}});
}

}  // namespace

std::vector<Route> turn_routes() {
  return {
      {.method = "POST",
       .path = "/v1/sessions/{session}/turns",
       .id = "start_turn",
       .says =
           "Says something, and gives the reply; or the asks, where the caller's model answers.",
       .answer = "Turn",
       .run = say,
       .body = "TurnRequest",
       .lane = Lane::turn,
       .streams = true},
      {.method = "GET",
       .path = "/v1/sessions/{session}/turns",
       .id = "list_turns",
       .says = "The turns of a session, in order.",
       .answer = "Turns",
       .run = list_turns,
       .query = {"after", "limit"}},
      {.method = "GET",
       .path = "/v1/sessions/{session}/turns/{turn}",
       .id = "get_turn",
       .says = "One turn, with the asks that wait for the caller.",
       .answer = "Turn",
       .run = show_turn},
      {.method = "GET",
       .path = "/v1/sessions/{session}/turns/{turn}/events",
       .id = "watch_turn",
       .says =
           "The events of a turn from its beginning, or after the one that Last-Event-ID names, as they happen.",
       .answer = "",
       .run = watch_turn,
       .header = "Last-Event-ID",
       .streams = true},
      {.method = "POST",
       .path = "/v1/sessions/{session}/turns/{turn}/answers",
       .id = "answer_turn",
       .says =
           "Gives what the caller's model said to an ask; the turn goes on to the next ask or its end.",
       .answer = "Turn",
       .run = give_answer,
       .body = "AnswerRequest",
       .lane = Lane::turn,
       .streams = true,
       .is_keyed = false},
      {.method = "POST",
       .path = "/v1/sessions/{session}/turns/{turn}/resume",
       .id = "resume_turn",
       .says = "Goes on with a turn that was cut off, or whose model gave no answer.",
       .answer = "Turn",
       .run = go_on,
       .body = "ResumeRequest",
       .lane = Lane::turn,
       .streams = true,
       .is_keyed = false},
      {.method = "POST",
       .path = "/v1/sessions/{session}/turns/{turn}/cancel",
       .id = "cancel_turn",
       .says =
           "Ends a turn without a reply; what it did stays done. One that is over stays as it is.",
       .answer = "Turn",
       .run = cancel,
       .body = "Nothing",
       .is_keyed = false},
  };
}

}  // namespace http
}  // namespace alfred
