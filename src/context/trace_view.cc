#include "context/trace_view.h"

#include <algorithm>

#include "context/call_effects.h"
#include "context/shown_text.h"

namespace alfred {
namespace {

constexpr std::size_t kLastSteps = 2;

void add_refs(std::string& out, std::string_view what, const std::vector<std::string>& refs) {
  if (refs.empty()) return;
  out += "- " + std::string(what) + ":";
  for (const std::string& ref : refs) out += " `" + ref + "`";
  out += "\n";
}

struct Done {
  std::size_t read = 0, created = 0, updated = 0, deleted = 0, failed = 0, refused = 0;
};

Done count(const Step& step) {
  Done done;
  for (const CallEffects& one : effects_of(step)) {
    done.read += one.rows;
    done.created += one.created.size();
    done.updated += one.updated.size();
    done.deleted += one.deleted.size();
    done.failed = std::max(done.failed, one.failed);
    done.refused += one.is_refused ? 1 : 0;
  }
  return done;
}

void add_count(std::string& out, std::string_view what, std::size_t number) {
  if (number > 0)
    out += (out.empty() ? "" : ", ") + std::string(what) + " " + std::to_string(number);
}

}  // namespace

std::string step_outcome(const Step& step) {
  const Done done = count(step);
  std::string out;
  add_count(out, "read", done.read);
  add_count(out, "created", done.created);
  add_count(out, "updated", done.updated);
  add_count(out, "deleted", done.deleted);
  add_count(out, "made", step.artifacts.size());
  add_count(out, "failed", done.failed);
  add_count(out, "calls refused:", done.refused);
  if (step.status == StepStatus::blocked && step.block)
    out += (out.empty() ? "" : "; ") + std::string("blocked: ") + step.block->details;
  if (step.status == StepStatus::failed && step.block)
    out += (out.empty() ? "" : "; ") + std::string("failed: ") + step.block->details;
  if (!out.empty()) return out;
  if (step.status == StepStatus::waiting) return "waits for the user";
  if (step.status != StepStatus::complete) return "not done";
  if (step.step_type == StepType::write) return "nothing was changed";
  return step.step_type == StepType::read ? "found nothing" : "done";
}

std::string format_last_turn(const ReasoningTrace& trace, const Sight& sight) {
  if (!sight.last_turn_steps || trace.recent_summaries.empty()) return "";
  const TurnExecutionSummary& last = trace.recent_summaries.back();
  std::string out = "**Last turn";
  if (last.think_decision) out += " (" + std::string(name_of(*last.think_decision)) + ")";
  out += ":** " + shown_line(last.think_goal) + "\n";
  const std::size_t from = last.steps.size() > kLastSteps ? last.steps.size() - kLastSteps : 0;
  for (std::size_t i = from; i < last.steps.size(); ++i) {
    const StepSummary& step = last.steps[i];
    out += "- step " + std::to_string(step.step_num) + " (" + std::string(name_of(step.type)) +
           ", " + step.subdomain + "): " + shown_line(step.description) + " → " +
           shown_line(step.outcome) + "\n";
  }
  if (last.blocked_reason) out += "- blocked: " + shown_line(*last.blocked_reason) + "\n";
  if (sight.curation) {
    add_refs(out, "kept", last.entity_curation.retained);
    add_refs(out, "set aside", last.entity_curation.demoted);
    add_refs(out, "dropped", last.entity_curation.dropped);
  }
  if (sight.phase) out += "- phase: " + std::string(name_of(last.conversation_phase)) + "\n";
  if (sight.phase && !last.user_expressed.empty())
    out += "- the user expressed: " + shown_line(last.user_expressed) + "\n";
  return out;
}

std::string format_decisions(const std::vector<DecisionLogEntry>& decisions) {
  std::string out;
  for (const DecisionLogEntry& entry : decisions) {
    out += "- turn " + std::to_string(entry.turn) + ": " + shown_line(entry.processed_message);
    for (const CurationReason& reason : entry.curation.reasons)
      out += "; `" + reason.ref + "`: " + shown_line(reason.reason);
    if (entry.curation.is_cleared) out += "; all cleared";
    out += "\n";
  }
  return out;
}

std::string format_steps_done(const Plan& plan, std::size_t before) {
  std::string out;
  for (std::size_t i = 0; i < before && i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    out += "Step " + std::to_string(i + 1) + " (" + std::string(name_of(step.step_type)) +
           "): " + shown_line(step.description) + " → " + shown_line(step_outcome(step));
    for (const std::string& ref : step.artifacts)
      out += (ref == step.artifacts.front() ? ": `" : ", `") + ref + "`";
    out += "\n";
  }
  return out;
}

}  // namespace alfred
