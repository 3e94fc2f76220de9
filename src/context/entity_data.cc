#include "context/entity_data.h"

#include "context/call_effects.h"

namespace alfred {
namespace {

constexpr std::string_view kGenerated = "gen_";

// A ref as it is shown now: what was saved has a new one.
std::string shown(const SessionState& state, std::string_view ref) {
  const EntityNo entity = state.registry.find(ref);
  return entity == kNoEntity ? std::string(ref) : std::string(state.registry.ref(entity).text());
}

// Whether a row that was read in an earlier turn may be another one by now.
bool is_changed_by_user(const RefRegistry& registry, EntityNo entity, std::uint32_t turn) {
  return entity != kNoEntity && registry.origin(entity) == RefOrigin::user &&
         turn < registry.turn();
}

}  // namespace

EntityData EntityData::collect(const SessionState& state) {
  EntityData data;
  for (const TurnSteps& turn : state.facts.earlier_steps)
    data.add_steps(state, turn.turn, turn.steps);
  if (state.facts.running && state.facts.running->plan)
    data.add_steps(state, state.facts.running->turn, state.facts.running->plan->steps);
  for (const StoredArtifact& artifact : state.facts.artifacts)
    if (!artifact.saved_as && artifact.content.is_object())
      data.rows_[artifact.ref].row = &artifact.content.get_object();
  return data;
}

const JsonObject* EntityData::find(std::string_view ref) const {
  const auto found = rows_.find(ref);
  return found == rows_.end() ? nullptr : found->second.row;
}

const EntityData::Source* EntityData::source(std::string_view ref) const {
  const auto found = rows_.find(ref);
  return found == rows_.end() || !found->second.source ? nullptr : &*found->second.source;
}

std::set<std::string, std::less<>> EntityData::refs() const {
  std::set<std::string, std::less<>> out;
  for (const auto& [ref, row] : rows_) out.emplace(ref);
  return out;
}

void EntityData::add_steps(const SessionState& state, std::uint32_t turn,
                           std::span<const Step> steps) {
  for (const Step& step : steps) {
    const std::vector<CallEffects> effects = effects_of(step);
    for (std::size_t i = 0; i < step.calls.size(); ++i) {
      const std::optional<Json>& answer = step.calls[i].answer;
      if (!answer) continue;
      const Source source{turn, step.id};
      if (const JsonArray* rows = rows_of(*answer)) add_rows(state, *rows, source);
      for (const auto* changed : {&effects[i].updated, &effects[i].deleted})
        for (const std::string& ref : *changed) rows_.erase(shown(state, ref));
    }
  }
}

void EntityData::add_rows(const SessionState& state, const JsonArray& rows, const Source& source) {
  for (const Json& json : rows) {
    const JsonObject* row = json.if_object();
    const Json* id = row == nullptr ? nullptr : row->if_contains("id");
    if (id == nullptr || !id->is_string()) continue;
    for (const auto& member : *row)
      if (const JsonArray* nested = member.value().if_array()) add_rows(state, *nested, source);
    const RefRegistry& registry = state.registry;
    const EntityNo entity = registry.find(id->get_string());
    if (is_changed_by_user(registry, entity, source.turn)) continue;
    rows_.insert_or_assign(shown_ref(registry, entity, id->get_string()), Read{row, source});
  }
}

std::string_view EntityData::shown_ref(const RefRegistry& registry, EntityNo entity,
                                       std::string_view read) {
  if (entity == kNoEntity) return read;
  // Only what is generated is shown otherwise when it has become a row.
  if (registry.keys().has_key(entity) && !read.starts_with(kGenerated)) return read;
  const Ref ref = registry.ref(entity);
  return ref.text() == read ? read : std::string_view(refs_.emplace_back(ref.text()));
}

}  // namespace alfred
