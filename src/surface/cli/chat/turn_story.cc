#include "surface/cli/chat/turn_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time/clock.h"
#include "context/token_estimate.h"
#include "engine/journal/journal.h"
#include "engine/session/audit.h"
#include "surface/cli/chat/state_pages.h"

namespace alfred::cli {
namespace {

Result<Changes> changes_of_last_turn(Session& session) {
  const Result<Recording> recording = session.recording();
  if (!recording) return Unexpected(recording.error());
  Changes out;
  for (const Changes& entry : recording->entries)
    for (const Change& change : entry) {
      if (std::holds_alternative<TurnStarted>(change)) out.clear();
      out.push_back(change);
    }
  return out;
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

// One part of the story for each kind of change that says why; most say nothing.
class Story {
 public:
  std::string tell(const Changes& changes) {
    for (const Change& change : changes) std::visit([&](const auto& one) { add(one); }, change);
    return std::move(page_);
  }

 private:
  void line(std::string_view text) { page_ += fmt::format("- {}\n", text); }
  void heading(std::string_view text) { page_ += fmt::format("\n### {}\n", text); }

  void add(const TurnStarted& one) {
    page_ += fmt::format("**Turn {}**: {}\n", one.turn, markdown_line(one.message));
  }
  void add(const BackgroundFound& one) {
    if (one.entities.empty()) return;
    heading("Looked at beforehand");
    for (const BackgroundEntity& entity : one.entities)
      line(entity.ref + ": " + markdown_line(entity.relevance_reason));
  }
  void add(const Understood& one) {
    heading("Understood");
    line(markdown_line(one.answer.processed_message));
    if (one.answer.quick_mode)
      line(fmt::format("quick, {} ({})", markdown_line(one.answer.quick_intent.value_or("")),
                       name_of(one.answer.quick_mode_confidence)));
    if (one.answer.ambiguity != Ambiguity::clear) line(name_of(one.answer.ambiguity));
    for (const std::string& assumed : one.answer.default_assumptions)
      line("assumed: " + markdown_line(assumed));
    for (const ResolvedMention& mention : one.mentions) add_mention(mention);
  }
  void add_mention(const ResolvedMention& mention) {
    const std::string who =
        mention.resolved.empty()
            ? (mention.candidates.empty() ? "nobody" : "one of " + joined(mention.candidates))
            : joined(mention.resolved);
    line(fmt::format("\"{}\" means {} ({}, confidence {})", markdown_line(mention.raw_text), who,
                     name_of(mention.resolution), name_of(mention.confidence)));
  }
  void add(const EntitiesCurated& one) {
    const CurationSummary& curation = one.curation;
    if (!curation.retained.empty()) line("kept in play: " + joined(curation.retained));
    if (!curation.demoted.empty()) line("no longer active: " + joined(curation.demoted));
    if (!curation.dropped.empty()) line("turned down: " + joined(curation.dropped));
    if (curation.is_cleared) line("all cleared");
  }
  void add(const ConstraintsMerged& one) {
    for (const std::string& note : one.notes) line("constraints: " + markdown_line(note));
  }
  void add(const Planned& one) {
    heading(fmt::format("Decided: {}", name_of(one.plan.decision)));
    if (!one.plan.goal.empty()) line("goal: " + markdown_line(one.plan.goal));
    for (std::size_t at = 0; at < one.plan.steps.size(); ++at)
      line(fmt::format("step {}: {} ({}, {})", at + 1,
                       markdown_line(one.plan.steps[at].description),
                       name_of(one.plan.steps[at].step_type), one.plan.steps[at].subdomain));
  }
  void add(const StepStarted& one) { heading(fmt::format("Step {}", one.step + 1)); }
  void add(const FaultNoted& one) {
    line(fmt::format("sent back ({}): {}", one.error.code, markdown_line(one.error.message)));
  }
  void add(const CallMade& one) {
    if (one.call.purpose != CallPurpose::tool) return;
    tool_calls_.push_back(one.call.id);
    line(fmt::format("call {}: {} {}", tool_calls_.size(), markdown_line(one.call.tool),
                     markdown_line(write_json(one.call.params))));
  }
  void add(const CallDone& one) {
    const auto made = std::find(tool_calls_.begin(), tool_calls_.end(), one.result.call);
    if (made == tool_calls_.end()) return;
    const std::string outcome = one.result.error
                                    ? "refused: " + markdown_line(one.result.error->message)
                                    : std::string("done");
    line(fmt::format("call {} {}", made - tool_calls_.begin() + 1, outcome));
  }
  void add(const StepEnded& one) {
    line(fmt::format("step {} is {}{}", one.step + 1, name_of(one.status),
                     one.result_summary ? ": " + markdown_line(*one.result_summary) : ""));
    if (one.block)
      line(fmt::format("in the way ({}): {}", name_of(one.block->reason_code),
                       markdown_line(one.block->details)));
  }
  void add(const PendingSet& one) {
    line(fmt::format("asks ({}): {}", name_of(one.pending.type),
                     markdown_line(one.pending.context)));
  }
  void add(const ReplyMismatch& one) {
    line("the reply claimed what the record does not have: " + markdown_line(one.claim));
  }
  void add(const TurnFailed& one) {
    line(fmt::format("failed ({}): {}", one.error.code, markdown_line(one.error.message)));
  }
  void add(const Summarized& one) {
    heading("Ledger");
    const SummarizeOutput& ledger = one.ledger;
    line(fmt::format("{} of {} steps complete", ledger.steps_completed, ledger.steps_total));
    for (const ToolCount& count : ledger.tools_called)
      line(fmt::format("{} {}: {} times", count.tool, count.table, count.count));
    add_entities("created", ledger.entities_created);
    add_entities("updated", ledger.entities_updated);
    add_entities("deleted", ledger.entities_deleted);
    for (const TypeCount& count : ledger.artifacts_generated)
      line(fmt::format("generated: {} {}", count.count, count.type));
    for (const TypeCount& count : ledger.artifacts_saved)
      line(fmt::format("saved: {} {}", count.count, count.type));
  }
  void add_entities(std::string_view what, const std::vector<NamedEntity>& entities) {
    for (const NamedEntity& one : entities)
      line(fmt::format("{}: {} {}", what, one.ref, markdown_line(one.label)));
  }
  void add(const TurnEnded& one) {
    if (one.is_interrupted) line("interrupted");
  }
  template <class Other>
  void add(const Other& /*one*/) {}

  std::string page_;
  std::vector<std::uint32_t> tool_calls_;  // in their order; reads beforehand are no calls here
};

Result<std::vector<PromptRecord>> last_prompts(Session& session) {
  const Result<std::vector<TurnRecord>> turns = turns_of(session);
  if (!turns) return Unexpected(turns.error());
  if (turns->empty()) return std::vector<PromptRecord>();
  std::vector<PromptRecord> out;
  const auto read = [&](Tx& tx) -> Result<void> {
    Result<std::vector<PromptRecord>> prompts = read_prompts(tx, turns->back().id);
    if (!prompts) return Unexpected(std::move(prompts).error());
    out = std::move(*prompts);
    return {};
  };
  if (Result<void> done = session.records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  return out;
}

// How who speaks read the message of the last turn; empty where it cannot say.
Result<std::string> reading_page(Session& session, Interpreter& speaker) {
  const Result<std::vector<PromptRecord>> prompts = last_prompts(session);
  if (!prompts) return Unexpected(prompts.error());
  for (const PromptRecord& one : *prompts) {
    if (one.node != name_of(Node::understand)) continue;
    const std::string reading =
        speaker.reading_of({.node = Node::understand, .facts_json = one.facts});
    return reading.empty() ? reading : "\n### How it was read\n" + reading;
  }
  return std::string();
}

}  // namespace

Result<std::string> why_page(Session& session, Interpreter* speaker) {
  const Result<Changes> changes = changes_of_last_turn(session);
  if (!changes) return Unexpected(changes.error());
  if (session.state().facts.turn == 0) return std::string("There was no turn yet.\n");
  const Result<std::string> reading =
      speaker == nullptr ? std::string() : reading_page(session, *speaker);
  if (!reading) return Unexpected(reading.error());
  return Story().tell(*changes) + *reading;
}

Result<std::string> prompt_text(Session& session, const std::string& node) {
  const auto& names = Named<Node>::names;
  if (!node.empty() && std::find(names.begin(), names.end(), node) == names.end())
    return fail(ErrorCode::usage, "There is no such node.", "/prompt",
                {names.begin(), names.end()});
  const Result<std::vector<PromptRecord>> prompts = last_prompts(session);
  if (!prompts) return Unexpected(prompts.error());
  std::string out;
  for (const PromptRecord& one : *prompts) {
    if (!node.empty() && one.node != node) continue;
    out += fmt::format("=== {} {}{}, attempt {} ===\n--- system ---\n{}\n--- user ---\n{}\n",
                       one.id.view(), one.node,
                       one.step ? fmt::format(", step {}", *one.step + 1) : "", one.attempt,
                       one.system, one.user);
    if (one.schema != "null") out += fmt::format("--- schema ---\n{}\n", one.schema);
  }
  return out.empty() ? "The last turn has no such prompt.\n" : out;
}

Result<PromptsShown> prompts_of_last_turn(Session& session) {
  const Result<std::vector<PromptRecord>> prompts = last_prompts(session);
  if (!prompts) return Unexpected(prompts.error());
  PromptsShown out{prompts->size(), 0};
  for (const PromptRecord& one : *prompts)
    out.tokens += estimate_tokens(one.system) + estimate_tokens(one.user);
  return out;
}

Result<std::string> conversation_page(Session& session) {
  const Result<std::vector<TurnRecord>> turns = turns_of(session);
  if (!turns) return Unexpected(turns.error());
  const SessionRecord& record = session.record();
  std::string page = fmt::format("# Conversation\n\nSession {}, pack {}, begun {}.\n", session.id(),
                                 record.pack, rfc3339_utc(record.created_ms));
  for (const TurnRecord& turn : *turns) {
    page += fmt::format("\n## {}. You\n\n{}\n\n## {}. Alfred\n\n{}\n", turn.number, turn.message,
                        turn.number, turn.reply);
    if (turn.status != TurnStatus::finished)
      page += fmt::format("({})\n", turn_status_name(turn.status));
  }
  return page;
}

}  // namespace alfred::cli
