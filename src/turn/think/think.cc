#include "turn/think/think.h"

#include <algorithm>

#include "alfred/ids.h"
#include "base/json/json_text.h"
#include "context/conversation_view.h"
#include "context/entity_data.h"
#include "context/entity_view.h"
#include "context/shown_text.h"
#include "context/trace_view.h"
#include "contracts/shape_text.h"
#include "contracts/wake_up.h"
#include "turn/node_answer.h"
#include "turn/prompt/budget.h"
#include "turn/prompt/prompt_writer.h"
#include "turn/prompt/sections.h"

namespace alfred {
namespace {

std::string mention_lines(const Scene& scene) {
  std::string out;
  for (const ResolvedMention& mention : scene.turn().mentions) {
    out += "- \"" + shown_line(mention.raw_text) + "\" (" + mention.entity_type + "):";
    for (const std::string& ref : mention.resolved) out += " `" + ref + "`";
    if (mention.resolved.empty()) out += " not known";
    if (mention.confidence == MentionConfidence::medium)
      out += " (from the background; ask before you change it)";
    out += "\n";
  }
  return out;
}

std::string signals_section(const Scene& scene) {
  const UnderstandAnswer& understood = *scene.turn().understood;
  std::string out = "**Wants:** " + shown_line(understood.processed_message) + "\n";
  out += mention_lines(scene);
  if (understood.quick_mode)
    out += "- taken for a quick look-up, but not surely; plan as it needs\n";
  if (understood.ambiguity != Ambiguity::clear)
    out += "- the request is " + std::string(name_of(understood.ambiguity)) + "\n";
  for (const std::string& one : understood.default_assumptions)
    out += "- assumed: " + shown_line(one) + "\n";
  if (understood.user_expressed)
    out += "- the user expressed: " + shown_line(*understood.user_expressed) + "\n";
  return out;
}

std::string curation_section(const CurationSummary& curation) {
  std::string out;
  const auto add = [&](std::string_view what, const std::vector<std::string>& refs) {
    if (refs.empty()) return;
    out += "- " + std::string(what) + ":";
    for (const std::string& ref : refs) out += " `" + ref + "`";
    out += "\n";
  };
  add("kept", curation.retained);
  add("set aside", curation.demoted);
  add("dropped", curation.dropped);
  return out;
}

std::string subdomain_section(const Scene& scene) {
  std::string out;
  for (const Subdomain& one : scene.world().pack.subdomains) {
    out += "- `" + one.name + "`";
    for (const std::string& table : one.tables)
      out += (table == one.tables.front() ? ": " : ", ") + table;
    out += "\n";
  }
  return out;
}

// What was done before the plan was blocked (D16).
std::string replan_section(const Scene& scene) {
  const std::optional<Plan>& plan = scene.turn().plan;
  if (!plan) return "";
  std::string out = format_steps_done(*plan, plan->steps.size());
  for (const Step& step : plan->steps)
    if (step.block) out += "- blocked: " + shown_line(step.block->details) + "\n";
  return out + "Steps that are complete stay so. Plan only what is left.\n";
}

bool is_count(const Constraint& one) { return one.type == "count"; }

// Whether the message changes what is made already, and says no number itself.
bool is_edit(const Scene& scene, std::string_view subdomain) {
  if (const std::optional<UnderstandAnswer>& understood = scene.turn().understood) {
    const TurnConstraintSnapshot& snapshot = understood->constraint_snapshot;
    if (std::ranges::any_of(snapshot.new_constraints, is_count) ||
        std::ranges::any_of(snapshot.override_constraints, is_count))
      return false;
  }
  for (const ResolvedMention& mention : scene.turn().mentions)
    for (const std::string& ref : mention.resolved) {
      const StoredArtifact* artifact = scene.state().artifact(ref);
      if (artifact != nullptr && !artifact->saved_as &&
          scene.subdomain_of_type(artifact->type) == subdomain)
        return true;
    }
  return false;
}

// The number the user stated, as a constraint of the type `count`.
std::optional<std::uint32_t> stated_count(const Scene& scene, std::string_view subdomain) {
  if (is_edit(scene, subdomain)) return std::nullopt;
  for (const Constraint& one : scene.facts().constraints.all())
    if (is_count(one) && one.value.is_number()) {
      const double count = one.value.to_number<double>();
      if (count >= 1 && count <= 500) return static_cast<std::uint32_t>(count);
    }
  return std::nullopt;
}

// "step 2", and after a replan another.
std::string step_name(const Scene& scene, std::size_t number) {
  const std::uint32_t replans = scene.turn().plan ? scene.turn().plan->replans : 0;
  return std::to_string(number) + " of plan " + std::to_string(replans);
}

Step step_of(const Scene& scene, const PlannedStep& planned, std::size_t number) {
  Step step{
      .id = std::string(scene.fresh_id<IdKind::step>("step " + step_name(scene, number)).view()),
      .step_type = planned.step_type,
      .subdomain = planned.subdomain,
      .group = planned.group,
      .description = planned.description};
  if (planned.step_type == StepType::generate)
    step.expected = planned.batch ? planned.batch->total : stated_count(scene, planned.subdomain);
  return step;
}

// What the step is about, as a manifest; nothing where the plan names none.
Result<std::optional<BatchManifest>> manifest_of(const Scene& scene, const PlannedStep& planned,
                                                 std::size_t number) {
  if (planned.step_type != StepType::write || !planned.batch) return std::nullopt;
  const Subdomain* subdomain = scene.find_subdomain(planned.subdomain);
  const std::string table =
      subdomain == nullptr || subdomain->tables.empty() ? "" : subdomain->tables.front();
  std::vector<std::string> refs;
  refs.reserve(planned.batch->items.size());
  for (const PlannedItem& item : planned.batch->items) refs.push_back(item.ref);
  Result<BatchManifest> manifest = BatchManifest::declare(
      scene.fresh_id<IdKind::batch>("batch of step " + step_name(scene, number)), table,
      std::move(refs));
  if (!manifest) return Unexpected(std::move(manifest).error());
  return std::optional<BatchManifest>(std::move(*manifest));
}

struct NewPlan {
  Plan plan{};
  std::vector<BatchManifest> manifests{};
};

// The steps that ended before a replan, for the ledger, and the new ones.
Result<NewPlan> plan_of(const Scene& scene, const ThinkAnswer& answer) {
  NewPlan out{.plan = {.goal = answer.goal, .decision = answer.decision}};
  std::uint32_t shift = 0;
  if (scene.turn().plan) {
    out.plan.replans = scene.turn().plan->replans;
    for (const Step& step : scene.turn().plan->steps)
      if (is_ended(step.status)) {
        out.plan.steps.push_back(step);
        shift = std::max(shift, step.group);
      }
    out.plan.kept = static_cast<std::uint32_t>(out.plan.steps.size());
  }
  std::size_t number = 0;
  for (const PlannedStep& planned : answer.steps) {
    Step step = step_of(scene, planned, ++number);
    step.group += shift;
    Result<std::optional<BatchManifest>> manifest = manifest_of(scene, planned, number);
    if (!manifest) return Unexpected(std::move(manifest).error());
    if (*manifest) {
      step.batch = std::string((*manifest)->id().view());
      out.manifests.push_back(std::move(**manifest));
    }
    out.plan.steps.push_back(std::move(step));
  }
  return out;
}

// R4: what was only found in the background is not changed before the user said that it is meant.
Result<void> check_asked_first(const Scene& scene, const ThinkAnswer& answer) {
  if (answer.decision != Decision::plan_direct) return {};
  for (const ResolvedMention& mention : scene.turn().mentions) {
    if (mention.confidence != MentionConfidence::medium || mention.resolved.empty()) continue;
    const std::string subdomain = scene.subdomain_of_type(mention.entity_type);
    for (const PlannedStep& step : answer.steps)
      if (step.step_type == StepType::write && step.subdomain == subdomain)
        return fail(ErrorCode::plan,
                    "\"" + mention.raw_text +
                        "\" was only found by search, not shown to the user. Propose the change "
                        "first.",
                    "decision", {"propose", "clarify"});
  }
  return {};
}

std::string think_prompt(const Scene& scene, const EntityViewInput& entities, std::size_t cut) {
  const Sight& sight = sight_of(Node::think);
  PromptWriter prompt;
  prompt.section("User", user_lines(scene));
  prompt.section("Active Goal", goal_lines(scene));
  prompt.section("Dashboard", scene.turn().dashboard);
  prompt.section("Entity Context", format_entities(entities, Node::think) + more_entries(cut) +
                                       format_do_not_read(entities));
  prompt.section("Conversation History",
                 format_conversation(scene.facts().conversation, sight, ConversationDepth::five));
  prompt.section("What Happened (Reasoning Trace)", format_last_turn(scene.facts().trace, sight));
  prompt.section("Curation This Turn", curation_section(scene.turn().curation));
  prompt.section("What Was Done Before This Plan", replan_section(scene));
  if (scene.turn().resumed) prompt.section("Pending", format_resumed(*scene.turn().resumed));
  prompt.section("Signals", signals_section(scene));
  prompt.section("Message", fenced(scene.turn().message, ""));
  prompt.section("Subdomains", subdomain_section(scene));
  prompt.section("Your Last Answer Was Refused", fault_lines(scene, scene.turn().faults));
  prompt.section("Your Task", "Decide, and plan the steps, as the contract says.\n");
  return prompt.take();
}

}  // namespace

Result<Ask> show_think(const Scene& scene) {
  const Sight& sight = sight_of(Node::think);
  const EntityTiers tiers = scene.tiers();
  const std::set<std::string, std::less<>> with_data = EntityData::collect(scene.state()).refs();
  const EntityViewInput entities{scene.state().registry, tiers, with_data};
  UnderstandAnswer understood = *scene.turn().understood;
  understood.entity_curation = {};  // what came of it stands in the state
  Ask ask{.node = Node::think, .system = scene.world().texts.core("think")};
  ask.was_cut = was_cut(scene.turn().faults);
  ask.schema_json = json_schema_text(*contract_of(Node::think)->shape, known_refs(scene, tiers));
  std::string& facts = ask.facts_json = "{";
  append_json_name(facts, "message");
  append_json_string(facts, scene.turn().message);
  append_json_name(facts, "understood");
  append_json_of(facts, understood);
  append_json_name(facts, "entities");
  append_entity_facts(facts, entities, Node::think);
  append_json_name(facts, "constraints");
  append_json_of(facts, scene.facts().constraints);
  append_json_name(facts, "conversation");
  append_json(facts,
              conversation_facts(scene.facts().conversation, sight, ConversationDepth::five));
  facts += '}';
  const Result<void> fitted = fit_prompt(scene, ask, entries_to_cut(tiers), [&](std::size_t cut) {
    if (cut == 0) return think_prompt(scene, entities, 0);
    const EntityTiers fewer = without_oldest(tiers, cut);
    return think_prompt(scene, {scene.state().registry, fewer, with_data}, cut);
  });
  if (!fitted) return Unexpected(fitted.error());
  return ask;
}

Result<void> apply_think(Scene& scene, const ThinkAnswer& answer) {
  if (answer.decision == Decision::plan_direct && answer.steps.empty() &&
      is_wake_up(scene.turn().message)) {
    scene.tell(PhaseEntered{TurnPhase::reply});
    return {};
  }
  const std::vector<std::string> subdomains = scene.subdomains();
  if (Result<void> checked = check_plan(answer, subdomains); !checked) return checked;
  if (Result<void> asked = check_asked_first(scene, answer); !asked) return asked;
  Result<NewPlan> made = plan_of(scene, answer);
  if (!made) return Unexpected(std::move(made).error());
  for (BatchManifest& manifest : made->manifests) scene.tell(BatchDeclared{std::move(manifest)});
  if (answer.decision == Decision::plan_direct) {
    scene.tell(Planned{std::move(made->plan)});
    scene.tell(PhaseEntered{TurnPhase::act});
    return {};
  }
  const bool is_proposal = answer.decision == Decision::propose;
  Pending pending{.type = is_proposal ? PendingType::propose : PendingType::clarify,
                  .context = is_proposal ? *answer.proposal : answer.goal,
                  .questions = answer.questions,
                  .message = scene.turn().message,
                  .before = scene.earlier_messages()};
  if (is_proposal) pending.plan = std::move(made->plan);
  scene.tell(PendingSet{std::move(pending)});
  scene.tell(PhaseEntered{TurnPhase::reply});
  return {};
}

}  // namespace alfred
