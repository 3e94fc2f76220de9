#include "turn/turn.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "contracts/wake_up.h"
#include "refs/hiding/literal_mask.h"
#include "turn/act/act.h"
#include "turn/background.h"
#include "turn/node_answer.h"
#include "turn/prompt/show.h"
#include "turn/round.h"
#include "turn/summarize/summarize.h"

namespace alfred {
namespace {

constexpr std::size_t kMessageBytes = 65'536;

bool is_out(const RunningTurn& turn) { return !turn.open_asks.empty() || !turn.open_calls.empty(); }

// A copy: telling its outcome takes it away.
std::optional<RecordCall> open_call(const RunningTurn& turn, std::uint32_t id) {
  for (const RecordCall& one : turn.open_calls)
    if (one.id == id) return one;
  return std::nullopt;
}

// The message as models may see it, and the turn's number in the registry.
Result<std::string> masked_message(Scene& scene, std::string_view message, std::uint32_t number) {
  std::string masked;
  const Result<void> begun = scene.tell_refs([&](RefRegistry& registry) -> Result<void> {
    registry.begin_turn(number);
    const Result<MaskedText> text = LiteralMask(registry).mask_around_refs(message);
    if (!text) return Unexpected(text.error());
    masked = std::string(text->view());
    return {};
  });
  if (!begun) return Unexpected(begun.error());
  return masked;
}

// What waits for the user's word: taken by what the user says, waiting on where nobody spoke.
void take_pending(Scene& scene, std::string_view message) {
  const std::optional<Pending> waits = scene.facts().conversation.pending;
  if (!waits) return;
  if (is_wake_up(message))
    scene.tell(PendingSet{*waits});
  else
    scene.tell(PendingTaken{});
}

// Refs in play before anything is read, sorted.
std::vector<std::string> known_refs(const Scene& scene) {
  std::vector<std::string> known;
  const EntityTiers tiers = scene.tiers();
  for (const auto* tier : {&tiers.active, &tiers.generated, &tiers.retained})
    for (const EntitySnapshot& one : *tier) known.push_back(one.ref);
  std::sort(known.begin(), known.end());
  return known;
}

}  // namespace

Result<TurnMove> Turn::start(const TurnStart& given) {
  const std::string_view message = given.message;
  if (scene_.facts().running)
    return fail(ErrorCode::turn_open,
                "The session is in the middle of a turn. Wait for it, or cancel it.");
  if (message.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fail(ErrorCode::value, "The message is empty. Say something.", "message");
  if (message.size() > kMessageBytes)
    return fail(ErrorCode::limit, "The message has more than 65536 bytes. Say it shorter.",
                "message");
  if (!is_utf8(message))
    return fail(ErrorCode::utf8, "The message is no UTF-8 text. Send it as UTF-8.", "message");
  if (given.settings && *given.settings != scene_.facts().settings)
    scene_.tell(SettingsChanged{*given.settings});
  const std::uint32_t number = scene_.facts().turn + 1;
  const Result<std::string> masked = masked_message(scene_, message, number);
  if (!masked) return Unexpected(masked.error());
  scene_.tell(TurnStarted{given.id, number, *masked, given.at_ms, given.seed, known_refs(scene_)});
  ConstraintMerge kept =
      forget_stale_goal(scene_.facts().constraints, number, scene_.facts().settings.goal_turns);
  if (!kept.notes.empty())
    scene_.tell(ConstraintsMerged{std::move(kept.constraints), std::move(kept.notes)});
  take_pending(scene_, message);
  call_for_background(scene_);
  return move();
}

Result<TurnMove> Turn::answer(const Answer& answer) {
  if (!scene_.facts().running) return fail(ErrorCode::bug, "No turn is running.");
  if (Result<void> taken = scene_.try_tell(AnswerTaken{storable(answer)}); !taken)
    return Unexpected(std::move(taken).error());
  apply_round();
  return move();
}

Result<TurnMove> Turn::outcome(CallOutcome outcome) {
  if (!scene_.facts().running) return fail(ErrorCode::bug, "No turn is running.");
  std::optional<RecordCall> call = open_call(scene_.turn(), outcome.call);
  if (!call) return fail(ErrorCode::bug, "No call of this number is out.");
  const bool is_tool = call->purpose == CallPurpose::tool;
  std::optional<Change> found;
  if (!is_tool) found = background_in(scene_, *call, outcome);
  scene_.tell(CallDone{{call->id, std::move(call->tool), std::move(call->params),
                        std::move(outcome.answer), std::move(outcome.error)}});
  if (is_tool) look_at_result(scene_, *call->step);
  if (found) scene_.tell(std::move(*found));
  return move();
}

// A prompt that may no longer be shown counts as an ask that was answered with nothing.
TurnMove Turn::resume() {
  if (!scene_.facts().running) return {};
  const std::vector<OpenAsk> open = scene_.turn().open_asks;
  for (const OpenAsk& one : open) {
    if (one.answer) continue;
    if (Result<Ask> shown = show_again(scene_, one))
      asks_.push_back(std::move(*shown));
    else
      scene_.tell(AnswerTaken{{one.ask, "", FinishReason::refusal}});
  }
  std::vector<RecordCall> calls = scene_.turn().open_calls;
  apply_round();
  TurnMove out = move();
  out.calls.insert(out.calls.begin(), calls.begin(), calls.end());
  return out;
}

Result<TurnMove> Turn::cancel() {
  if (!scene_.facts().running) return fail(ErrorCode::bug, "No turn is running.");
  end_interrupted(scene_);
  return move();
}

// All answers of a round are there: applied in step order (R2).
void Turn::apply_round() {
  const std::vector<OpenAsk>& open = scene_.turn().open_asks;
  const bool is_waiting =
      std::any_of(open.begin(), open.end(), [](const OpenAsk& one) { return !one.answer; });
  if (open.empty() || is_waiting) return;
  std::vector<OpenAsk> round = open;
  std::stable_sort(round.begin(), round.end(), [](const OpenAsk& a, const OpenAsk& b) {
    return a.step.value_or(0) < b.step.value_or(0);
  });
  scene_.tell(AnswersApplied{});
  for (const OpenAsk& one : round) apply_answer(scene_, one);
}

// Goes on until something is out or the turn is over.
TurnMove Turn::move() {
  while (scene_.facts().running && !is_out(scene_.turn())) asks_ = advance(scene_);
  TurnMove out;
  out.changes = scene_.take_changes();
  out.is_finished = !scene_.facts().running;
  out.asks = std::exchange(asks_, {});
  for (const Change& change : out.changes)
    if (const auto* made = std::get_if<CallMade>(&change)) out.calls.push_back(made->call);
  return out;
}

}  // namespace alfred
