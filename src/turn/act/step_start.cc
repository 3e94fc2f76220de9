// How a step begins (act.h): with its manifest, when it is about several things.
#include <algorithm>

#include "alfred/ids.h"
#include "turn/act/act.h"

namespace alfred {
namespace {

// Refs of this subdomain's type, without those the message turned away from.
void add_ref(const Scene& scene, const Step& step, const std::string& ref,
             std::vector<std::string>& out) {
  const EntityNo entity = scene.state().registry.find(ref);
  if (entity == kNoEntity ||
      scene.subdomain_of_type(scene.state().registry.type_of(entity)) != step.subdomain)
    return;
  const std::string shown(scene.state().registry.ref(entity).text());
  const CurationSummary& curation = scene.turn().curation;
  for (const auto* away : {&curation.dropped, &curation.demoted})
    if (std::find(away->begin(), away->end(), shown) != away->end()) return;
  if (std::find(out.begin(), out.end(), shown) == out.end()) out.push_back(shown);
}

bool is_unsaved(const Scene& scene, const std::string& ref) {
  const StoredArtifact* artifact = scene.state().artifact(ref);
  return artifact != nullptr && !artifact->saved_as;
}

// R5: what is meant and not saved; else what this turn made; else the rows that are meant. One row
// is no batch: the message may want something beside it ("more eggs").
std::vector<std::string> items_in_play(const Scene& scene, const Step& step) {
  std::vector<std::string> said;
  for (const ResolvedMention& mention : scene.turn().mentions)
    for (const std::string& ref : mention.resolved) add_ref(scene, step, ref, said);
  std::vector<std::string> unsaved;
  for (const std::string& ref : said)
    if (is_unsaved(scene, ref)) unsaved.push_back(ref);
  if (!unsaved.empty()) return unsaved;
  std::vector<std::string> made;
  for (const Step& earlier : scene.turn().plan->steps)
    for (const std::string& ref : earlier.artifacts)
      if (is_unsaved(scene, ref)) add_ref(scene, step, ref, made);
  if (!made.empty()) return made;
  return said.size() > 1 ? said : std::vector<std::string>();
}

}  // namespace

void start_step(Scene& scene, std::uint32_t step) {
  const Step& now = scene.turn().plan->steps[step];
  if (now.step_type != StepType::write || now.batch)
    return scene.tell(StepStarted{step, std::nullopt});
  std::vector<std::string> refs = items_in_play(scene, now);
  const Subdomain* subdomain = scene.find_subdomain(now.subdomain);
  if (refs.empty() || subdomain == nullptr || subdomain->tables.empty())
    return scene.tell(StepStarted{step, std::nullopt});
  Result<BatchManifest> manifest =
      BatchManifest::declare(scene.fresh_id<IdKind::batch>("batch of " + now.id),
                             subdomain->tables.front(), std::move(refs));
  if (!manifest) return scene.tell(StepStarted{step, std::nullopt});
  const std::string id(manifest->id().view());
  scene.tell(BatchDeclared{std::move(*manifest)});
  scene.tell(StepStarted{step, id});
}

void plan_quick(Scene& scene) {
  const UnderstandAnswer& understood = *scene.turn().understood;
  Step step{.id = std::string(scene.fresh_id<IdKind::step>("quick step").view()),
            .step_type = StepType::read,
            .subdomain = scene.subdomain_meant(understood),
            .description = understood.quick_intent.value_or(understood.processed_message)};
  scene.tell(
      Planned{Plan{.goal = understood.processed_message, .steps = {step}, .is_quick = true}});
  scene.tell(StepStarted{0, std::nullopt});
}

}  // namespace alfred
