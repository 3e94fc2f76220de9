#include "turn/act/act.h"

#include <algorithm>

#include "base/json/same_json.h"
#include "context/call_effects.h"
#include "turn/act/artifacts.h"
#include "turn/act/parent_items.h"
#include "turn/act/tool_call.h"
#include "turn/act/undone_turn.h"
#include "turn/node_answer.h"
#include "turn/prompt/sections.h"

namespace alfred {
namespace {

constexpr std::uint32_t kMostRefusals = 3;

const Step& step_at(const Scene& scene, std::uint32_t index) {
  return scene.turn().plan->steps[index];
}

void block(Scene& scene, std::uint32_t step, BlockedReason reason, std::string details,
           SuggestedNext next) {
  scene.tell(StepEnded{.step = step,
                       .status = StepStatus::blocked,
                       .block = StepBlock{reason, std::move(details), next}});
}

// R1, R3: told to the model, or the end of the step.
void send_back(Scene& scene, std::uint32_t step, const Error& error, bool is_completion) {
  scene.tell(FaultNoted{step, call_error(error), is_completion});
  const Step& now = step_at(scene, step);
  if (is_completion && now.refusals >= kMostRefusals)
    return block(scene, step, BlockedReason::PLAN_INVALID, error.message, SuggestedNext::fail);
  if (now.repairs >= scene.facts().settings.repairs_per_step)
    block(scene, step, BlockedReason::TOOL_FAILURE, std::string(kUnusableAnswers) + error.message,
          SuggestedNext::fail);
}

// An answer that cannot be read at all: when it ends the step, the turn has failed too (A1).
void send_back_unread(Scene& scene, std::uint32_t step, const Error& error) {
  send_back(scene, step, error, false);
  const Step& now = step_at(scene, step);
  if (now.status == StepStatus::blocked)
    scene.tell(TurnFailed{{std::string(error_name(error.code)), error.message, now.id}});
}

void call_tool(Scene& scene, std::uint32_t step, std::string tool, Json params) {
  const Step& now = step_at(scene, step);
  if (const std::size_t made = now.calls.size() - now.calls_before;
      made >= scene.facts().settings.tool_calls_per_step)
    return block(
        scene, step, BlockedReason::TOOL_FAILURE,
        "The step made " + std::to_string(made) + " calls and is not done. Shall it go on?",
        SuggestedNext::ask_user);
  Result<ToolCall> call = make_tool_call(scene, step, std::move(tool), std::move(params));
  if (!call) return send_back(scene, step, call.error(), false);
  if (!call->discrepancies.empty())
    scene.tell(DiscrepanciesNoted{step, std::move(call->discrepancies)});
  scene.tell(CallMade{std::move(call->call)});
}

// R7.
Result<void> check_written(const Scene& scene, std::uint32_t step) {
  const Step& now = step_at(scene, step);
  if (now.step_type != StepType::write || now.batch) return {};
  const std::vector<std::string> meant = rows_meant(scene, step);
  if (meant.size() != 1) return {};
  for (const ToolResult& call : now.calls)
    if (call.answer && call.tool != "db_read") return {};
  return fail(
      ErrorCode::batch_pending,
      "Nothing was written in this step, so " + meant.front() +
          " is as it was. Make the call, or end with blocked, fail or ask_user and say why.",
      "action", {"tool_call", "blocked", "fail", "ask_user"});
}

void complete(Scene& scene, std::uint32_t step, const ActAnswer& answer) {
  if (Result<void> written = check_written(scene, step); !written)
    return send_back(scene, step, written.error(), true);
  if (step_at(scene, step).step_type == StepType::generate)
    if (Result<void> kept = keep_artifacts(scene, step, answer.artifacts); !kept)
      return send_back(scene, step, kept.error(), true);
  Result<void> ended = scene.try_tell(StepEnded{.step = step,
                                                .status = StepStatus::complete,
                                                .result_summary = answer.result_summary,
                                                .data = answer.data,
                                                .note_for_next_step = answer.note_for_next_step});
  if (!ended) send_back(scene, step, ended.error(), true);
}

void request_schema(Scene& scene, std::uint32_t step, const std::string& subdomain) {
  const Step& now = step_at(scene, step);
  const bool is_shown =
      subdomain == now.subdomain ||
      std::find(now.schemas.begin(), now.schemas.end(), subdomain) != now.schemas.end();
  if (scene.find_subdomain(subdomain) != nullptr && !is_shown)
    return scene.tell(SchemaRequested{step, subdomain});
  Unexpected error = fail(
      ErrorCode::schema, is_shown ? "This schema is shown already." : "There is no such subdomain.",
      "subdomain", scene.subdomains());
  send_back(scene, step, error.value(), false);
}

void retrieve(Scene& scene, std::uint32_t step, const std::string& id) {
  const std::vector<std::string>& had = step_at(scene, step).retrieved;
  const bool is_new = std::find(had.begin(), had.end(), id) == had.end();
  if (is_new) {
    for (const Step& one : scene.turn().plan->steps)
      if (one.id == id) return scene.tell(DataRetrieved{step, one.id});
    for (const TurnSteps& turn : scene.facts().earlier_steps)
      for (const Step& one : turn.steps)
        if (one.id == id) return scene.tell(DataRetrieved{step, one.id});
  }
  Unexpected error = fail(ErrorCode::schema,
                          is_new ? "No step of this id has data in the window."
                                 : "The data of this step is shown already.",
                          "step_id");
  send_back(scene, step, error.value(), false);
}

void apply_action(Scene& scene, std::uint32_t step, ActAnswer answer) {
  switch (answer.action) {
    case Action::tool_call:
      return call_tool(scene, step, std::move(*answer.tool), std::move(*answer.params));
    case Action::step_complete: return complete(scene, step, answer);
    case Action::ask_user:
      return scene.tell(StepEnded{
          .step = step, .status = StepStatus::waiting, .question = std::move(answer.question)});
    case Action::blocked:
      return block(scene, step, *answer.reason_code, std::move(*answer.details),
                   *answer.suggested_next);
    case Action::fail:
      return scene.tell(
          StepEnded{.step = step,
                    .status = StepStatus::failed,
                    .block = StepBlock{BlockedReason::PLAN_INVALID, std::move(*answer.details),
                                       SuggestedNext::fail}});
    case Action::request_schema: return request_schema(scene, step, *answer.subdomain);
    case Action::retrieve_step:
    case Action::retrieve_archive: return retrieve(scene, step, *answer.step_id);
  }
}

}  // namespace

void apply_act(Scene& scene, std::uint32_t step, const Answer& answer) {
  Result<ActAnswer> read = read_node_answer<ActAnswer>(scene, Node::act, answer);
  if (!read) return send_back_unread(scene, step, read.error());
  if (Result<void> checked = check_act_answer(*read, step_at(scene, step).step_type); !checked)
    return send_back(scene, step, checked.error(), false);
  apply_action(scene, step, std::move(*read));
}

void apply_act_quick(Scene& scene, const Answer& answer) {
  Result<ActQuickAnswer> read = read_node_answer<ActQuickAnswer>(scene, Node::act_quick, answer);
  if (!read) return send_back_unread(scene, 0, read.error());
  if (Result<void> checked = check_act_quick_answer(*read); !checked)
    return send_back(scene, 0, checked.error(), false);
  call_tool(scene, 0, std::move(read->tool), std::move(read->params));
}

namespace {

// Rows that a step reads are in play, also those that were only in the background.
void take_up(Scene& scene, const Json& answer) {
  const JsonArray* rows = rows_of(answer);
  if (rows == nullptr) return;
  TakenUp taken;
  for (const Json& row : *rows) {
    std::string ref = ref_of_row(row);
    if (scene.facts().working_set.find(ref) != nullptr) taken.refs.push_back(std::move(ref));
  }
  if (!taken.refs.empty()) scene.tell(std::move(taken));
}

// How often the last call was made in this turn with the same result (A22).
std::size_t times_made(const Step& step) {
  const ToolResult& last = step.calls.back();
  return static_cast<std::size_t>(std::count_if(
      step.calls.begin() + step.calls_before, step.calls.end(), [&](const ToolResult& one) {
        if (&one == &last) return true;
        return one.tool == last.tool && one.error == last.error &&
               is_same_json(one.params, last.params) &&
               one.answer.has_value() == last.answer.has_value() &&
               (!one.answer || is_same_json(*one.answer, *last.answer));
      }));
}

}  // namespace

void look_at_result(Scene& scene, std::uint32_t step) {
  const Step& now = step_at(scene, step);
  if (is_ended(now.status)) return;
  const ToolResult& last = now.calls.back();
  if (last.answer) take_up(scene, *last.answer);
  complete_parents(scene, step);
  take_undone(scene, step);
  if (last.error) {
    scene.tell(FaultNoted{step, *last.error, false});
    if (step_at(scene, step).repairs >= scene.facts().settings.repairs_per_step)
      return block(scene, step, BlockedReason::TOOL_FAILURE, last.error->message,
                   SuggestedNext::fail);
  }
  if (const std::size_t same = times_made(step_at(scene, step));
      same >= scene.facts().settings.repeated_calls) {
    const std::string what = "The same call gave the same result " + std::to_string(same) +
                             " times. How shall it go on?";
    scene.tell(FaultNoted{step, call_error(fail(ErrorCode::repeated_call, what).value()), false});
    return block(scene, step, BlockedReason::TOOL_FAILURE, what, SuggestedNext::ask_user);
  }
  if (scene.turn().plan->is_quick && !last.error)
    scene.tell(StepEnded{.step = step, .status = StepStatus::complete});
}

}  // namespace alfred
