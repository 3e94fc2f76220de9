#include "surface/cli/chat/state_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/session/current_constraints.h"
#include "state/constraints.h"
#include "state/working_set.h"

namespace alfred::cli {
namespace {

void add_rows(std::string& page, const std::vector<EntitySnapshot>& entities,
              std::string_view tier) {
  for (const EntitySnapshot& one : entities) {
    const std::string& why =
        one.retention_reason.empty() ? one.relevance_reason : one.retention_reason;
    page += fmt::format("| {} | {} | {} | {} | {} |\n", one.ref, markdown_line(one.label), tier,
                        status_name(one.status), markdown_line(why));
  }
}

// The plan of the turn that runs, or the steps of the last.
const std::vector<Step>* steps_of(const SessionFacts& facts) {
  if (facts.running) return facts.running->plan ? &facts.running->plan->steps : nullptr;
  if (facts.earlier_steps.empty() || facts.earlier_steps.back().turn != facts.turn) return nullptr;
  return &facts.earlier_steps.back().steps;
}

std::string step_lines(const std::vector<Step>& steps) {
  std::string page;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const Step& step = steps[at];
    page += fmt::format("{}. **{}** {} ({}, {})\n", at + 1, name_of(step.status),
                        markdown_line(step.description), name_of(step.step_type), step.subdomain);
    if (step.result_summary) page += "    - " + markdown_line(*step.result_summary) + "\n";
    if (step.block) page += "    - in the way: " + markdown_line(step.block->details) + "\n";
    if (step.question) page += "    - asks: " + markdown_line(*step.question) + "\n";
  }
  return page;
}

std::string batch_lines(const BatchManifest& batch) {
  const BatchCounts counts = batch.counts();
  std::string page = fmt::format("**{}** {}: {} of {} complete, {} failed, {} open\n",
                                 batch.id().view(), batch.table(), counts.completed, counts.total,
                                 counts.failed, counts.pending + counts.in_progress);
  for (const BatchItem& item : batch.items()) {
    page += fmt::format("- {} {}", item.ref, item_status_name(item.status));
    if (!item.result_ref.empty()) page += " as " + item.result_ref;
    if (!item.error.empty()) page += ": " + markdown_line(item.error);
    page += "\n";
  }
  return page;
}

std::string lines_of(const std::vector<Constraint>& constraints) {
  std::string page;
  for (const Constraint& one : constraints)
    page += fmt::format("- {}\n", markdown_line(constraint_text(one)));
  return page;
}

}  // namespace

std::string markdown_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]|#<>").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string working_set_page(const Session& session) {
  const SessionState& state = session.state();
  const TierSettings settings{state.facts.settings.entity_window,
                              nested_types(session.world().pack, session.world().schema)};
  const EntityTiers tiers = entity_tiers(state.registry, state.facts.working_set, settings);
  std::string rows;
  add_rows(rows, tiers.active, "active");
  add_rows(rows, tiers.generated, "generated");
  add_rows(rows, tiers.retained, "retained");
  add_rows(rows, tiers.background, "background");
  if (rows.empty()) return "Nothing is in play yet.\n";
  return "| ref | label | tier | status | why |\n|---|---|---|---|---|\n" + rows;
}

std::string plan_page(const Session& session) {
  const SessionFacts& facts = session.state().facts;
  std::string page;
  if (const std::vector<Step>* steps = steps_of(facts); steps != nullptr && !steps->empty())
    page = step_lines(*steps);
  if (const std::optional<Pending>& pending = facts.conversation.pending) {
    page += fmt::format("\nWaiting for your word ({}): {}\n", name_of(pending->type),
                        markdown_line(pending->context));
    if (pending->plan) page += step_lines(pending->plan->steps);
  }
  return page.empty() ? "The last turn had no steps.\n" : page;
}

std::string batch_page(const Session& session) {
  const SessionState& state = session.state();
  std::set<std::string> shown;
  if (const std::vector<Step>* steps = steps_of(state.facts))
    for (const Step& step : *steps)
      if (step.batch) shown.insert(*step.batch);
  for (const auto& [id, batch] : state.batches)
    if (!batch.is_finished()) shown.insert(id);
  std::string page;
  for (const std::string& id : shown)
    if (const BatchManifest* batch = state.batch(id)) page += batch_lines(*batch) + "\n";
  return page.empty() ? "The last turn had no batch, and none is open.\n" : page;
}

Result<std::string> constraints_page(Session& session) {
  const Result<SessionConstraints> constraints = current_constraints(session);
  if (!constraints) return Unexpected(constraints.error());
  std::string page;
  if (!constraints->permanent.empty()) page += "**Always**\n" + lines_of(constraints->permanent);
  if (const std::optional<ActiveGoal>& goal = constraints->active_goal)
    page += fmt::format("**For now** ({}, since turn {})\n", markdown_line(goal->description),
                        goal->started_turn) +
            lines_of(goal->constraints);
  return page.empty() ? "There are no constraints.\n" : page;
}

std::string progress_text(const TurnProgress& progress, const SessionState& state) {
  if (progress.asks.empty()) return "";
  const Ask& ask = progress.asks.front();
  const std::optional<RunningTurn>& running = state.facts.running;
  const std::string again = ask.attempt > 1 ? fmt::format(" (again, {})", ask.attempt) : "";
  switch (ask.node) {
    case Node::understand: return "reading…" + again;
    case Node::think: return "planning…" + again;
    case Node::reply: return "writing the reply…" + again;
    case Node::summarize: return "taking notes…" + again;
    case Node::act:
    case Node::act_quick: break;
  }
  if (!ask.step || !running || !running->plan || *ask.step >= running->plan->steps.size())
    return "working…" + again;
  const std::vector<Step>& steps = running->plan->steps;
  return fmt::format("step {} of {}: {}{}", *ask.step + 1, steps.size(),
                     steps[*ask.step].description, again);
}

}  // namespace alfred::cli
