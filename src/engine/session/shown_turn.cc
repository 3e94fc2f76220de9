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

// Its asks, where it is the one that runs, which waits while there are some.
Result<JsonArray> asks_of(Tx& tx, const Session& session, const TurnRecord& turn,
                          JsonObject& shown) {
  const std::optional<RunningTurn>& running = session.state().facts.running;
  if (!running || running->id != turn.id.view()) return JsonArray();
  Result<JsonArray> asks = open_asks(tx, *running, turn.id);
  if (asks && !asks->empty()) shown["status"] = "waiting";
  return asks;
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
    Result<JsonArray> asks = asks_of(tx, session, *turn, shown);
    if (!asks) return Unexpected(std::move(asks).error());
    shown["asks"] = std::move(*asks);
    return {};
  };
  if (Result<void> done = session.records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  return out;
}

Result<JsonArray> shown_turns(Session& session, std::int64_t after, std::int64_t limit) {
  JsonArray out;
  const auto read = [&](Tx& tx) -> Result<void> {
    const Result<std::vector<TurnRecord>> found = read_turns(tx, session.record().id, after, limit);
    if (!found) return Unexpected(found.error());
    for (const TurnRecord& turn : *found) {
      Json shown = turn_json(turn);
      if (const auto asks = asks_of(tx, session, turn, shown.get_object()); !asks)
        return Unexpected(asks.error());
      out.push_back(std::move(shown));
    }
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
