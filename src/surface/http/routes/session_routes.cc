// Sessions: made, listed, looked at.
#include "engine/session/audit.h"
#include "surface/http/api/open_session.h"

namespace alfred::http {
namespace {

constexpr std::int64_t kPage = 50;

// The same key again gives the session it made.
Result<HttpResponse> make(Api& api, const RouteCall& call) {
  if (!call.body.get_object().empty())
    return fail(ErrorCode::schema, "A new session takes nothing yet: send {}.", "body");
  const Result<OpId> op = op_of(api, call);
  if (!op) return Unexpected(op.error());
  RecordPlace place = api.world().place;
  const NewSession wanted{"", place.caller.user.value_or(""), place.pack->name,
                          place.pack->fingerprint};
  const auto put = [&](Tx& tx) -> Result<std::string> {
    const Result<SessionRecord> made =
        make_session(tx, wanted, api.world().clock.wall_ms(), api.world().random);
    if (!made) return Unexpected(made.error());
    return std::string(made->id.view());
  };
  const Result<std::string> id =
      place.state().write({*op, "make a session over HTTP", place.caller}, put);
  if (!id) return Unexpected(id.error());
  const auto session = open_session(api, *id);
  if (!session) return Unexpected(session.error());
  HttpResponse out = json_response(session_json((*session)->record()), 201);
  out.headers.emplace_back("Location", "/v1/sessions/" + *id);
  return out;
}

Result<HttpResponse> list(Api& api, const RouteCall& call) {
  const Result<std::int64_t> limit = call.number("limit", kPage, 200);
  if (!limit) return Unexpected(limit.error());
  RecordPlace place = api.world().place;
  const Result<SessionPage> page = sessions_of(place, *limit, call.text("cursor"));
  if (!page) return Unexpected(page.error());
  JsonArray sessions;
  for (const SessionRecord& one : page->sessions) sessions.push_back(session_json(one));
  JsonObject out{{"sessions", std::move(sessions)}};
  if (!page->cursor.empty()) out["cursor"] = page->cursor;
  return json_response(std::move(out));
}

Result<HttpResponse> show(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  Json out = session_json((*session)->record());
  const SessionFacts& facts = (*session)->state().facts;
  out.get_object()["turns"] = facts.turn;
  if (facts.running) out.get_object()["running"] = facts.running->id;
  return json_response(out);
}

Result<HttpResponse> whole(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  const Result<Json> out = export_session(**session);
  if (!out) return Unexpected(out.error());
  return json_response(*out);
}

}  // namespace

std::vector<Route> session_routes() {
  return {
      {.method = "POST",
       .path = "/v1/sessions",
       .id = "make_session",
       .says = "Begins a conversation.",
       .answer = "Session",
       .run = make,
       .body = "Nothing",
       .status = 201},
      {.method = "GET",
       .path = "/v1/sessions",
       .id = "list_sessions",
       .says = "Your sessions, the last used first.",
       .answer = "Sessions",
       .run = list,
       .query = {"limit", "cursor"}},
      {.method = "GET",
       .path = "/v1/sessions/{session}",
       .id = "get_session",
       .says = "One session, and which turn of it is running.",
       .answer = "Session",
       .run = show},
      {.method = "GET",
       .path = "/v1/sessions/{session}/export",
       .id = "export_session",
       .says = "All of a session: turns, prompts, journal, state; no keys.",
       .answer = "Export",
       .run = whole},
  };
}

}  // namespace alfred::http
