// How a step begins (act.h): with its manifest, when it is about several things.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "alfred/ids.h"
#include "pack/categories.h"
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

// Words of a text that can tell one thing from another.
std::set<std::string, std::less<>> telling_words(std::string_view text) {
  std::set<std::string, std::less<>> out;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80) != 0;
    if (is_letter) {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      continue;
    }
    if (!word.empty()) out.insert(Categories::plain_word(word));
    word.clear();
  }
  return out;
}

// Which of them the plan's words for the step name, by a word that only their label has, or by
// their place ("the first one"). All, where the words name none, or say that there are more.
std::vector<std::string> named_in(const Scene& scene, const Step& step,
                                  std::vector<std::string> refs) {
  constexpr std::array<std::string_view, 10> kMore{"all",   "both", "each",  "every", "everything",
                                                   "other", "rest", "these", "those", "them"};
  constexpr std::array<std::string_view, 5> kPlaces{"first", "second", "third", "fourth", "fifth"};
  const auto said = telling_words(step.description);
  if (refs.size() < 2 ||
      std::ranges::any_of(kMore, [&](std::string_view one) { return said.contains(one); }))
    return refs;
  std::map<std::string, std::size_t> times;
  std::vector<std::set<std::string, std::less<>>> labels;
  for (const std::string& ref : refs) {
    const RefRegistry& registry = scene.state().registry;
    labels.push_back(telling_words(registry.label(registry.find(ref))));
    for (const std::string& word : labels.back()) ++times[word];
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const bool is_named =
        std::ranges::any_of(labels[i],
                            [&](const std::string& word) {
                              return word.size() > 1 && times[word] == 1 && said.contains(word);
                            }) ||
        (i < kPlaces.size() && said.contains(kPlaces[i]));
    if (is_named) out.push_back(refs[i]);
  }
  return out.empty() ? refs : out;
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
  if (!unsaved.empty()) return named_in(scene, step, std::move(unsaved));
  std::vector<std::string> made;
  for (const Step& earlier : scene.turn().plan->steps)
    for (const std::string& ref : earlier.artifacts)
      if (is_unsaved(scene, ref)) add_ref(scene, step, ref, made);
  if (!made.empty()) return named_in(scene, step, std::move(made));
  return said.size() > 1 ? named_in(scene, step, std::move(said)) : std::vector<std::string>();
}

}  // namespace

std::vector<std::string> rows_meant(const Scene& scene, std::uint32_t step) {
  std::vector<std::string> out;
  for (const ResolvedMention& mention : scene.turn().mentions)
    for (const std::string& ref : mention.resolved)
      add_ref(scene, scene.turn().plan->steps[step], ref, out);
  return out;
}

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
