#include "turn/turn.h"

#include <algorithm>

#include "alfred/ids.h"
#include "base/check.h"
#include "contracts/contract.h"
#include "refs/literal_mask.h"
#include "turn/act/act.h"
#include "turn/act/act_prompt.h"
#include "turn/background.h"
#include "turn/reply/reply.h"
#include "turn/sections.h"
#include "turn/summarize/summarize.h"
#include "turn/think/think.h"
#include "turn/understand/understand.h"

namespace alfred {
namespace {

constexpr std::size_t kMessageBytes = 65'536;

Ask show(const Scene& scene, const OpenAsk& open) {
  Ask ask;
  switch (open.node) {
    case Node::understand: ask = show_understand(scene); break;
    case Node::think: ask = show_think(scene); break;
    case Node::act:
    case Node::act_quick: ask = show_act(scene, *open.step); break;
    case Node::reply: ask = show_reply(scene); break;
    case Node::summarize: ask = show_summarize(scene); break;
  }
  ask.id = open.ask;
  ask.attempt = open.attempt;
  return ask;
}

void fail_turn(Scene& scene, const Error& error) {
  scene.tell(TurnFailed{{std::string(error_name(error.code)), error.message, std::nullopt}});
  scene.tell(PhaseEntered{TurnPhase::reply});
}

// R4: a node outside of steps is asked again a few times, then the turn fails.
void send_back(Scene& scene, const Error& error) {
  scene.tell(FaultNoted{std::nullopt, call_error(error), false});
  if (scene.turn().repairs > scene.facts().settings.repairs_per_step) fail_turn(scene, error);
}

template <class T>
Result<T> read(Node node, const Answer& answer) {
  if (answer.finish == FinishReason::length)
    return fail(ErrorCode::answer_cut, "The answer was cut off. Answer again, shorter.");
  DecodeNotes notes;
  return read_answer<T>(*contract_of(node), answer.text, notes);
}

void apply_answer(Scene& scene, const OpenAsk& open) {
  const Answer& answer = *open.answer;
  switch (open.node) {
    case Node::understand: {
      const Result<UnderstandAnswer> understood = read<UnderstandAnswer>(open.node, answer);
      return understood ? apply_understand(scene, *understood)
                        : send_back(scene, understood.error());
    }
    case Node::think: {
      const Result<ThinkAnswer> thought = read<ThinkAnswer>(open.node, answer);
      if (!thought) return send_back(scene, thought.error());
      if (Result<void> applied = apply_think(scene, *thought); !applied)
        send_back(scene, applied.error());
      return;
    }
    case Node::act: return apply_act(scene, *open.step, answer);
    case Node::act_quick: return apply_act_quick(scene, answer);
    case Node::reply: return apply_reply(scene, answer);
    case Node::summarize: return apply_summarize(scene, answer);
  }
}

bool is_out(const RunningTurn& turn) { return !turn.open_asks.empty() || !turn.open_calls.empty(); }

void ask(Scene& scene, Node node, std::optional<std::uint32_t> step, std::uint32_t attempt) {
  const std::uint32_t number = scene.turn().asks + 1;
  const auto prompt = scene.fresh_id<IdKind::prompt>("prompt " + std::to_string(number));
  scene.tell(AskMade{.ask = number,
                     .node = node,
                     .attempt = attempt,
                     .step = step,
                     .prompt = std::string(prompt.view())});
}

// A blocked step that wants another plan gets one, once (D16); a question waits for the user.
bool leaves_act(Scene& scene) {
  const Plan& plan = *scene.turn().plan;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    if (step.status == StepStatus::waiting) {
      scene.tell(PendingSet{{.type = PendingType::ask_user,
                             .context = step.question.value_or(""),
                             .plan = plan,
                             .message = scene.turn().message}});
      scene.tell(PhaseEntered{TurnPhase::reply});
      return true;
    }
    if (step.status != StepStatus::blocked || !step.block) continue;
    if (step.block->suggested_next == SuggestedNext::replan && !plan.is_quick &&
        plan.replans < scene.facts().settings.replans) {
      scene.tell(ReplanBegun{});
      scene.tell(PhaseEntered{TurnPhase::think});
      return true;
    }
    if (step.block->suggested_next == SuggestedNext::ask_user)
      scene.tell(PendingSet{{.type = PendingType::ask_user,
                             .context = step.block->details,
                             .plan = plan,
                             .message = scene.turn().message}});
    scene.tell(PhaseEntered{TurnPhase::reply});
    return true;
  }
  return false;
}

// Asks for every step of the group that runs and is not waiting for something.
void advance_act(Scene& scene) {
  const std::uint32_t group = scene.turn().plan->current_group();
  const std::size_t count = scene.turn().plan->steps.size();
  const Node node = scene.turn().plan->is_quick ? Node::act_quick : Node::act;
  const bool is_group_over = std::none_of(
      scene.turn().plan->steps.begin(), scene.turn().plan->steps.end(), [](const Step& step) {
        return step.status == StepStatus::running || step.status == StepStatus::pending;
      });
  const bool is_stopped = std::any_of(
      scene.turn().plan->steps.begin(), scene.turn().plan->steps.end(), [](const Step& step) {
        return step.status == StepStatus::blocked || step.status == StepStatus::waiting;
      });
  const bool is_running =
      std::any_of(scene.turn().plan->steps.begin(), scene.turn().plan->steps.end(),
                  [](const Step& step) { return step.status == StepStatus::running; });
  if (is_stopped && !is_running && leaves_act(scene)) return;
  if (group == 0 || is_group_over) return scene.tell(PhaseEntered{TurnPhase::reply});
  for (std::uint32_t i = 0; i < count; ++i) {
    const Step& step = scene.turn().plan->steps[i];
    if (step.group != group || is_ended(step.status) || step.status == StepStatus::waiting)
      continue;
    if (step.status == StepStatus::pending) {
      if (is_stopped) continue;
      start_step(scene, i);
    }
    ask(scene, node, i, scene.turn().plan->steps[i].repairs + 1);
  }
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
  const std::uint32_t number = scene_.facts().turn + 1;
  std::string masked;
  const Result<void> begun = scene_.tell_refs([&](RefRegistry& registry) -> Result<void> {
    registry.begin_turn(number);
    const Result<MaskedText> text = LiteralMask(registry).mask(message);
    if (!text) return Unexpected(text.error());
    masked = std::string(text->view());
    return {};
  });
  if (!begun) return Unexpected(begun.error());
  std::vector<std::string> known;
  const EntityTiers tiers = scene_.tiers();
  for (const auto* tier : {&tiers.active, &tiers.generated, &tiers.retained})
    for (const EntitySnapshot& one : *tier) known.push_back(one.ref);
  std::sort(known.begin(), known.end());
  scene_.tell(
      TurnStarted{given.id, number, std::move(masked), given.at_ms, given.seed, std::move(known)});
  ConstraintMerge kept =
      forget_stale_goal(scene_.facts().constraints, number, scene_.facts().settings.goal_turns);
  if (!kept.notes.empty())
    scene_.tell(ConstraintsMerged{std::move(kept.constraints), std::move(kept.notes)});
  if (scene_.facts().conversation.pending) scene_.tell(PendingTaken{});
  call_for_background(scene_);
  return move();
}

Result<TurnMove> Turn::answer(const Answer& answer) {
  if (!scene_.facts().running) return fail(ErrorCode::bug, "No turn is running.");
  if (Result<void> taken = scene_.try_tell(AnswerTaken{answer}); !taken)
    return Unexpected(std::move(taken).error());
  apply_round();
  return move();
}

Result<TurnMove> Turn::outcome(const CallOutcome& outcome) {
  if (!scene_.facts().running) return fail(ErrorCode::bug, "No turn is running.");
  const std::vector<RecordCall>& open = scene_.turn().open_calls;
  const auto found = std::find_if(open.begin(), open.end(),
                                  [&](const RecordCall& one) { return one.id == outcome.call; });
  if (found == open.end()) return fail(ErrorCode::bug, "No call of this number is out.");
  const RecordCall call = *found;
  scene_.tell(CallDone{{call.id, call.tool, call.params, outcome.answer, outcome.error}});
  if (call.purpose == CallPurpose::tool)
    look_at_result(scene_, *call.step);
  else
    take_background(scene_, call, outcome);
  return move();
}

TurnMove Turn::resume() {
  TurnMove out;
  if (!scene_.facts().running) return out;
  for (const OpenAsk& open : scene_.turn().open_asks)
    if (!open.answer) out.asks.push_back(show(scene_, open));
  out.calls = scene_.turn().open_calls;
  if (is_out(scene_.turn())) return out;
  return move();
}

Result<TurnMove> Turn::cancel() {
  if (!scene_.facts().running) return fail(ErrorCode::bug, "No turn is running.");
  end_interrupted(scene_);
  return move();
}

// All answers of a round are there: applied in step order (R2).
void Turn::apply_round() {
  const std::vector<OpenAsk>& open = scene_.turn().open_asks;
  if (std::any_of(open.begin(), open.end(), [](const OpenAsk& one) { return !one.answer; })) return;
  std::vector<OpenAsk> round = open;
  std::stable_sort(round.begin(), round.end(), [](const OpenAsk& a, const OpenAsk& b) {
    return a.step.value_or(0) < b.step.value_or(0);
  });
  scene_.tell(AnswersApplied{});
  for (const OpenAsk& one : round) apply_answer(scene_, one);
}

// Goes on until something is out or the turn is over.
TurnMove Turn::move() {
  while (scene_.facts().running && !is_out(scene_.turn())) advance();
  TurnMove out;
  out.changes = scene_.take_changes();
  out.is_finished = !scene_.facts().running;
  if (out.is_finished) return out;
  for (const Change& change : out.changes) {
    if (const auto* made = std::get_if<AskMade>(&change))
      for (const OpenAsk& open : scene_.turn().open_asks)
        if (open.ask == made->ask && !open.answer) out.asks.push_back(show(scene_, open));
    if (const auto* made = std::get_if<CallMade>(&change)) out.calls.push_back(made->call);
  }
  return out;
}

void Turn::advance() {
  const std::uint32_t attempt = scene_.turn().repairs + 1;
  switch (scene_.turn().phase) {
    case TurnPhase::background: return scene_.tell(PhaseEntered{TurnPhase::understand});
    case TurnPhase::understand: return ask(scene_, Node::understand, std::nullopt, attempt);
    case TurnPhase::think: return ask(scene_, Node::think, std::nullopt, attempt);
    case TurnPhase::act_quick: plan_quick(scene_); return scene_.tell(PhaseEntered{TurnPhase::act});
    case TurnPhase::act: return advance_act(scene_);
    case TurnPhase::reply: return ask(scene_, Node::reply, std::nullopt, attempt);
    case TurnPhase::summarize: return ask(scene_, Node::summarize, std::nullopt, attempt);
    case TurnPhase::done: return;
  }
}

}  // namespace alfred
