#include "state/working_set.h"

#include <algorithm>

namespace alfred {
namespace {

const BackgroundEntity* find_background(const WorkingSet& set, std::string_view ref) {
  for (const BackgroundEntity& entity : set.background)
    if (entity.ref == ref) return &entity;
  return nullptr;
}

EntitySnapshot snapshot(const RefRegistry& registry, EntityNo entity) {
  const RefEntry entry = registry.entry(entity);
  return {entity,
          std::string(entry.ref.text()),
          std::string(registry.type_of(entity)),
          entry.label,
          entry.status,
          entry.turn_created,
          entry.turn_last_referenced,
          entry.last_referenced_phrase,
          entry.retention_reason,
          {}};
}

bool is_nested(const TierSettings& settings, std::string_view type) {
  return std::find(settings.nested.begin(), settings.nested.end(), type) != settings.nested.end();
}

}  // namespace

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
  const RefEntry entry = registry.entry(entity);
  const std::string ref(entry.ref.text());
  if (entry.status == RefStatus::deleted) return Tier::archived;
  const TurnedAway* away = set.find(ref);
  const bool is_away = away != nullptr && entry.turn_last_referenced <= away->turn;
  if (entry.status == RefStatus::generated)
    return is_away && away->is_dropped ? Tier::archived : Tier::generated;
  const bool is_background = find_background(set, ref) != nullptr;
  const bool is_recent = entry.turn_last_referenced + window >= registry.turn();
  if (is_recent && !is_away && !is_background) return Tier::active;
  if (is_away) return is_background ? Tier::background : Tier::archived;
  if (!entry.retention_reason.empty()) return Tier::retained;
  return is_background ? Tier::background : Tier::archived;
}

EntityTiers entity_tiers(const RefRegistry& registry, const WorkingSet& set,
                         const TierSettings& settings) {
  EntityTiers tiers;
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    if (is_nested(settings, registry.type_of(entity))) continue;
    switch (tier_of(registry, set, entity, settings.window)) {
      case Tier::active: tiers.active.push_back(snapshot(registry, entity)); break;
      case Tier::generated: tiers.generated.push_back(snapshot(registry, entity)); break;
      case Tier::retained: tiers.retained.push_back(snapshot(registry, entity)); break;
      case Tier::background:
      case Tier::archived: break;
    }
  }
  for (const BackgroundEntity& one : set.background) {
    const EntityNo entity = registry.find(one.ref);
    if (entity == kNoEntity || tier_of(registry, set, entity, settings.window) != Tier::background)
      continue;
    tiers.background.push_back(snapshot(registry, entity));
    tiers.background.back().relevance_reason = one.relevance_reason;
  }
  std::stable_sort(tiers.active.begin(), tiers.active.end(),
                   [](const EntitySnapshot& a, const EntitySnapshot& b) {
                     return a.turn_last_ref > b.turn_last_ref;
                   });
  return tiers;
}

}  // namespace alfred
