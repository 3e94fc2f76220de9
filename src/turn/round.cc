#include "turn/round.h"

#include <algorithm>

#include "turn/act/act.h"
#include "turn/node_answer.h"
#include "turn/prompt/sections.h"
#include "turn/prompt/show.h"
#include "turn/reply/reply.h"
#include "turn/summarize/summarize.h"
#include "turn/think/think.h"
#include "turn/understand/understand.h"

namespace alfred {
namespace {

void fail_turn(Scene& scene, const Error& error) {
  scene.tell(TurnFailed{{std::string(error_name(error.code)), error.message, std::nullopt}});
  keep_waiting(scene);
  scene.tell(PhaseEntered{TurnPhase::reply});
}

// A node outside of steps is asked again; the third time in vain the turn fails (A1).
void send_back(Scene& scene, const Error& error) {
  scene.tell(FaultNoted{std::nullopt, call_error(error), false});
  if (scene.turn().repairs >= scene.facts().settings.repairs_per_step) fail_turn(scene, error);
}

// The steps of the plan that runs, without those that an earlier one ended.
std::span<const Step> own_steps(const Plan& plan) {
  return std::span<const Step>(plan.steps).subspan(plan.kept);
}

bool has(const Plan& plan, StepStatus status) {
  const std::span<const Step> steps = own_steps(plan);
  return std::any_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return step.status == status; });
}

// The first step that is blocked and suggests this; null when none does.
const Step* blocked_for(const Plan& plan, SuggestedNext next) {
  for (const Step& step : own_steps(plan))
    if (step.status == StepStatus::blocked && step.block && step.block->suggested_next == next)
      return &step;
  return nullptr;
}

void ask_the_user(Scene& scene, std::string question, std::vector<std::string> all = {}) {
  scene.tell(PendingSet{{.type = PendingType::ask_user,
                         .context = std::move(question),
                         .questions = std::move(all),
                         .plan = *scene.turn().plan,
                         .message = scene.turn().message,
                         .before = scene.earlier_messages()}});
  scene.tell(PhaseEntered{TurnPhase::reply});
}

// R3.
void leave_act(Scene& scene) {
  const Plan& plan = *scene.turn().plan;
  std::vector<std::string> questions;
  for (const Step& step : own_steps(plan))
    if (step.status == StepStatus::waiting) questions.push_back(step.question.value_or(""));
  if (questions.size() == 1) return ask_the_user(scene, questions.front());
  if (!questions.empty()) {
    std::string first = std::to_string(questions.size()) + " things have to be known:";
    return ask_the_user(scene, std::move(first), std::move(questions));
  }
  const bool may_replan = !plan.is_quick && plan.replans < scene.facts().settings.replans;
  if (blocked_for(plan, SuggestedNext::replan) != nullptr && may_replan) {
    scene.tell(ReplanBegun{});
    return scene.tell(PhaseEntered{TurnPhase::think});
  }
  if (const Step* step = blocked_for(plan, SuggestedNext::ask_user))
    return ask_the_user(scene, step->block->details);
  scene.tell(PhaseEntered{TurnPhase::reply});
}

// R1, R2.
std::vector<Ask> advance_act(Scene& scene) {
  const Plan& plan = *scene.turn().plan;
  const bool is_stopped = has(plan, StepStatus::blocked) || has(plan, StepStatus::waiting) ||
                          has(plan, StepStatus::failed);
  const std::uint32_t group = plan.current_group();
  if (group == 0 || (is_stopped && !has(plan, StepStatus::running))) {
    leave_act(scene);
    return {};
  }
  std::vector<WantedAsk> wanted;
  for (std::uint32_t i = plan.kept; i < scene.turn().plan->steps.size(); ++i) {
    const StepStatus status = scene.turn().plan->steps[i].status;
    if (scene.turn().plan->steps[i].group != group || is_ended(status) ||
        status == StepStatus::waiting)
      continue;
    if (status == StepStatus::pending) {
      if (is_stopped) continue;
      start_step(scene, i);
    }
    const Step& step = scene.turn().plan->steps[i];
    wanted.push_back({scene.turn().plan->is_quick ? Node::act_quick : Node::act, i,
                      step.repairs + step.refusals + 1});
  }
  return make_asks(scene, wanted);
}

std::vector<Ask> ask(Scene& scene, Node node) {
  const WantedAsk wanted{node, std::nullopt, scene.turn().repairs + 1};
  return make_asks(scene, {&wanted, 1});
}

}  // namespace

std::vector<Ask> advance(Scene& scene) {
  switch (scene.turn().phase) {
    case TurnPhase::background: scene.tell(PhaseEntered{TurnPhase::understand}); return {};
    case TurnPhase::understand: return ask(scene, Node::understand);
    case TurnPhase::think: return ask(scene, Node::think);
    case TurnPhase::act_quick:
      plan_quick(scene);
      scene.tell(PhaseEntered{TurnPhase::act});
      return {};
    case TurnPhase::act: return advance_act(scene);
    case TurnPhase::reply: return ask(scene, Node::reply);
    case TurnPhase::summarize: return ask(scene, Node::summarize);
    case TurnPhase::done: return {};
  }
  return {};
}

void apply_answer(Scene& scene, const OpenAsk& open) {
  const Answer& answer = *open.answer;
  switch (open.node) {
    case Node::understand: {
      const Result<UnderstandAnswer> understood =
          read_node_answer<UnderstandAnswer>(scene, open.node, answer);
      return understood ? apply_understand(scene, *understood)
                        : send_back(scene, understood.error());
    }
    case Node::think: {
      const Result<ThinkAnswer> thought = read_node_answer<ThinkAnswer>(scene, open.node, answer);
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

}  // namespace alfred
