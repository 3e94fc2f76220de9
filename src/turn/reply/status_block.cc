#include "turn/reply/status_block.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "context/shown_text.h"
#include "refs/literal_mask.h"

namespace alfred {
namespace {

NamedEntity named(const Scene& scene, std::string_view ref) {
  const RefRegistry& registry = scene.state().registry;
  const EntityNo entity = registry.find(ref);
  if (entity == kNoEntity) return {std::string(ref), "", std::string(ref)};
  KeyPieces pieces(registry.keys());
  return {std::string(registry.ref(entity).text()), std::string(registry.type_of(entity)),
          shown_label(registry, entity, pieces)};
}

void add_refs(const Scene& scene, const Json& answer, std::string_view member,
              std::vector<NamedEntity>& out) {
  const Json* list = answer.is_object() ? answer.get_object().if_contains(member) : nullptr;
  if (list == nullptr || !list->is_array()) return;
  for (const Json& one : list->get_array()) {
    const Json* ref = one.is_object() ? one.get_object().if_contains("ref") : &one;
    if (ref == nullptr || !ref->is_string()) continue;
    NamedEntity entity = named(scene, ref->get_string());
    const bool is_known = std::any_of(
        out.begin(), out.end(), [&](const NamedEntity& known) { return known.ref == entity.ref; });
    if (!is_known) out.push_back(std::move(entity));
  }
}

std::string table_of(const Json& params) {
  const Json* table = params.is_object() ? params.get_object().if_contains("table") : nullptr;
  return table != nullptr && table->is_string() ? std::string(table->get_string()) : "";
}

void count_call(const Scene& scene, const Step& step, const ToolResult& call,
                SummarizeOutput& out) {
  if (!call.answer) {
    if (call.error) out.errors.push_back({call.error->code, call.error->message, step.id});
    return;
  }
  const std::string table = table_of(call.params);
  const auto same = std::find_if(
      out.tools_called.begin(), out.tools_called.end(),
      [&](const ToolCount& one) { return one.tool == call.tool && one.table == table; });
  if (same == out.tools_called.end())
    out.tools_called.push_back({call.tool, table, 1});
  else
    ++same->count;
  add_refs(scene, *call.answer, "created", out.entities_created);
  add_refs(scene, *call.answer, "updated", out.entities_updated);
  add_refs(scene, *call.answer, "deleted", out.entities_deleted);
}

void count_type(std::vector<TypeCount>& counts, const std::string& type) {
  for (TypeCount& one : counts)
    if (one.type == type) {
      ++one.count;
      return;
    }
  counts.push_back({type, 1});
}

void count_artifacts(const Scene& scene, const Step& step, SummarizeOutput& out) {
  for (const std::string& ref : step.artifacts) {
    const StoredArtifact* artifact = scene.state().artifact(ref);
    if (artifact != nullptr) count_type(out.artifacts_generated, artifact->type);
  }
}

std::string list_of(const std::vector<NamedEntity>& entities) {
  std::string out;
  for (const NamedEntity& one : entities)
    out += (out.empty() ? "" : ", ") + shown_line(one.label.empty() ? one.type : one.label);
  return out;
}

void add_line(std::string& out, std::string_view what, const std::vector<NamedEntity>& entities) {
  if (!entities.empty())
    out += "- " + std::string(what) + " (" + std::to_string(entities.size()) +
           "): " + list_of(entities) + "\n";
}

std::vector<NamedEntity> unsaved(const Scene& scene) {
  std::vector<NamedEntity> out;
  if (!scene.turn().plan) return out;
  for (const Step& step : scene.turn().plan->steps)
    for (const std::string& ref : step.artifacts) {
      const StoredArtifact* artifact = scene.state().artifact(ref);
      if (artifact != nullptr && !artifact->saved_as) out.push_back(named(scene, ref));
    }
  return out;
}

void add_batches(const Scene& scene, std::string& out) {
  for (const Step& step : scene.turn().plan->steps) {
    const BatchManifest* manifest = step.batch ? scene.state().batch(*step.batch) : nullptr;
    if (manifest == nullptr) continue;
    const BatchCounts counts = manifest->counts();
    if (counts.completed == counts.total) continue;
    out += "- Done: " + std::to_string(counts.completed) + " of " + std::to_string(counts.total) +
           "\n";
    for (const BatchItem& item : manifest->items()) {
      if (item.status == ItemStatus::failed)
        out += "- Failed: " + shown_line(named(scene, item.ref).label) + ": " +
               shown_line(item.error) + "\n";
      if (item.status == ItemStatus::pending)
        out += "- Not done: " + shown_line(named(scene, item.ref).label) + "\n";
    }
  }
}

void add_steps(const Scene& scene, std::string& out) {
  for (const Step& step : scene.turn().plan->steps) {
    if (step.block)
      out += "- Not finished: " + shown_line(step.description) + ": " +
             shown_line(step.block->details) + "\n";
    for (const std::string& one : step.discrepancies)
      out += "- Left out: " + shown_line(one) + "\n";
  }
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Refs in a reply become labels (D24).
std::string with_labels(const Scene& scene, std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const bool may_be = word.find('_') != std::string_view::npos;
    const EntityNo entity = may_be ? scene.state().registry.find(word) : kNoEntity;
    out += entity == kNoEntity ? std::string(word) : named(scene, word).label;
    at = end;
  }
  return out;
}

struct Claim {
  std::string_view verb;
  std::size_t happened;
};

// "saved 3": a number right before or after a verb of the ledger that is not the ledger's.
std::vector<std::string> wrong_counts(std::string_view said, std::span<const Claim> claims) {
  std::vector<std::string> words(1);
  for (const char c : said) {
    if (is_word(c))
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  std::vector<std::string> out;
  const auto number = [](const std::string& word) -> std::optional<std::size_t> {
    if (word.empty() || word.size() > 4 ||
        word.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    return static_cast<std::size_t>(std::stoul(word));
  };
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const Claim& claim : claims) {
      if (words[i] != claim.verb || i + 1 >= words.size()) continue;
      if (const auto count = number(words[i + 1]); count && *count != claim.happened)
        out.push_back(std::string(claim.verb) + " " + words[i + 1]);
    }
  return out;
}

}  // namespace

SummarizeOutput ledger_of(const Scene& scene) {
  SummarizeOutput out;
  out.errors = scene.turn().errors;
  if (!scene.turn().plan) return out;
  for (const Step& step : scene.turn().plan->steps) {
    ++out.steps_total;
    out.steps_completed += step.status == StepStatus::complete ? 1 : 0;
    for (const ToolResult& call : step.calls) count_call(scene, step, call, out);
    count_artifacts(scene, step, out);
  }
  for (const StoredArtifact& artifact : scene.facts().artifacts)
    if (artifact.saved_as)
      for (const NamedEntity& created : out.entities_created)
        if (created.ref == *artifact.saved_as) count_type(out.artifacts_saved, artifact.type);
  return out;
}

std::string status_block(const Scene& scene, const SummarizeOutput& ledger) {
  std::string out;
  add_line(out, "Saved", ledger.entities_created);
  add_line(out, "Changed", ledger.entities_updated);
  add_line(out, "Deleted", ledger.entities_deleted);
  add_line(out, "Made, not saved", unsaved(scene));
  if (scene.turn().plan) {
    add_batches(scene, out);
    add_steps(scene, out);
  }
  if (scene.turn().failure) out += "- Failed: " + shown_line(*scene.turn().failure) + "\n";
  return out;
}

CheckedReply checked_reply(const Scene& scene, const SummarizeOutput& ledger,
                           std::string_view said) {
  CheckedReply out{with_labels(scene, said), {}};
  const std::array<Claim, 6> claims{Claim{"saved", ledger.entities_created.size()},
                                    Claim{"created", ledger.entities_created.size()},
                                    Claim{"added", ledger.entities_created.size()},
                                    Claim{"updated", ledger.entities_updated.size()},
                                    Claim{"changed", ledger.entities_updated.size()},
                                    Claim{"deleted", ledger.entities_deleted.size()}};
  out.mismatches = wrong_counts(said, claims);
  if (out.mismatches.empty()) return out;
  const std::string block = status_block(scene, ledger);
  out.text += "\n\n(Correction, from the record: " +
              (block.empty() ? std::string("nothing was changed.") : "\n" + block + ")");
  if (block.empty()) out.text += ")";
  return out;
}

}  // namespace alfred
