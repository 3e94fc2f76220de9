#include "turn/act/undone_turn.h"

#include <algorithm>
#include <set>

#include "context/call_effects.h"

namespace alfred {
namespace {

using Entities = std::set<EntityNo>;

Entities entities_of(const Scene& scene, const CallEffects& effects) {
  Entities out;
  for (const auto* refs : {&effects.created, &effects.updated, &effects.deleted})
    for (const std::string& ref : *refs)
      if (const EntityNo entity = scene.state().registry.find(ref); entity != kNoEntity)
        out.insert(entity);
  return out;
}

// R1.
void unsave(Scene& scene, std::uint32_t step, const std::vector<std::string>& deleted) {
  std::vector<StoredArtifact> gone;
  for (const StoredArtifact* one : scene.artifacts())
    if (one->saved_as && std::ranges::find(deleted, *one->saved_as) != deleted.end())
      gone.push_back(*one);
  if (gone.empty()) return;
  std::vector<std::string> refs;
  const Result<void> told = scene.tell_refs([&](RefRegistry& registry) -> Result<void> {
    for (std::size_t i = 0; i < gone.size(); ++i) {
      const Table& table = *scene.world().schema.find_ref(gone[i].type);
      const Result<TypeNo> type = registry.type_named(table.ref, table.name);
      if (!type) return Unexpected(type.error());
      const Result<EntityNo> entity =
          registry.register_generated(*type, gone[i].label, {step, static_cast<std::uint32_t>(i)});
      if (!entity) return Unexpected(entity.error());
      refs.emplace_back(registry.ref(*entity).text());
    }
    return {};
  });
  if (!told) return;  // no room for more refs: the rows are gone all the same
  for (std::size_t i = 0; i < gone.size(); ++i) {
    scene.tell(ArtifactDropped{gone[i].ref});
    scene.tell(ArtifactPut{
        std::nullopt,
        {refs[i], gone[i].type, gone[i].label, gone[i].content, scene.turn().turn, std::nullopt}});
  }
}

// R2.
void settle_batch(Scene& scene, const std::string& id, const Entities& touched) {
  const BatchManifest* batch = scene.state().batch(id);
  if (batch == nullptr) return;
  BatchManifest moved = *batch;
  ItemsMoved change{id, {}};
  for (const BatchItem& item : batch->items()) {
    if (item.status != ItemStatus::pending) continue;
    change.changes.push_back(moved.start(item.ref).value());
    const bool is_touched = touched.contains(scene.state().registry.find(item.ref));
    change.changes.push_back(
        is_touched
            ? moved.complete(item.ref, item.ref).value()
            : moved
                  .fail_item(item.ref,
                             "The undo took back the turn before, which did nothing to it.", false)
                  .value());
  }
  if (!change.changes.empty()) scene.tell(std::move(change));
}

}  // namespace

void take_undone(Scene& scene, std::uint32_t step) {
  const Step& now = scene.turn().plan->steps[step];
  const ToolResult& last = now.calls.back();
  if (last.tool != "db_undo" || !last.answer) return;
  const JsonObject* params = last.params.if_object();
  const Json* dry_run = params == nullptr ? nullptr : params->if_contains("dry_run");
  if (dry_run != nullptr && dry_run->is_bool() && dry_run->get_bool()) return;
  const CallEffects effects = effects_of(now).back();
  const Entities touched = entities_of(scene, effects);
  const std::optional<std::string> batch = now.batch;
  unsave(scene, step, effects.deleted);
  if (batch) settle_batch(scene, *batch, touched);
}

}  // namespace alfred
