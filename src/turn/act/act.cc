#include "turn/act/act.h"

#include <algorithm>

#include "alfred/ids.h"
#include "contracts/contract.h"
#include "turn/act/artifacts.h"
#include "turn/act/tool_call.h"
#include "turn/sections.h"

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
  if (now.repairs > scene.facts().settings.repairs_per_step)
    block(scene, step, BlockedReason::TOOL_FAILURE,
          "The answers could not be used: " + error.message, SuggestedNext::fail);
}

void call_tool(Scene& scene, std::uint32_t step, std::string tool, Json params) {
  const Step& now = step_at(scene, step);
  if (now.calls.size() >= scene.facts().settings.tool_calls_per_step)
    return block(scene, step, BlockedReason::TOOL_FAILURE,
                 "The step made " + std::to_string(now.calls.size()) +
                     " calls and is not done; no more are allowed.",
                 SuggestedNext::ask_user);
  Result<ToolCall> call = make_tool_call(scene, step, std::move(tool), std::move(params));
  if (!call) return send_back(scene, step, call.error(), false);
  if (!call->discrepancies.empty())
    scene.tell(DiscrepanciesNoted{step, std::move(call->discrepancies)});
  scene.tell(CallMade{std::move(call->call)});
}

void complete(Scene& scene, std::uint32_t step, const ActAnswer& answer) {
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
  const bool is_new =
      std::find(now.schemas.begin(), now.schemas.end(), subdomain) == now.schemas.end();
  if (scene.find_subdomain(subdomain) != nullptr && is_new && subdomain != now.subdomain)
    return scene.tell(SchemaRequested{step, subdomain});
  Unexpected error = fail(ErrorCode::schema,
                          is_new ? "There is no such subdomain." : "This schema is shown already.",
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

template <class T>
Result<T> read_finished(const Contract& contract, const Answer& answer) {
  if (answer.finish == FinishReason::length)
    return fail(ErrorCode::answer_cut, "The answer was cut off. Answer again, shorter.");
  DecodeNotes notes;
  return read_answer<T>(contract, answer.text, notes);
}

void add_ref(const Scene& scene, const Step& step, const std::string& ref,
             std::vector<std::string>& out) {
  const EntityNo entity = scene.state().registry.find(ref);
  if (entity == kNoEntity ||
      scene.subdomain_of_type(scene.state().registry.type_of(entity)) != step.subdomain)
    return;
  const std::string shown(scene.state().registry.ref(entity).text());
  if (std::find(out.begin(), out.end(), shown) == out.end()) out.push_back(shown);
}

// R5: refs of this subdomain's type, in the order they were said or made. One row that is spoken of
// is no batch: the message may want something beside it ("more eggs").
std::vector<std::string> items_in_play(const Scene& scene, const Step& step) {
  std::vector<std::string> said;
  for (const ResolvedMention& mention : scene.turn().mentions)
    for (const std::string& ref : mention.resolved) add_ref(scene, step, ref, said);
  const auto is_unsaved = [&](const std::string& ref) {
    const StoredArtifact* artifact = scene.state().artifact(ref);
    return artifact != nullptr && !artifact->saved_as;
  };
  if (said.size() > 1 || std::any_of(said.begin(), said.end(), is_unsaved)) return said;
  std::vector<std::string> made;
  for (const Step& earlier : scene.turn().plan->steps)
    for (const std::string& ref : earlier.artifacts)
      if (is_unsaved(ref)) add_ref(scene, step, ref, made);
  return made;
}

}  // namespace

void start_step(Scene& scene, std::uint32_t step) {
  const Step& now = step_at(scene, step);
  if (now.step_type != StepType::write || now.batch)
    return scene.tell(StepStarted{step, std::nullopt});
  std::vector<std::string> refs = items_in_play(scene, now);
  const Subdomain* subdomain = scene.find_subdomain(now.subdomain);
  if (refs.empty() || subdomain == nullptr || subdomain->tables.empty())
    return scene.tell(StepStarted{step, std::nullopt});
  Result<BatchManifest> manifest =
      BatchManifest::declare(scene.fresh_id<IdKind::batch>("batch of " + now.id),
                             subdomain->tables.front(), std::move(refs));
  if (!manifest) return scene.tell(StepStarted{step, std::nullopt});
  const std::string id(manifest->id().view());
  scene.tell(BatchDeclared{std::move(*manifest)});
  scene.tell(StepStarted{step, id});
}

void apply_act(Scene& scene, std::uint32_t step, const Answer& answer) {
  Result<ActAnswer> read = read_finished<ActAnswer>(*contract_of(Node::act), answer);
  if (!read) return send_back(scene, step, read.error(), false);
  if (Result<void> checked = check_act_answer(*read, step_at(scene, step).step_type); !checked)
    return send_back(scene, step, checked.error(), false);
  apply_action(scene, step, std::move(*read));
}

void plan_quick(Scene& scene) {
  const UnderstandAnswer& understood = *scene.turn().understood;
  Step step{.id = std::string(scene.fresh_id<IdKind::step>("quick step").view()),
            .step_type = StepType::read,
            .subdomain = understood.quick_subdomain.value_or(""),
            .description = understood.quick_intent.value_or(understood.processed_message)};
  if (scene.find_subdomain(step.subdomain) == nullptr)
    for (const EntityMention& mention : understood.entity_mentions)
      if (std::string found = scene.subdomain_of_type(mention.entity_type); !found.empty())
        step.subdomain = found;
  scene.tell(
      Planned{Plan{.goal = understood.processed_message, .steps = {step}, .is_quick = true}});
  scene.tell(StepStarted{0, std::nullopt});
}

void apply_act_quick(Scene& scene, const Answer& answer) {
  Result<ActQuickAnswer> read =
      read_finished<ActQuickAnswer>(*contract_of(Node::act_quick), answer);
  if (!read) return send_back(scene, 0, read.error(), false);
  if (Result<void> checked = check_act_quick_answer(*read); !checked)
    return send_back(scene, 0, checked.error(), false);
  call_tool(scene, 0, std::move(read->tool), std::move(read->params));
}

namespace {

// Rows that a step reads are in play, also those that were only in the background.
void take_up(Scene& scene, const Json& answer) {
  const JsonObject* object = answer.if_object();
  const Json* member = object == nullptr ? nullptr : object->if_contains("rows");
  const JsonArray* rows = member == nullptr ? nullptr : member->if_array();
  if (rows == nullptr) return;
  TakenUp taken;
  for (const Json& row : *rows) {
    const Json* id = row.is_object() ? row.get_object().if_contains("id") : nullptr;
    if (id == nullptr || !id->is_string()) continue;
    std::string ref(id->get_string());
    if (scene.facts().working_set.find(ref) != nullptr) taken.refs.push_back(std::move(ref));
  }
  if (!taken.refs.empty()) scene.tell(std::move(taken));
}

}  // namespace

void look_at_result(Scene& scene, std::uint32_t step) {
  const Step& now = step_at(scene, step);
  if (is_ended(now.status)) return;
  const ToolResult& last = now.calls.back();
  if (last.answer) take_up(scene, *last.answer);
  if (last.error) {
    scene.tell(FaultNoted{step, *last.error, false});
    if (step_at(scene, step).repairs > scene.facts().settings.repairs_per_step)
      return block(scene, step, BlockedReason::TOOL_FAILURE, last.error->message,
                   SuggestedNext::fail);
  }
  std::uint32_t same = 0;
  for (const ToolResult& one : step_at(scene, step).calls)
    same += one.tool == last.tool && one.params == last.params && one.answer == last.answer &&
                    one.error == last.error
                ? 1
                : 0;
  if (same >= scene.facts().settings.repeated_calls)
    return block(scene, step, BlockedReason::TOOL_FAILURE,
                 "The same call gave the same result " + std::to_string(same) + " times.",
                 SuggestedNext::ask_user);
  if (scene.turn().plan->is_quick && !last.error)
    scene.tell(StepEnded{.step = step, .status = StepStatus::complete});
}

}  // namespace alfred
