#include "turn/understand/understand.h"

#include <algorithm>
#include <set>

#include "state/listed_place.h"
#include "turn/prompt/looked_at.h"
#include "turn/understand/told_apart.h"

namespace alfred {
namespace {

MentionWorld mention_world(const Scene& scene, const EntityTiers& tiers, std::string_view type) {
  MentionWorld world{.tiers = tiers, .categories = scene.world().pack.categories};
  const Table* table = scene.world().schema.find_ref(type);
  const PackEntity* entity = table == nullptr ? nullptr : scene.world().pack.find(table->name);
  if (entity != nullptr) world.type_words = entity->words;
  world.type_words.emplace_back(type);
  world.looked_at = looked_at(scene);
  return world;
}

// Only those the user was asked to choose from, named and in the order they were in the question;
// whether they are still in play does not matter.
EntityTiers candidates_of(const RefRegistry& registry, const Pending& pending) {
  EntityTiers out;
  for (std::size_t i = 0; i < pending.candidates.size(); ++i) {
    const EntityNo entity = registry.find(pending.candidates[i]);
    if (entity == kNoEntity || registry.status(entity) == RefStatus::deleted) continue;
    out.active.push_back(entity_snapshot(registry, entity));
    if (i < pending.questions.size()) out.active.back().label = pending.questions[i];
  }
  return out;
}

std::vector<ResolvedMention> resolve_all(const Scene& scene, const UnderstandAnswer& answer) {
  const EntityTiers tiers = scene.tiers();
  const std::optional<Pending>& asked = scene.turn().resumed;
  EntityTiers chosen;
  if (asked && asked->type == PendingType::disambiguate)
    chosen = candidates_of(scene.state().registry, *asked);
  std::vector<ResolvedMention> out;
  for (const EntityMention& mention : answer.entity_mentions) {
    const auto resolve = [&](const EntityTiers& among) {
      return resolve_entity_reference(mention, mention_world(scene, among, mention.entity_type));
    };
    if (!chosen.active.empty())
      if (ResolvedMention choice = resolve(chosen); !choice.resolved.empty()) {
        out.push_back(std::move(choice));
        continue;
      }
    std::optional<ResolvedMention> place;
    if (scene.has_edition(3))
      place = resolve_listed_place(mention, mention_world(scene, tiers, mention.entity_type),
                                   listed_last(scene, mention.entity_type),
                                   scene.has_edition(5)   ? ListedCount::told
                                   : scene.has_edition(4) ? ListedCount::whole
                                                          : ListedCount::picked);
    out.push_back(place ? std::move(*place) : resolve(tiers));
  }
  return out;
}

// The refs that are known, the others into `ignored`, all under the name they are shown by.
std::vector<std::string> known(const Scene& scene, const std::vector<std::string>& refs,
                               std::vector<std::string>& ignored) {
  std::vector<std::string> out;
  for (const std::string& ref : refs) {
    const EntityNo entity = scene.state().registry.find(ref);
    if (entity == kNoEntity)
      ignored.push_back(ref);
    else
      out.emplace_back(scene.state().registry.ref(entity).text());
  }
  return out;
}

CurationSummary read_curation(const Scene& scene, const EntityCuration& curation) {
  CurationSummary out;
  for (const RetainedEntity& one : curation.retain)
    for (const std::string& ref : known(scene, {one.ref}, out.ignored)) {
      out.retained.push_back(ref);
      out.reasons.push_back({ref, one.reason});
    }
  out.demoted = known(scene, curation.demote, out.ignored);
  out.dropped = known(scene, curation.drop, out.ignored);
  out.is_cleared = curation.clear_all;
  if (!curation.clear_all) return out;
  const EntityTiers tiers = scene.tiers();
  std::set<std::string> all(out.dropped.begin(), out.dropped.end());
  for (const auto* tier : {&tiers.active, &tiers.generated, &tiers.retained})
    for (const EntitySnapshot& one : *tier) all.insert(one.ref);
  out.dropped.assign(all.begin(), all.end());
  return out;
}

void apply_curation(Scene& scene, const EntityCuration& answer) {
  CurationSummary curation = read_curation(scene, answer);
  const Result<void> kept = scene.tell_refs([&](RefRegistry& registry) -> Result<void> {
    for (const CurationReason& one : curation.reasons)
      registry.retain(registry.find(one.ref), one.reason);
    for (const auto* refs : {&curation.demoted, &curation.dropped})
      for (const std::string& ref : *refs) registry.retain(registry.find(ref), "");
    return {};
  });
  (void)kept.has_value();  // its function returns no error
  for (const std::string& ref : curation.dropped)
    if (scene.state().artifact(ref) != nullptr) scene.tell(ArtifactDropped{ref});
  scene.tell(EntitiesCurated{std::move(curation)});
}

void remember_mentions(Scene& scene, const std::vector<ResolvedMention>& mentions) {
  const Result<void> told = scene.tell_refs([&](RefRegistry& registry) -> Result<void> {
    for (const ResolvedMention& mention : mentions)
      for (const std::string& ref : mention.resolved)
        registry.mark_referenced(registry.find(ref), mention.raw_text);
    return {};
  });
  (void)told.has_value();
  TakenUp taken;
  const WorkingSet& set = scene.facts().working_set;
  for (const ResolvedMention& mention : mentions)
    for (const std::string& ref : mention.resolved)
      if (set.find(ref) != nullptr) taken.refs.push_back(ref);
  if (!taken.refs.empty()) scene.tell(std::move(taken));
}

bool may_go_on(const Scene& scene, const UnderstandAnswer& answer) {
  const std::optional<Pending>& resumed = scene.turn().resumed;
  return resumed && resumed->plan && !answer.constraint_snapshot.reset_goal && !answer.quick_mode &&
         !answer.entity_curation.clear_all;
}

bool is_yes(const Scene& scene, const UnderstandAnswer& answer) {
  return may_go_on(scene, answer) && scene.turn().resumed->type == PendingType::propose &&
         answer.conversation_phase == ConversationPhase::confirming &&
         answer.constraint_snapshot.new_constraints.empty() &&
         answer.constraint_snapshot.override_constraints.empty();
}

// The user's words for a step that asked; where several asked at once, with all that was asked.
std::string answer_to(const Scene& scene) {
  const std::vector<std::string>& questions = scene.turn().resumed->questions;
  if (questions.size() < 2) return scene.turn().message;
  std::string out = "To several questions at once (";
  for (const std::string& one : questions) out += (&one == &questions.front() ? "" : " ") + one;
  return out + "): " + scene.turn().message;
}

// R5: what the message answers, when that needs no plan: a yes to a proposal, or the answer to a
// step's question.
bool goes_on(Scene& scene, const UnderstandAnswer& answer) {
  if (!may_go_on(scene, answer)) return false;
  const std::optional<Pending>& resumed = scene.turn().resumed;
  if (!is_yes(scene, answer) && resumed->type != PendingType::ask_user) return false;
  const std::string said = answer_to(scene);
  Plan plan = *resumed->plan;
  plan.decision = Decision::plan_direct;
  for (Step& step : plan.steps) step.calls_before = static_cast<std::uint32_t>(step.calls.size());
  scene.tell(Planned{std::move(plan)});
  for (std::uint32_t i = scene.turn().plan->kept; i < scene.turn().plan->steps.size(); ++i) {
    const StepStatus status = scene.turn().plan->steps[i].status;
    if (status == StepStatus::waiting || status == StepStatus::blocked)
      scene.tell(StepResumed{i, said});
  }
  scene.tell(PhaseEntered{TurnPhase::act});
  return true;
}

// The one question, when two or more could be meant.
std::optional<Pending> question(const Scene& scene, const std::vector<ResolvedMention>& mentions) {
  for (const ResolvedMention& mention : mentions) {
    if (mention.candidates.size() < 2) continue;
    Pending pending{.type = PendingType::disambiguate,
                    .context = "Which " + mention.entity_type + " did you mean?",
                    .questions = told_apart(scene.state(), mention.candidates),
                    .candidates = mention.candidates,
                    .message = scene.turn().message,
                    .before = scene.earlier_messages()};
    return pending;
  }
  return std::nullopt;
}

// R6.
bool is_look_aside(const Scene& scene, const UnderstandAnswer& answer) {
  const std::optional<Pending>& resumed = scene.turn().resumed;
  return resumed && resumed->plan && answer.quick_mode &&
         answer.quick_mode_confidence == QuickConfidence::high &&
         !answer.constraint_snapshot.reset_goal && !answer.entity_curation.clear_all;
}

// Whether the message speaks of something that is of the goal's kind (constraints.h R5).
bool speaks_of_goal(const Scene& scene) {
  const std::optional<ActiveGoal>& goal = scene.facts().constraints.active_goal;
  if (!goal || goal->subdomain.empty()) return false;
  for (const ResolvedMention& mention : scene.turn().mentions)
    for (const std::string& ref : mention.resolved)
      if (const EntityNo entity = scene.state().registry.find(ref); entity != kNoEntity)
        if (scene.subdomain_of_type(scene.state().registry.type_of(entity)) == goal->subdomain)
          return true;
  return false;
}

}  // namespace

void apply_understand(Scene& scene, const UnderstandAnswer& answer) {
  std::vector<ResolvedMention> mentions = resolve_all(scene, answer);
  remember_mentions(scene, mentions);
  std::optional<Pending> pending = question(scene, mentions);
  scene.tell(Understood{answer, std::move(mentions)});
  apply_curation(scene, answer.entity_curation);
  const std::string subdomain = scene.subdomain_meant(answer);
  ConstraintMerge merged = merge_constraints(
      scene.facts().constraints, answer.constraint_snapshot, scene.world().pack.constraint_types,
      {scene.turn().turn, subdomain, answer.quick_mode, speaks_of_goal(scene)});
  scene.tell(ConstraintsMerged{std::move(merged.constraints), std::move(merged.notes)});
  if (pending && !is_yes(scene, answer)) {
    scene.tell(PendingSet{std::move(*pending)});
    scene.tell(PhaseEntered{TurnPhase::reply});
    return;
  }
  if (goes_on(scene, answer)) return;
  if (is_look_aside(scene, answer)) keep_waiting(scene);
  const bool is_quick = answer.quick_mode &&
                        answer.quick_mode_confidence == QuickConfidence::high &&
                        !subdomain.empty() && !scene.turn().resumed;
  scene.tell(PhaseEntered{is_quick ? TurnPhase::act_quick : TurnPhase::think});
}

}  // namespace alfred
