#include "turn/act/artifacts.h"

#include <set>

#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "state/constraint_check.h"

namespace alfred {
namespace {

Result<void> check_artifact(const Scene& scene, const Artifact& artifact, const std::string& path) {
  const Table* table = scene.world().schema.find_ref(artifact.type);
  if (table == nullptr || table->is_read_only) {
    std::vector<std::string> types;
    for (const Table& one : scene.world().schema.tables())
      if (!one.is_read_only && (types.size() < 10 || scene.has_edition(6)))
        types.push_back(one.ref);
    return fail_listing(ErrorCode::schema,
                        "There is no type " + quoted_text(artifact.type) + " to make.",
                        path + ".type", std::move(types));
  }
  if (artifact.label.empty())
    return fail(ErrorCode::schema, "An artifact needs a label.", path + ".label");
  if (artifact.ref) {
    const StoredArtifact* known = scene.state().artifact(*artifact.ref);
    if (known == nullptr || known->saved_as)
      return fail(ErrorCode::ref_unknown,
                  quoted_text(*artifact.ref) +
                      " is nothing generated and unsaved. Leave ref out for a new one.",
                  path + ".ref");
    if (known->type != artifact.type)
      return fail(ErrorCode::ref_type, *artifact.ref + " is a " + known->type + ".",
                  path + ".type");
  }
  const SessionConstraints constraints = constraints_on(scene, artifact.type);
  if (Result<void> kept =
          check_constraints(constraints, scene.world().pack, artifact.content, path);
      !kept)
    return kept;
  // As it would be saved: "1 h 20 min" is 80 only there.
  const Result<CompiledArtifact> compiled = scene.world().compile(
      {.ref = artifact.ref.value_or(""), .type = artifact.type, .content = artifact.content});
  if (!compiled) return {};
  return check_constraints(constraints, scene.world().pack, compiled->row, path);
}

Result<void> check_refs_once(std::span<const Artifact> artifacts) {
  std::set<std::string, std::less<>> named;
  for (std::size_t i = 0; i < artifacts.size(); ++i)
    if (artifacts[i].ref && !named.insert(*artifacts[i].ref).second)
      return fail(ErrorCode::batch_dup, *artifacts[i].ref + " is given twice. Give it once, whole.",
                  "artifacts[" + std::to_string(i) + "].ref");
  return {};
}

// Registers what is new; the refs of all, in order.
Result<std::vector<std::string>> register_all(Scene& scene, std::uint32_t step,
                                              std::span<const Artifact> artifacts) {
  std::vector<std::string> refs;
  const Result<void> told = scene.tell_refs([&](RefRegistry& registry) -> Result<void> {
    for (std::size_t i = 0; i < artifacts.size(); ++i) {
      const Artifact& artifact = artifacts[i];
      if (artifact.ref) {
        const EntityNo entity = registry.find(*artifact.ref);
        registry.set_label(entity, artifact.label);
        registry.mark_referenced(entity, "");
        refs.push_back(*artifact.ref);
        continue;
      }
      const Table& table = *scene.world().schema.find_ref(artifact.type);
      const Result<TypeNo> type = registry.type_named(table.ref, table.name);
      if (!type) return Unexpected(type.error());
      const Result<EntityNo> entity =
          registry.register_generated(*type, artifact.label, {step, static_cast<std::uint32_t>(i)});
      if (!entity) return Unexpected(entity.error());
      refs.emplace_back(registry.ref(*entity).text());
    }
    return {};
  });
  if (!told) return Unexpected(told.error());
  return refs;
}

}  // namespace

SessionConstraints constraints_on(const Scene& scene, std::string_view type) {
  SessionConstraints out = scene.facts().constraints;
  const std::optional<ActiveGoal>& goal = out.active_goal;
  if (goal && !goal->subdomain.empty() && goal->subdomain != scene.subdomain_of_type(type))
    out.active_goal.reset();
  return out;
}

Result<void> keep_artifacts(Scene& scene, std::uint32_t step, std::span<const Artifact> artifacts) {
  const std::optional<std::uint32_t> expected = scene.turn().plan->steps[step].expected;
  if (artifacts.empty())
    return fail(
        ErrorCode::batch_pending,
        "The answer has no artifacts, and a generate step is to make some. Give them whole.",
        "artifacts");
  if (expected && artifacts.size() != *expected)
    return fail(ErrorCode::batch_pending,
                "The step is to make " + std::to_string(*expected) + "; the answer has " +
                    std::to_string(artifacts.size()) + ". Give all of them in one answer.",
                "artifacts");
  if (Result<void> once = check_refs_once(artifacts); !once) return once;
  for (std::size_t i = 0; i < artifacts.size(); ++i)
    if (Result<void> checked =
            check_artifact(scene, artifacts[i], "artifacts[" + std::to_string(i) + "]");
        !checked)
      return checked;
  Result<std::vector<std::string>> refs = register_all(scene, step, artifacts);
  if (!refs) return Unexpected(std::move(refs).error());
  for (std::size_t i = 0; i < artifacts.size(); ++i)
    scene.tell(ArtifactPut{step,
                           {(*refs)[i], artifacts[i].type, artifacts[i].label, artifacts[i].content,
                            scene.turn().turn, std::nullopt}});
  return {};
}

}  // namespace alfred
