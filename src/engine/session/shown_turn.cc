#include "engine/session/shown_turn.h"

#include <algorithm>
#include <limits>

#include "engine/session/audit.h"

namespace alfred {
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

bool was_given(Session& session, const std::string& turn, const Answer& answer) {
  const Result<Recording> recording = session.recording();
  if (!recording) return false;
  std::string at;
  for (const Changes& entry : recording->entries)
    for (const Change& change : entry) {
      if (const auto* started = std::get_if<TurnStarted>(&change)) at = started->id;
      const auto* taken = std::get_if<AnswerTaken>(&change);
      if (taken != nullptr && at == turn && taken->answer == answer) return true;
    }
  return false;
}

}  // namespace alfred
