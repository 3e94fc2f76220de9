#include "turn/reply/status_block.h"

#include <algorithm>
#include <array>

#include "context/call_effects.h"
#include "context/shown_text.h"
#include "turn/act/act.h"
#include "turn/prompt/labels.h"

namespace alfred {
namespace {

void add_refs(const Scene& scene, const std::vector<std::string>& refs,
              std::vector<NamedEntity>& out) {
  for (const std::string& ref : refs) {
    NamedEntity entity = named_entity(scene, ref);
    const bool is_known = std::any_of(
        out.begin(), out.end(), [&](const NamedEntity& known) { return known.ref == entity.ref; });
    if (!is_known) out.push_back(std::move(entity));
  }
}

std::string table_of(const Json& params) {
  const Json* table = params.is_object() ? params.get_object().if_contains("table") : nullptr;
  return table != nullptr && table->is_string() ? std::string(table->get_string()) : "";
}

void count_call(const Step& step, const ToolResult& call, SummarizeOutput& out) {
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
}

// What the step did in this turn.
void count_step(const Scene& scene, const Step& step, SummarizeOutput& out) {
  const std::vector<CallEffects> effects = effects_of(step);
  for (std::size_t i = step.calls_before; i < step.calls.size(); ++i) {
    count_call(step, step.calls[i], out);
    add_refs(scene, effects[i].created, out.entities_created);
    add_refs(scene, effects[i].updated, out.entities_updated);
    add_refs(scene, effects[i].deleted, out.entities_deleted);
  }
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

void add_line(std::vector<StatusLine>& out, StatusKind kind, std::string_view what,
              const std::vector<NamedEntity>& entities) {
  if (entities.empty()) return;
  StatusLine line{kind, "- " + std::string(what) + " (" + std::to_string(entities.size()) + "): "};
  for (const NamedEntity& one : entities) {
    line.text += (line.labels.empty() ? "" : ", ") + shown_line(one.label);
    line.labels.push_back(one.label);
  }
  line.text += "\n";
  out.push_back(std::move(line));
}

std::vector<NamedEntity> unsaved(const Scene& scene) {
  std::vector<NamedEntity> out;
  if (!scene.turn().plan) return out;
  for (const Step& step : scene.turn().plan->steps)
    for (const std::string& ref : step.artifacts) {
      const StoredArtifact* artifact = scene.state().artifact(ref);
      if (artifact != nullptr && !artifact->saved_as) out.push_back(named_entity(scene, ref));
    }
  return out;
}

// Whether a later step of the turn is about this item too: then that one tells of it.
bool is_taken_over(const Scene& scene, std::size_t step, std::string_view item) {
  const std::vector<Step>& steps = scene.turn().plan->steps;
  for (std::size_t i = step + 1; i < steps.size(); ++i) {
    const BatchManifest* manifest = steps[i].batch ? scene.state().batch(*steps[i].batch) : nullptr;
    if (manifest != nullptr && manifest->find(item) != nullptr) return true;
  }
  return false;
}

void add_batch(const Scene& scene, std::size_t step, std::string& out) {
  const std::optional<std::string>& id = scene.turn().plan->steps[step].batch;
  const BatchManifest* manifest = id ? scene.state().batch(*id) : nullptr;
  if (manifest == nullptr) return;
  const BatchCounts counts = manifest->counts();
  if (counts.completed == counts.total) return;
  std::string open;
  for (const BatchItem& item : manifest->items()) {
    if (is_taken_over(scene, step, item.ref)) continue;
    const std::string label = shown_line(named_entity(scene, item.ref).label);
    if (item.status == ItemStatus::failed)
      open += "- Failed: " + label + ": " + shown_line(in_labels(scene, item.error)) + "\n";
    if (item.status == ItemStatus::pending) open += "- Not done: " + label + "\n";
  }
  if (!open.empty())
    out += "- Done: " + std::to_string(counts.completed) + " of " + std::to_string(counts.total) +
           "\n" + open;
}

// R5.
constexpr std::string_view kUnusable = "The model's answers could not be used.";

std::string block_text(const StepBlock& block) {
  return block.details.starts_with(kUnusableAnswers) ? std::string(kUnusable) : block.details;
}

const LedgerError* failure_of(const Scene& scene) {
  for (const LedgerError& one : scene.turn().errors)
    if (scene.turn().failure && one.message == *scene.turn().failure) return &one;
  return nullptr;
}

// Then the step's own line tells of it.
bool is_of_step(const Scene& scene) {
  const LedgerError* error = failure_of(scene);
  if (error == nullptr || !error->step_id || !scene.turn().plan) return false;
  const std::vector<Step>& steps = scene.turn().plan->steps;
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
    return step.id == *error->step_id && step.block &&
           step.block->details.starts_with(kUnusableAnswers);
  });
}

std::string failure_text(const Scene& scene) {
  constexpr std::array<std::string_view, 9> kOfAnswers{
      "json", "json_dupkey", "utf8",         "schema",          "action",
      "plan", "answer_cut",  "answer_empty", "answer_ambiguous"};
  const LedgerError* error = failure_of(scene);
  const bool is_of_answer = error != nullptr && (std::find(kOfAnswers.begin(), kOfAnswers.end(),
                                                           error->code) != kOfAnswers.end());
  return is_of_answer ? std::string(kUnusable) + " Say it again, or in other words."
                      : *scene.turn().failure;
}

// Steps that another plan took over tell only what they left out.
void add_step(const Scene& scene, std::size_t index, std::string& out) {
  const Plan& plan = *scene.turn().plan;
  const Step& step = plan.steps[index];
  const std::string what = shown_line(in_labels(scene, step.description));
  const bool is_open = step.status == StepStatus::running && scene.turn().failure;
  if (index >= plan.kept && (step.block || is_open)) {
    out += "- Not finished: " + what;
    if (step.block) out += ": " + shown_line(in_labels(scene, block_text(*step.block)));
    out += "\n";
  }
  if (index >= plan.kept && step.status == StepStatus::pending && !scene.turn().pending)
    out += "- Not begun: " + what + "\n";  // R4
  for (const std::string& one : step.discrepancies)
    out += "- Left out: " + shown_line(in_labels(scene, one)) + "\n";
}

}  // namespace

SummarizeOutput ledger_of(const Scene& scene) {
  SummarizeOutput out;
  out.errors = scene.turn().errors;
  if (!scene.turn().plan) return out;
  for (const Step& step : scene.turn().plan->steps) {
    ++out.steps_total;
    out.steps_completed += step.status == StepStatus::complete ? 1 : 0;
    count_step(scene, step, out);
    count_artifacts(scene, step, out);
  }
  for (const StoredArtifact& artifact : scene.facts().artifacts)
    if (artifact.saved_as)
      for (const NamedEntity& created : out.entities_created)
        if (created.ref == *artifact.saved_as) count_type(out.artifacts_saved, artifact.type);
  return out;
}

std::vector<StatusLine> status_lines(const Scene& scene, const SummarizeOutput& ledger) {
  std::vector<StatusLine> out;
  add_line(out, StatusKind::saved, "Saved", ledger.entities_created);
  add_line(out, StatusKind::changed, "Changed", ledger.entities_updated);
  add_line(out, StatusKind::deleted, "Deleted", ledger.entities_deleted);
  add_line(out, StatusKind::unsaved, "Made, not saved", unsaved(scene));
  std::string trouble;
  if (scene.turn().plan)
    for (std::size_t i = 0; i < scene.turn().plan->steps.size(); ++i) {
      add_batch(scene, i, trouble);
      add_step(scene, i, trouble);
    }
  if (scene.turn().failure && !is_of_step(scene))
    trouble += "- Failed: " + shown_line(failure_text(scene)) + "\n";
  for (std::size_t from = 0; from < trouble.size();) {
    const std::size_t end = trouble.find('\n', from) + 1;
    out.push_back({StatusKind::trouble, trouble.substr(from, end - from)});
    from = end;
  }
  return out;
}

std::string status_block(const Scene& scene, const SummarizeOutput& ledger) {
  std::string out;
  for (const StatusLine& line : status_lines(scene, ledger)) out += line.text;
  return out;
}

}  // namespace alfred
