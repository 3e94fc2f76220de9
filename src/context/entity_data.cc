#include "context/entity_data.h"

#include <algorithm>

#include "context/call_effects.h"

namespace alfred {
namespace {

constexpr std::string_view kGenerated = "gen_";
constexpr std::size_t kMostExpected = 1024;  // entities, ahead of need

// The entity that is shown under this ref now: what was saved has a new one.
EntityNo shown_under(const RefRegistry& registry, std::string_view ref) {
  const EntityNo entity = registry.find(ref);
  if (entity == kNoEntity || !ref.starts_with(kGenerated)) return entity;
  return registry.has_key(entity) ? kNoEntity : entity;
}

// Whether a row that was read in an earlier turn may be another one by now.
bool is_changed_by_user(const RefRegistry& registry, EntityNo entity, std::uint32_t turn) {
  return entity != kNoEntity && registry.origin(entity) == RefOrigin::user &&
         turn < registry.turn();
}

// Most often the first member.
const Json* id_of(const JsonObject& row) {
  constexpr std::string_view kId = "id";
  if (!row.empty() && row.begin()->key() == kId) return &row.begin()->value();
  return row.if_contains(kId);
}

}  // namespace

EntityData EntityData::collect(const SessionState& state) { return collect_without(state, {}); }

EntityData EntityData::collect_without(const SessionState& state,
                                       std::span<const std::string> types) {
  EntityData data(state, types);
  data.rows_.reserve(std::min<std::size_t>(state.registry.size(), kMostExpected));
  for (const TurnSteps& turn : state.facts.earlier_steps) data.add_steps(turn.turn, turn.steps);
  if (state.facts.running && state.facts.running->plan)
    data.add_steps(state.facts.running->turn, state.facts.running->plan->steps);
  for (const StoredArtifact& artifact : state.facts.artifacts) {
    if (artifact.saved_as || !artifact.content.is_object()) continue;
    const EntityNo entity = shown_under(state.registry, artifact.ref);
    Read& read = entity == kNoEntity ? data.strangers_[artifact.ref] : data.rows_[entity];
    read.row = &artifact.content.get_object();
  }
  return data;
}

const EntityData::Read* EntityData::find(EntityNo entity) const {
  const auto found = rows_.find(entity);
  return found == rows_.end() ? nullptr : &found->second;
}

const EntityData::Read* EntityData::find(std::string_view ref) const {
  const EntityNo entity = shown_under(state_.registry, ref);
  if (entity != kNoEntity) return find(entity);
  const auto found = strangers_.find(ref);
  return found == strangers_.end() ? nullptr : &found->second;
}

std::set<std::string, std::less<>> EntityData::refs() const {
  std::set<std::string, std::less<>> out;
  for (const auto& [entity, read] : rows_) out.emplace(state_.registry.ref(entity).text());
  for (const auto& [ref, read] : strangers_) out.emplace(ref);
  return out;
}

void EntityData::erase(std::string_view ref) {
  if (const EntityNo entity = state_.registry.find(ref); entity != kNoEntity)
    rows_.erase(entity);
  else
    strangers_.erase(ref);
}

void EntityData::add_steps(std::uint32_t turn, std::span<const Step> steps) {
  for (const Step& step : steps) {
    const bool only_reads = std::all_of(step.calls.begin(), step.calls.end(),
                                        [](const auto& call) { return call.tool == "db_read"; });
    const std::vector<CallEffects> effects =
        only_reads ? std::vector<CallEffects>() : effects_of(step);
    for (std::size_t i = 0; i < step.calls.size(); ++i) {
      const std::optional<Json>& answer = step.calls[i].answer;
      if (!answer) continue;
      const Source source{turn, step.id};
      if (const JsonArray* rows = rows_of(*answer)) add_rows(*rows, source);
      if (only_reads) continue;
      for (const auto* changed : {&effects[i].updated, &effects[i].deleted})
        for (const std::string& ref : *changed) erase(ref);
    }
  }
}

// All rows of an array are of one table: the first tells. Rows with rows of their own are looked
// at.
bool EntityData::is_passed_over(const JsonArray& nested) const {
  const JsonObject* first =
      without_.empty() || nested.empty() ? nullptr : nested.front().if_object();
  const Json* id = first == nullptr ? nullptr : id_of(*first);
  if (id == nullptr || !id->is_string()) return false;
  const EntityNo entity = state_.registry.find(id->get_string());
  if (entity == kNoEntity) return false;
  const std::string_view type = state_.registry.type_of(entity);
  return std::find(without_.begin(), without_.end(), type) != without_.end() &&
         std::none_of(first->begin(), first->end(), [](const auto& member) {
           const JsonArray* list = member.value().if_array();
           return list != nullptr && !list->empty() && list->front().is_object();
         });
}

void EntityData::add_rows(const JsonArray& rows, const Source& source) {
  const RefRegistry& registry = state_.registry;
  for (const Json& json : rows) {
    const JsonObject* row = json.if_object();
    const Json* id = row == nullptr ? nullptr : id_of(*row);
    if (id == nullptr || !id->is_string()) continue;
    for (const auto& member : *row)
      if (const JsonArray* nested = member.value().if_array();
          nested != nullptr && !is_passed_over(*nested))
        add_rows(*nested, source);
    const std::string_view ref = id->get_string();
    const EntityNo entity = registry.find(ref);
    if (is_changed_by_user(registry, entity, source.turn)) continue;
    if (entity != kNoEntity)
      rows_.insert_or_assign(entity, Read{row, source});
    else
      strangers_.insert_or_assign(ref, Read{row, source});
  }
}

}  // namespace alfred
