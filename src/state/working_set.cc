#include "state/working_set.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"

namespace alfred {
namespace {

#ifdef NDEBUG
constexpr bool kIsChecked = false;
#else
constexpr bool kIsChecked = true;
#endif

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
  return {entity,
          std::string(registry.ref(entity).text()),
          std::string(registry.type_of(entity)),
          std::string(registry.label(entity)),
          registry.status(entity),
          registry.turn_created(entity),
          registry.turn_last_referenced(entity),
          std::string(registry.last_referenced_phrase(entity)),
          std::string(registry.retention_reason(entity)),
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

namespace {

// `is_background` is asked only where it matters.
template <class IsBackground>
Tier tier_of(const RefRegistry& registry, EntityNo entity, std::uint32_t window,
             const TurnedAway* away, const IsBackground& is_background) {
  const RefStatus status = registry.status(entity);
  if (status == RefStatus::deleted) return Tier::archived;
  const std::uint32_t last = registry.turn_last_referenced(entity);
  const bool is_recent = last + window >= registry.turn();
  const bool is_away = away != nullptr && last <= away->turn;
  if (status == RefStatus::generated)
    return is_away && away->is_dropped ? Tier::archived : Tier::generated;
  const bool is_found = is_background();
  if (is_recent && !is_away && !is_found) return Tier::active;
  if (!is_away && !registry.retention_reason(entity).empty()) return Tier::retained;
  return is_found ? Tier::background : Tier::archived;
}

}  // namespace

Tier tier_of(const RefRegistry& registry, const WorkingSet& set, EntityNo entity,
             std::uint32_t window) {
  if (set.turned_away.empty() && set.background.empty())
    return tier_of(registry, entity, window, nullptr, [] { return false; });
  const Ref ref = registry.ref(entity);
  return tier_of(registry, entity, window, set.find(ref.text()),
                 [&] { return find_background(set, ref.text()) != nullptr; });
}

EntityTiers entity_tiers(const RefRegistry& registry, const WorkingSet& set,
                         const TierSettings& settings) {
  // Numbers first: what a context shows of an entity is dear to move.
  std::vector<EntityNo> active;
  std::vector<EntityNo> generated;
  std::vector<EntityNo> retained;
  const std::vector<bool> nested = nested_by_type(registry, settings);
  // Most entities are named by nobody, or were spoken of since, and then need not be spelled.
  std::vector<EntityNo> found;
  found.reserve(set.background.size());
  for (const BackgroundEntity& one : set.background) found.push_back(registry.find(one.ref));
  std::uint32_t last_away = 0;
  for (const TurnedAway& one : set.turned_away) last_away = std::max(last_away, one.turn);
  const auto tier = [&](EntityNo entity) {
    const bool may_be_away =
        !set.turned_away.empty() && registry.turn_last_referenced(entity) <= last_away;
    if (may_be_away || std::find(found.begin(), found.end(), entity) != found.end())
      return tier_of(registry, set, entity, settings.window);
    const Tier known = tier_of(registry, entity, settings.window, nullptr, [] { return false; });
    if (kIsChecked)
      ALFRED_CHECK(known == tier_of(registry, set, entity, settings.window),
                   "who is named by nobody is in the tier that an empty working set gives");
    return known;
  };
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    if (nested[registry.keys().type(entity)] || is_at_rest(registry, entity, settings.window))
      continue;
    switch (tier(entity)) {
      case Tier::active: active.push_back(entity); break;
      case Tier::generated: generated.push_back(entity); break;
      case Tier::retained: retained.push_back(entity); break;
      case Tier::background:
      case Tier::archived: break;
    }
  }
  const auto is_newer = [&](EntityNo a, EntityNo b) {
    return registry.turn_last_referenced(a) > registry.turn_last_referenced(b);
  };
  if (!std::is_sorted(active.begin(), active.end(), is_newer))
    std::stable_sort(active.begin(), active.end(), is_newer);
  const auto snapshots = [&](const std::vector<EntityNo>& entities) {
    std::vector<EntitySnapshot> out;
    out.reserve(entities.size());
    for (const EntityNo entity : entities) out.push_back(entity_snapshot(registry, entity));
    return out;
  };
  EntityTiers tiers{snapshots(active), snapshots(generated), snapshots(retained), {}};
  tiers.background.reserve(set.background.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == kNoEntity) continue;
    EntitySnapshot one = entity_snapshot(registry, found[i]);
    const auto is_background = [&] {
      return one.ref == set.background[i].ref || find_background(set, one.ref) != nullptr;
    };
    if (tier_of(registry, found[i], settings.window, set.find(one.ref), is_background) !=
        Tier::background)
      continue;
    one.relevance_reason = set.background[i].relevance_reason;
    tiers.background.push_back(std::move(one));
  }
  return tiers;
}

}  // namespace alfred
