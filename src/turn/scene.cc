#include "turn/scene.h"

#include <algorithm>

#include "base/check.h"
#include "base/digest.h"

namespace alfred {

void Scene::tell(Change change) {
  const Result<void> told = try_tell(std::move(change));
  ALFRED_CHECK(told.has_value(), "a change of a node fits the state it was made from");
}

Result<void> Scene::try_tell(Change change) {
  if (Result<void> applied = apply_change(state_, change); !applied) return applied;
  constexpr std::size_t kUsual = 16;  // changes are large, and dear to move
  if (changes_.empty()) changes_.reserve(kUsual);
  changes_.push_back(std::move(change));
  return {};
}

Result<void> Scene::tell_refs(const std::function<Result<void>(RefRegistry&)>& change) {
  RefRegistry& registry = state_.registry;
  registry.begin();
  if (Result<void> done = change(registry); !done) {
    registry.rollback();
    return done;
  }
  RefChanges changes = registry.changes();
  registry.rollback();
  if (!changes.empty()) tell(RefsChanged{std::move(changes)});
  return {};
}

KeyedRandom Scene::random_for(std::string_view what) const {
  const std::string name = turn().seed + " " + std::string(what);
  return KeyedRandom(KeyedRandom::key_from_text(content_digest(name)).value());
}

Changes Scene::take_changes() { return std::exchange(changes_, {}); }

std::vector<const StoredArtifact*> Scene::artifacts() const {
  if (has_edition(5)) return state_.artifacts_as_made();
  std::vector<const StoredArtifact*> out;
  for (const StoredArtifact& one : facts().artifacts) out.push_back(&one);
  return out;
}

EntityTiers Scene::tiers() const {
  return entity_tiers(state_.registry, facts().working_set,
                      {.window = facts().settings.entity_window,
                       .nested = nested_types(world_.pack, world_.schema)});
}

std::string Scene::subdomain_of_type(std::string_view type) const {
  const Table* table = world_.schema.find_ref(type);
  if (table == nullptr) return "";
  for (const Subdomain& one : world_.pack.subdomains)
    if (!one.tables.empty() && one.tables.front() == table->name) return one.name;
  for (const Subdomain& one : world_.pack.subdomains)
    if (std::find(one.tables.begin(), one.tables.end(), table->name) != one.tables.end())
      return one.name;
  return "";
}

std::string Scene::subdomain_meant(const UnderstandAnswer& answer) const {
  if (answer.quick_subdomain && find_subdomain(*answer.quick_subdomain) != nullptr)
    return *answer.quick_subdomain;
  for (const EntityMention& mention : answer.entity_mentions)
    if (std::string found = subdomain_of_type(mention.entity_type); !found.empty()) return found;
  return "";
}

std::vector<std::string> Scene::subdomains() const {
  std::vector<std::string> out;
  out.reserve(world_.pack.subdomains.size());
  for (const Subdomain& one : world_.pack.subdomains) out.push_back(one.name);
  return out;
}

const Subdomain* Scene::find_subdomain(std::string_view name) const {
  for (const Subdomain& one : world_.pack.subdomains)
    if (one.name == name) return &one;
  return nullptr;
}

const Pending* Scene::untaken() const {
  const std::optional<Pending>& resumed = turn().resumed;
  return resumed && !turn().plan && !turn().pending ? &*resumed : nullptr;
}

void keep_waiting(Scene& scene) {
  if (const Pending* waits = scene.untaken()) scene.tell(PendingSet{*waits});
}

std::vector<std::string> Scene::earlier_messages() const {
  if (!turn().resumed) return {};
  std::vector<std::string> out = turn().resumed->before;
  out.push_back(turn().resumed->message);
  return out;
}

}  // namespace alfred
