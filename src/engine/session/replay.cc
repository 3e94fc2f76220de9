#include "engine/session/replay.h"

#include <algorithm>

namespace alfred {
namespace {

std::string text_of(const Change& change) { return write_json(change_json(change)); }

// The lines around the first that differs.
std::string difference(std::string_view recorded, std::string_view now) {
  const auto [a, b] = std::mismatch(recorded.begin(), recorded.end(), now.begin(), now.end());
  const auto from = static_cast<std::size_t>(a - recorded.begin());
  const std::size_t head = from < 60 ? 0 : recorded.rfind('\n', from - 1) + 1;
  const auto around = [&](std::string_view text) {
    const std::size_t begin =
        std::min(head < from && from - head > 200 ? from - 60 : head, text.size());
    return std::string(text.substr(begin, 400));
  };
  return "- " + around(recorded) + "\n+ " + around(now);
}

class Replayer {
 public:
  Replayer(const Recording& recording, const TurnWorld& world)
      : recording_(recording), world_(world) {}

  Result<ReplayReport> run(std::uint32_t last_turn) {
    for (const Changes& entry : recording_.entries) {
      if (last_turn != 0 && !state_.facts.running && state_.facts.turn >= last_turn) break;
      if (Result<void> played = play(entry); !played) return Unexpected(std::move(played).error());
    }
    if (last_turn > state_.facts.turn)
      return fail(ErrorCode::value,
                  "There is no turn " + std::to_string(last_turn) + ": the session has " +
                      std::to_string(state_.facts.turn) + ". Name one of those, or none for all.",
                  "turn");
    return report_;
  }

 private:
  Unexpected differs(std::string_view what, std::string_view recorded, std::string_view now) {
    Error error{ErrorCode::replay,
                "Turn " + std::to_string(state_.facts.turn) + ": " + std::string(what) +
                    " comes out otherwise than it was recorded.",
                "",
                {},
                difference(recorded, now)};
    return Unexpected(std::move(error));
  }

  static bool is_input(const Change& change) {
    return std::holds_alternative<TurnStarted>(change) ||
           std::holds_alternative<AnswerTaken>(change) || std::holds_alternative<CallDone>(change);
  }

  Result<void> play(const Changes& entry) {
    for (std::size_t at = 0; at < entry.size();) {
      const auto next =
          std::find_if(entry.begin() + static_cast<std::ptrdiff_t>(at), entry.end(), is_input);
      const auto input = static_cast<std::size_t>(next - entry.begin());
      // What records and people did comes before the outcome, or stands alone.
      const bool is_outside = next == entry.end() || std::holds_alternative<CallDone>(*next);
      for (; is_outside && at < input; ++at)
        if (Result<void> applied = apply_change(state_, entry[at]); !applied) return applied;
      if (next == entry.end()) continue;
      Result<TurnMove> move = give(*next, std::span(entry).subspan(at, input - at));
      if (!move) return Unexpected(std::move(move).error());
      if (Result<void> same = compare(*move, std::span(entry).subspan(at)); !same) return same;
      at += move->changes.size();
    }
    return {};
  }

  Result<TurnMove> give(const Change& input, std::span<const Change> before) {
    Turn turn(state_, world_);
    if (const auto* started = std::get_if<TurnStarted>(&input)) {
      ++report_.turns;
      const std::optional<std::string> message = recording_.message(started->id);
      if (!message) return fail(ErrorCode::corrupt, "The message of a recorded turn is not there.");
      TurnStart start{*message, started->id, started->at_ms, started->seed, {}};
      for (const Change& change : before)
        if (const auto* settings = std::get_if<SettingsChanged>(&change))
          start.settings = settings->settings;
      return turn.start(start);
    }
    if (const auto* taken = std::get_if<AnswerTaken>(&input)) return turn.answer(taken->answer);
    const ToolResult& result = std::get<CallDone>(input).result;
    return turn.outcome({result.call, result.answer, result.error});
  }

  Result<void> compare(const TurnMove& move, std::span<const Change> recorded) {
    for (std::size_t i = 0; i < move.changes.size(); ++i, ++report_.changes) {
      const std::string now = text_of(move.changes[i]);
      const std::string then = i < recorded.size() ? text_of(recorded[i]) : "nothing";
      if (now != then) return differs("a change", then, now);
    }
    for (const Ask& ask : move.asks)
      if (Result<void> same = compare(ask, move.changes); !same) return same;
    return {};
  }

  Result<void> compare(const Ask& ask, const Changes& changes) {
    for (const Change& change : changes) {
      const auto* made = std::get_if<AskMade>(&change);
      if (made == nullptr || made->ask != ask.id) continue;
      const std::optional<SentPrompt> then = recording_.prompt(made->prompt);
      if (!then) return fail(ErrorCode::corrupt, "A recorded prompt is not there.");
      const SentPrompt now = sent_prompt(ask);
      ++report_.prompts;
      const std::string who = "the prompt for " + std::string(name_of(ask.node));
      if (then->user != now.user) return differs(who, then->user, now.user);
      if (then->system != now.system)
        return differs("the system text for " + std::string(name_of(ask.node)), then->system,
                       now.system);
      if (then->schema != now.schema) return differs("the schema", then->schema, now.schema);
      if (then->facts != now.facts) return differs("the facts", then->facts, now.facts);
    }
    return {};
  }

  const Recording& recording_;
  const TurnWorld& world_;
  SessionState state_;
  ReplayReport report_;
};

}  // namespace

SentPrompt sent_prompt(const Ask& ask) {
  return {ask.system, ask.user, ask.schema_json.empty() ? "null" : ask.schema_json, ask.facts_json};
}

Result<ReplayReport> replay(const Recording& recording, const TurnWorld& world,
                            std::uint32_t last_turn) {
  return Replayer(recording, world).run(last_turn);
}

}  // namespace alfred
