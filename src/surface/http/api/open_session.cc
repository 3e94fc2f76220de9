#include "surface/http/api/open_session.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/digest.h"
#include "engine/session/audit.h"

namespace alfred::http {
namespace {

Unexpected no_turn() { return fail(ErrorCode::session, "This session has no such turn.", "turn"); }

Result<TurnRecord> turn_of(Tx& tx, const Session& session, const std::string& id) {
  const std::int64_t last = session.state().facts.turn;
  const std::int64_t after = id.empty() ? last - 1 : 0;
  Result<std::vector<TurnRecord>> turns =
      read_turns(tx, session.record().id, after, std::numeric_limits<std::int64_t>::max());
  if (!turns) return Unexpected(std::move(turns).error());
  for (TurnRecord& turn : *turns)
    if (id.empty() || turn.id.view() == id) return std::move(turn);
  return no_turn();
}

Json ask_json(const PromptRecord& prompt) {
  const Json whole = prompt_json(prompt);
  JsonObject out{{"ask", prompt.ask},           {"node", prompt.node},
                 {"attempt", prompt.attempt},   {"prompt", prompt.id.view()},
                 {"system", prompt.system},     {"user", prompt.user},
                 {"schema", whole.at("schema")}};
  if (prompt.step) out["step"] = *prompt.step + 1;
  return out;
}

// Those that nobody has answered.
Result<JsonArray> open_asks(Tx& tx, const RunningTurn& running, const TurnId& turn) {
  Result<std::vector<PromptRecord>> prompts = read_prompts(tx, turn);
  if (!prompts) return Unexpected(std::move(prompts).error());
  JsonArray out;
  for (const OpenAsk& open : running.open_asks) {
    const auto sent = std::find_if(prompts->begin(), prompts->end(),
                                   [&](const PromptRecord& one) { return one.ask == open.ask; });
    if (!open.answer && sent != prompts->end()) out.push_back(ask_json(*sent));
  }
  return out;
}

}  // namespace

Result<std::unique_ptr<Session>> open_session(const Api& api, const std::string& id,
                                              const Interpreter* interpreter) {
  // An empty one would be a new session (session.h), which only its own route makes.
  if (id.empty()) return fail(ErrorCode::session, "There is no session without an id.", "session");
  SessionOptions options;
  options.id = id;
  options.secrets = api.world().secrets;
  if (interpreter != nullptr) {
    options.zone = api.world().zone;
    options.whole_facts = interpreter->needs_whole_facts();
  }
  return Session::open(api.world().place, std::move(options), api.world().clock,
                       api.world().random);
}

Json session_json(const SessionRecord& record) {
  return JsonObject{{"id", record.id.view()},
                    {"title", record.title},
                    {"pack", record.pack},
                    {"created_ms", record.created_ms},
                    {"updated_ms", record.updated_ms}};
}

Result<Json> shown_turn(Session& session, const std::string& id) {
  Json out;
  const auto read = [&](Tx& tx) -> Result<void> {
    const Result<TurnRecord> turn = turn_of(tx, session, id);
    if (!turn) return Unexpected(turn.error());
    out = turn_json(*turn);
    JsonObject& shown = out.get_object();
    shown["session"] = session.id();
    shown["asks"] = JsonArray{};
    const std::optional<RunningTurn>& running = session.state().facts.running;
    if (!running || running->id != turn->id.view()) return {};
    Result<JsonArray> asks = open_asks(tx, *running, turn->id);
    if (!asks) return Unexpected(std::move(asks).error());
    if (!asks->empty()) shown["status"] = "waiting";
    shown["asks"] = std::move(*asks);
    return {};
  };
  if (Result<void> done = session.records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  return out;
}

Result<OpId> op_of(const Api& api, const RouteCall& call) {
  const Result<std::string> key = call.key();
  if (!key) return Unexpected(key.error());
  if (key->empty()) return OpId::random(api.world().random);
  const std::string user = api.world().place.caller.user.value_or("");
  const std::string path(call.request.path());
  const std::array<std::string_view, 6> what{"http op", "\n", user, "\n", path, *key};
  const std::string digest = content_digest(what);
  // Sixty bits of it, as an id of ours: five for each character.
  std::uint64_t bits = std::stoull(digest.substr(0, 15), nullptr, 16);
  std::string text = "opn_";
  for (std::size_t at = 0; at < kIdTokenSize; ++at, bits >>= 5U) text += kIdAlphabet[bits & 31U];
  return OpId::parse(text);
}

}  // namespace alfred::http
