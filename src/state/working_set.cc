#include "state/working_set.h"

#include <algorithm>
#include <utility>

namespace alfred {
namespace {

const BackgroundEntity* find_background(const WorkingSet& set, std::string_view ref) {
  for (const BackgroundEntity& entity : set.background)
    if (entity.ref == ref) return &entity;
  return nullptr;
}

std::vector<bool> nested_by_type(const RefRegistry& registry, const TierSettings& settings) {
  std::vector<bool> out;
  for (std::size_t type = 0; type < registry.type_count(); ++type)
    out.push_back(std::find(settings.nested.begin(), settings.nested.end(),
                            registry.type_name(static_cast<TypeNo>(type))) !=
                  settings.nested.end());
  return out;
}

// Background or archived, whatever the working set says: most entities of a long session are, and
// this is what they cost.
bool is_at_rest(const RefRegistry& registry, EntityNo entity, std::uint32_t window) {
  return registry.turn_last_referenced(entity) + window < registry.turn() &&
         registry.status(entity) != RefStatus::generated &&
         registry.retention_reason(entity).empty();
}

}  // namespace

EntitySnapshot entity_snapshot(const RefRegistry& registry, EntityNo entity) {
  RefEntry entry = registry.entry(entity);
  return {entity,
          std::string(entry.ref.text()),
          std::string(registry.type_of(entity)),
          std::move(entry.label),
          entry.status,
          entry.turn_created,
          entry.turn_last_referenced,
          std::move(entry.last_referenced_phrase),
          std::move(entry.retention_reason),
          {}};
}

const TurnedAway* WorkingSet::find(std::string_view ref) const {
  const auto found = std::lower_bound(
      turned_away.begin(), turned_away.end(), ref,
      [](const TurnedAway& one, std::string_view wanted) { return one.ref < wanted; });
  return found == turned_away.end() || found->ref != ref ? nullptr : &*found;
}

void WorkingSet::turn_away(TurnedAway what) {
  const auto found = std::lower_bound(
      turned_away.begin(), turned_away.end(), what.ref,
      [](const TurnedAway& one, const std::string& wanted) { return one.ref < wanted; });
  if (found != turned_away.end() && found->ref == what.ref)
    *found = std::move(what);
  else
    turned_away.insert(found, std::move(what));
}

std::vector<std::string> nested_types(const Pack& pack, const Schema& schema) {
  std::vector<std::string> out;
  for (const Table& table : schema.tables())
    for (const Relation& relation : table.relations) {
      const Table* child = schema.find(relation.table);
      const bool is_own = std::any_of(
          pack.subdomains.begin(), pack.subdomains.end(), [&](const Subdomain& subdomain) {
            return !subdomain.tables.empty() && subdomain.tables.front() == relation.table;
          });
      if (child != nullptr && !is_own) out.push_back(child->ref);
    }
  return out;
}

Tier tier_of(const RefRegistry& registry, const WorkingSet& set, EntityNo entity,
             std::uint32_t window) {
  const RefStatus status = registry.status(entity);
  if (status == RefStatus::deleted) return Tier::archived;
  const std::uint32_t last = registry.turn_last_referenced(entity);
  const bool is_recent = last + window >= registry.turn();
  const Ref shown = registry.ref(entity);
  const TurnedAway* away = set.find(shown.text());
  const bool is_away = away != nullptr && last <= away->turn;
  if (status == RefStatus::generated)
    return is_away && away->is_dropped ? Tier::archived : Tier::generated;
  const bool is_background = find_background(set, shown.text()) != nullptr;
  if (is_recent && !is_away && !is_background) return Tier::active;
  if (!is_away && !registry.retention_reason(entity).empty()) return Tier::retained;
  return is_background ? Tier::background : Tier::archived;
}

EntityTiers entity_tiers(const RefRegistry& registry, const WorkingSet& set,
                         const TierSettings& settings) {
  EntityTiers tiers;
  const std::vector<bool> nested = nested_by_type(registry, settings);
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    if (nested[registry.keys().type(entity)] || is_at_rest(registry, entity, settings.window))
      continue;
    switch (tier_of(registry, set, entity, settings.window)) {
      case Tier::active: tiers.active.push_back(entity_snapshot(registry, entity)); break;
      case Tier::generated: tiers.generated.push_back(entity_snapshot(registry, entity)); break;
      case Tier::retained: tiers.retained.push_back(entity_snapshot(registry, entity)); break;
      case Tier::background:
      case Tier::archived: break;
    }
  }
  for (const BackgroundEntity& one : set.background) {
    const EntityNo entity = registry.find(one.ref);
    if (entity == kNoEntity || tier_of(registry, set, entity, settings.window) != Tier::background)
      continue;
    tiers.background.push_back(entity_snapshot(registry, entity));
    tiers.background.back().relevance_reason = one.relevance_reason;
  }
  // Most often they stand so already, and they are dear to move.
  const auto is_newer = [](const EntitySnapshot& a, const EntitySnapshot& b) {
    return a.turn_last_ref > b.turn_last_ref;
  };
  if (!std::is_sorted(tiers.active.begin(), tiers.active.end(), is_newer))
    std::stable_sort(tiers.active.begin(), tiers.active.end(), is_newer);
  return tiers;
}

}  // namespace alfred
