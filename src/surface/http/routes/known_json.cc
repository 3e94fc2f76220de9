#include "surface/http/routes/known_json.h"

#include "state/constraints.h"
#include "state/working_set.h"

namespace alfred::http {
namespace {

Json entity_json(const SessionState& state, const EntitySnapshot& one, Tier tier) {
  JsonObject shown{{"ref", one.ref},
                   {"type", one.type},
                   {"label", one.label},
                   {"tier", name_of(tier)},
                   {"status", status_name(one.status)},
                   {"origin", origin_name(state.registry.origin(one.entity))},
                   {"turn_created", one.turn_created},
                   {"turn_last_ref", one.turn_last_ref}};
  const std::string& why =
      one.retention_reason.empty() ? one.relevance_reason : one.retention_reason;
  if (!why.empty()) shown["why"] = why;
  return shown;
}

void add_archived(JsonArray& out, const SessionState& state, const TierSettings& settings) {
  for (EntityNo entity = 0; entity < state.registry.size(); ++entity) {
    const Tier tier = tier_of(state.registry, state.facts.working_set, entity, settings.window);
    if (tier == Tier::archived)
      out.push_back(entity_json(state, entity_snapshot(state.registry, entity), tier));
  }
}

// Of the turn that runs, or of the last.
const std::vector<Step>* steps_of(const SessionFacts& facts) {
  if (facts.running) return facts.running->plan ? &facts.running->plan->steps : nullptr;
  if (facts.earlier_steps.empty() || facts.earlier_steps.back().turn != facts.turn) return nullptr;
  return &facts.earlier_steps.back().steps;
}

}  // namespace

Json working_set_json(const SessionState& state, const TurnWorld& world, bool with_archived) {
  const TierSettings settings{state.facts.settings.entity_window,
                              nested_types(world.pack, world.schema)};
  const EntityTiers tiers = entity_tiers(state.registry, state.facts.working_set, settings);
  JsonArray entities;
  const auto add = [&](const std::vector<EntitySnapshot>& some, Tier tier) {
    for (const EntitySnapshot& one : some) entities.push_back(entity_json(state, one, tier));
  };
  add(tiers.active, Tier::active);
  add(tiers.generated, Tier::generated);
  add(tiers.retained, Tier::retained);
  add(tiers.background, Tier::background);
  if (with_archived) add_archived(entities, state, settings);
  JsonArray artifacts;
  for (const StoredArtifact* one : state.artifacts_as_made()) artifacts.push_back(to_json(*one));
  return JsonObject{{"entities", std::move(entities)}, {"artifacts", std::move(artifacts)}};
}

JsonArray batches_json(const SessionState& state) {
  JsonArray out;
  for (const auto& [id, batch] : state.batches) {
    const BatchCounts counts = batch.counts();
    Json shown = batch.to_json();
    JsonObject& object = shown.get_object();
    object["total"] = counts.total;
    object["complete"] = counts.completed;
    object["failed"] = counts.failed;
    object["pending"] = counts.pending + counts.in_progress;
    out.push_back(std::move(shown));
  }
  return out;
}

Json known_json(const SessionState& state, const TurnWorld& world) {
  const SessionFacts& facts = state.facts;
  JsonArray steps;
  if (const std::vector<Step>* const made = steps_of(facts))
    for (const Step& step : *made) steps.push_back(to_json(step));
  JsonObject out{{"turn", facts.turn},
                 {"working_set", working_set_json(state, world, true)},
                 {"constraints", to_json(facts.constraints)},
                 {"steps", std::move(steps)},
                 {"batches", batches_json(state)}};
  if (facts.conversation.pending) out["pending"] = to_json(*facts.conversation.pending);
  if (facts.last_ledger && !facts.running) out["ledger"] = to_json(*facts.last_ledger);
  return out;
}

}  // namespace alfred::http
