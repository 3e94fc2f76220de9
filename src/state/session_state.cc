#include "state/session_state.h"

#include <algorithm>

#include "base/json/json_text.h"
#include "contracts/shape_text.h"
#include "refs/registry/registry_json.h"
#include "refs/registry/registry_reader.h"

namespace alfred {
namespace {

Unexpected damaged() {
  return fail(ErrorCode::corrupt,
              "A session's snapshot cannot be read. The file was left as it is.");
}

}  // namespace

const StoredArtifact* SessionState::artifact(std::string_view ref) const {
  const auto found = std::lower_bound(
      facts.artifacts.begin(), facts.artifacts.end(), ref,
      [](const StoredArtifact& one, std::string_view wanted) { return one.ref < wanted; });
  return found == facts.artifacts.end() || found->ref != ref ? nullptr : &*found;
}

std::vector<const StoredArtifact*> SessionState::artifacts_as_made() const {
  std::vector<const StoredArtifact*> out;
  out.reserve(facts.artifacts.size());
  for (const StoredArtifact& one : facts.artifacts) out.push_back(&one);
  std::stable_sort(out.begin(), out.end(), [&](const StoredArtifact* a, const StoredArtifact* b) {
    return registry.find(a->ref) < registry.find(b->ref);
  });
  return out;
}

const BatchManifest* SessionState::batch(std::string_view id) const {
  const auto found = batches.find(id);
  return found == batches.end() ? nullptr : &found->second;
}

std::string write_session(const SessionState& state) {
  JsonArray batches;
  for (const auto& [id, manifest] : state.batches) batches.push_back(manifest.to_json());
  std::string out = "{\"registry\":" + RegistryJson::write_compact(state.registry);
  append_json_name(out, "batches");
  append_json(out, batches);
  append_json_name(out, "facts");
  append_json_of(out, state.facts);
  return out + "}";
}

Result<SessionState> read_session(std::string_view text) {
  const Result<Json> json = parse_json(text, JsonLimits::none());
  const JsonObject* object = json ? json->if_object() : nullptr;
  if (object == nullptr || !object->contains("registry") || !object->contains("batches") ||
      !object->contains("facts") || !object->at("batches").is_array())
    return damaged();
  SessionState state;
  Result<RefRegistry> registry = read_registry(object->at("registry"), {});
  if (!registry) return damaged();
  state.registry = std::move(*registry);
  for (const Json& one : object->at("batches").get_array()) {
    Result<BatchManifest> manifest = BatchManifest::from_json(one);
    if (!manifest) return damaged();
    state.batches.emplace(manifest->id().view(), std::move(*manifest));
  }
  DecodeNotes notes;
  Result<SessionFacts> facts = from_json<SessionFacts>(object->at("facts"), notes);
  if (!facts) return damaged();
  state.facts = std::move(*facts);
  return state;
}

}  // namespace alfred
