#include "engine/session/turn_steps.h"

#include <algorithm>

#include "base/keyed_random.h"
#include "engine/record_service.h"
#include "records/compile/payload_compiler.h"

namespace alfred {
namespace {

// Whether a change of the move ended the turn, and how.
const TurnEnded* end_of(const TurnMove& move) {
  for (const Change& change : move.changes)
    if (const auto* ended = std::get_if<TurnEnded>(&change)) return ended;
  return nullptr;
}

const AskMade* made_for(const TurnMove& move, std::uint32_t ask) {
  for (const Change& change : move.changes)
    if (const auto* made = std::get_if<AskMade>(&change); made != nullptr && made->ask == ask)
      return made;
  return nullptr;
}

bool has_failed(const TurnMove& move) {
  return std::any_of(move.changes.begin(), move.changes.end(), [](const Change& change) {
    return std::holds_alternative<TurnFailed>(change);
  });
}

}  // namespace

CompileArtifact compiler(const RecordService& service) {
  return [&service](const StoredArtifact& artifact) -> Result<CompiledArtifact> {
    const Table* table = service.schema().find_ref(artifact.type);
    if (table == nullptr || !artifact.content.is_object())
      return fail(ErrorCode::table, "There is no table for a " + artifact.type + ".");
    const PackEntity* entity = service.pack().find(table->name);
    const CompileRules rules = entity == nullptr ? CompileRules{} : entity->compile;
    const ArtifactContent content{artifact.ref, &artifact.content.get_object()};
    Result<CompiledPayload> payload =
        compile_payload(service.schema(), rules, table->name, std::span(&content, 1));
    if (!payload) return Unexpected(std::move(payload).error());
    CompiledArtifact out{.table = payload->target_table};
    if (!payload->records.empty()) out.row = std::move(payload->records.front().values);
    for (const Discrepancy& one : payload->discrepancies)
      out.discrepancies.push_back(one.path + ": " + one.reason);
    return out;
  };
}

Result<TurnMove> SessionSteps::taken(Result<TurnMove> move, const SessionState& state) {
  if (!move) return Unexpected(std::move(move).error());
  if (state.facts.running) turn_ = state.facts.running->id;
  if (move->is_finished && !state.facts.conversation.recent.empty())
    reply_ = state.facts.conversation.recent.back().reply;
  return move;
}

Result<TurnMove> SessionSteps::begin(SessionState& state, std::int64_t /*place*/) {
  world_.texts.begin();
  return begin_turn(state);
}

Result<TurnMove> SessionSteps::outcome(SessionState& state, CallOutcome outcome) {
  return taken(Turn(state, world_.turn).outcome(std::move(outcome)), state);
}

Result<void> SessionSteps::keep_prompts(Tx& tx, const TurnMove& move) const {
  const Result<TurnId> turn = TurnId::parse(turn_);
  if (!turn) return Unexpected(turn.error());
  for (const Ask& ask : move.asks) {
    const AskMade* made = made_for(move, ask.id);
    if (made == nullptr) continue;  // it went out before
    const Result<PromptId> id = PromptId::parse(made->prompt);
    if (!id) return Unexpected(id.error());
    const auto kept =
        put_prompt(tx, {world_.session, *turn, *id, &world_.texts}, ask, world_.random);
    if (!kept) return Unexpected(kept.error());
  }
  return {};
}

Result<void> SessionSteps::keep(Tx& tx, const TurnMove& move) {
  has_failed_ = has_failed_ || has_failed(move);
  ended_.reset();
  if (Result<void> kept = keep_prompts(tx, move); !kept) return kept;
  const TurnEnded* ended = end_of(move);
  if (ended == nullptr) return {};
  const Result<TurnId> turn = TurnId::parse(turn_);
  if (!turn) return Unexpected(turn.error());
  const TurnStatus status = ended->is_interrupted ? TurnStatus::interrupted
                            : has_failed_         ? TurnStatus::failed
                                                  : TurnStatus::finished;
  if (Result<void> kept = end_turn(tx, *turn, status, reply_, world_.clock.wall_ms()); !kept)
    return kept;
  ended_ = Ended{turn_, storable_text(reply_)};
  return {};
}

// A NUL cannot be stored everywhere; what is stored is what is said.
StartSteps::StartSteps(StepWorld world, std::string_view message, std::string key,
                       std::optional<SessionSettings> settings)
    : SessionSteps(world), key_(std::move(key)), settings_(std::move(settings)) {
  for (const char c : message)
    if (c == '\0')
      message_ += "\xEF\xBF\xBD";
    else
      message_ += c;
}

Result<TurnMove> StartSteps::begin_turn(SessionState& state) {
  is_new_ = true;
  has_failed_ = false;
  const TurnId id = TurnId::random(world().random);
  turn_ = std::string(id.view());
  number_ = state.facts.turn + 1;
  const TurnStart start{.message = message_,
                        .id = turn_,
                        .at_ms = world().clock.wall_ms(),
                        .seed = KeyedRandom::key_text(KeyedRandom::new_key(world().random)),
                        .settings = settings_};
  return taken(Turn(state, world().turn).start(start), state);
}

Result<void> StartSteps::keep(Tx& tx, const TurnMove& move) {
  if (std::exchange(is_new_, false)) {
    const Result<TurnId> id = TurnId::parse(turn_);
    if (!id) return Unexpected(id.error());
    NewTurn turn{.session = world().session, .number = number_};
    if (!key_.empty()) turn.key = key_;
    turn.message = message_;
    turn.id = *id;
    const auto kept = put_turn(tx, turn, world().clock.wall_ms(), world().random);
    if (!kept) return Unexpected(kept.error());
  }
  return SessionSteps::keep(tx, move);
}

Result<TurnMove> AnswerSteps::begin_turn(SessionState& state) {
  const std::optional<RunningTurn>& running = state.facts.running;
  const bool is_out = running && std::any_of(running->open_asks.begin(), running->open_asks.end(),
                                             [&](const OpenAsk& open) {
                                               return open.ask == answer_.ask && !open.answer;
                                             });
  if (!is_out)
    return fail(ErrorCode::turn_moved,
                "Nothing waits for this answer: the turn is past it, or it was answered. Look at "
                "the turn again.",
                "ask");
  turn_ = running->id;
  has_failed_ = running->failure.has_value();
  return taken(Turn(state, world().turn).answer(answer_), state);
}

Result<TurnMove> ResumeSteps::begin_turn(SessionState& state) {
  if (state.facts.running) {
    turn_ = state.facts.running->id;
    has_failed_ = state.facts.running->failure.has_value();
  }
  return taken(Turn(state, world().turn).resume(), state);
}

Result<TurnMove> CancelSteps::begin_turn(SessionState& state) {
  if (!state.facts.running)
    return fail(ErrorCode::turn_moved, "No turn is running in this session.");
  turn_ = state.facts.running->id;
  Result<TurnMove> move = Turn(state, world().turn).cancel();
  return taken(std::move(move), state);
}

}  // namespace alfred
