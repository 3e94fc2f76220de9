// What people look at a session by: journal, prompts, working set, batches, constraints; replay and
// audit.
#include <limits>

#include "engine/session/audit.h"
#include "engine/session/current_constraints.h"
#include "engine/session/past_state.h"
#include "state/constraints.h"
#include "surface/http/api/open_session.h"
#include "surface/http/routes/known_json.h"

namespace alfred::http {
namespace {

constexpr std::int64_t kPage = 100;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Result<HttpResponse> journal(Api& api, const RouteCall& call) {
  const Result<std::int64_t> after = call.number("after", 0, kMost);
  if (!after) return Unexpected(after.error());
  const Result<std::int64_t> limit = call.number("limit", kPage, 1000);
  if (!limit) return Unexpected(limit.error());
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  JsonArray entries;
  const auto read = [&](Tx& tx) -> Result<void> {
    const auto found = read_journal(tx, (*session)->records().workspace().id(), *after, *limit);
    if (!found) return Unexpected(found.error());
    for (const JournalEntry& entry : *found) entries.push_back(journal_entry_json(entry));
    return {};
  };
  if (Result<void> done = (*session)->records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  return json_response(JsonObject{{"entries", std::move(entries)},
                                  {"place", (*session)->records().workspace().place()}});
}

Result<HttpResponse> prompts(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  const Result<Json> turn = shown_turn(**session, call.name("turn"));
  if (!turn) return Unexpected(turn.error());
  const Result<TurnId> id = TurnId::parse(call.name("turn"));
  if (!id) return Unexpected(id.error());
  JsonArray out;
  const auto read = [&](Tx& tx) -> Result<void> {
    const auto found = read_prompts(tx, *id);
    if (!found) return Unexpected(found.error());
    for (const PromptRecord& one : *found) out.push_back(prompt_json(one));
    return {};
  };
  if (Result<void> done = (*session)->records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  return json_response(JsonObject{{"prompts", std::move(out)}});
}

Result<HttpResponse> working_set(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  return json_response(working_set_json((*session)->state(), (*session)->world(), false));
}

Result<HttpResponse> batches(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  return json_response(JsonObject{{"batches", batches_json((*session)->state())}});
}

Result<HttpResponse> known(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  const Result<SessionState> state = state_after(**session, call.name("turn"));
  if (!state) return Unexpected(state.error());
  return json_response(known_json(*state, (*session)->world()));
}

Result<HttpResponse> constraints(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  const Result<SessionConstraints> now = current_constraints(**session);
  if (!now) return Unexpected(now.error());
  return json_response(to_json(*now));
}

Result<HttpResponse> replay_session(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  const Result<Recording> recording = (*session)->recording();
  if (!recording) return Unexpected(recording.error());
  const Result<ReplayReport> done = replay(*recording, (*session)->world());
  if (!done) return Unexpected(done.error());
  return json_response(
      JsonObject{{"turns", done->turns}, {"changes", done->changes}, {"prompts", done->prompts}});
}

Result<HttpResponse> audit_session(Api& api, const RouteCall& call) {
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  const Result<AuditReport> done = audit(**session);
  if (!done) return Unexpected(done.error());
  JsonArray findings;
  for (const AuditFinding& one : done->findings)
    findings.push_back(JsonObject{{"turn", one.turn}, {"record", one.record}, {"what", one.what}});
  return json_response(JsonObject{{"entries", done->entries},
                                  {"prompts", done->prompts},
                                  {"results", done->results},
                                  {"replies", done->replies},
                                  {"findings", std::move(findings)}});
}

Route look(std::string_view path, std::string_view id, std::string_view says,
           Result<HttpResponse> (*run)(Api&, const RouteCall&)) {
  return {.method = "GET", .path = path, .id = id, .says = says, .answer = "", .run = run};
}

}  // namespace

std::vector<Route> look_routes() {
  std::vector<Route> out{
      look("/v1/sessions/{session}/journal", "get_journal",
           "What changed in a session, in order, chained by hashes; no keys.", journal),
      look("/v1/sessions/{session}/turns/{turn}/prompts", "get_prompts",
           "What the model was shown in a turn, byte for byte.", prompts),
      look("/v1/sessions/{session}/working-set", "get_working_set",
           "The entities in play, and what was generated and not saved.", working_set),
      look("/v1/sessions/{session}/batches", "get_batches", "Batches and their items.", batches),
      look("/v1/sessions/{session}/constraints", "get_constraints",
           "What is kept to: always, and for the goal of now.", constraints),
      look("/v1/sessions/{session}/audit", "audit_session",
           "Follows the journal's chain and looks for keys in everything that was shown.",
           audit_session),
      look("/v1/sessions/{session}/replay", "replay_session",
           "Has the recorded turns come out again and compares every byte; 409 where one differs.",
           replay_session),
      look("/v1/sessions/{session}/turns/{turn}/known", "get_known",
           "What the session knew when a turn was over: entities, constraints, steps, batches.",
           known)};
  const char* answers[] = {"Journal",     "Prompts", "WorkingSet", "Batches",
                           "Constraints", "Audit",   "Replay",     "Known"};
  for (std::size_t at = 0; at < out.size(); ++at) out[at].answer = answers[at];
  out[0].query = {"after", "limit"};
  return out;
}

}  // namespace alfred::http
