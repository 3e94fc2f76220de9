#include "turn/summarize/summarize.h"

#include "context/conversation_view.h"
#include "context/shown_text.h"
#include "context/trace_view.h"
#include "contracts/contract.h"
#include "contracts/summarize_answer.h"
#include "turn/prompt.h"
#include "turn/reply/status_block.h"

namespace alfred {
namespace {

// The turn that leaves the window when this one enters it; null when there is room.
const ConversationTurn* leaving(const Scene& scene) {
  const std::vector<ConversationTurn>& recent = scene.facts().conversation.recent;
  return recent.size() < scene.facts().settings.full_turns ? nullptr : &recent.front();
}

std::vector<std::string> refs_of(const Step& step) {
  std::vector<std::string> out = step.artifacts;
  for (const ToolResult& call : step.calls) {
    if (!call.answer || !call.answer->is_object()) continue;
    for (const char* member : {"rows", "created", "updated", "deleted"}) {
      const Json* list = call.answer->get_object().if_contains(member);
      if (list == nullptr || !list->is_array()) continue;
      for (const Json& one : list->get_array()) {
        const Json* ref = &one;
        if (one.is_object()) {
          const JsonObject& row = one.get_object();
          ref = row.contains("ref") ? row.if_contains("ref") : row.if_contains("id");
        }
        if (ref != nullptr && ref->is_string()) out.emplace_back(ref->get_string());
      }
    }
  }
  return out;
}

TurnExecutionSummary summary_of(const Scene& scene) {
  const RunningTurn& turn = scene.turn();
  TurnExecutionSummary out{.turn_num = turn.turn, .entity_curation = turn.curation};
  if (turn.understood) {
    out.conversation_phase = turn.understood->conversation_phase;
    out.user_expressed = turn.understood->user_expressed.value_or("");
    out.think_goal = turn.understood->processed_message;
  }
  if (turn.plan) {
    if (!turn.plan->is_quick) out.think_decision = turn.plan->decision;
    out.think_goal = turn.plan->goal;
    for (std::size_t i = 0; i < turn.plan->steps.size(); ++i) {
      const Step& step = turn.plan->steps[i];
      out.steps.push_back({static_cast<std::uint32_t>(i + 1), step.step_type, step.subdomain,
                           step.description, step_outcome(step), refs_of(step),
                           step.note_for_next_step});
      if (step.block) out.blocked_reason = step.block->details;
    }
  }
  if (turn.pending)
    out.think_decision =
        turn.pending->type == PendingType::propose ? Decision::propose : Decision::clarify;
  if (turn.failure) out.blocked_reason = turn.failure;
  return out;
}

// What code can say of a turn.
std::string turn_summary(const SummarizeOutput& ledger) {
  std::string out = std::to_string(ledger.steps_completed) + " of " +
                    std::to_string(ledger.steps_total) + " steps";
  const auto add = [&](std::string_view what, std::size_t count) {
    if (count > 0) out += ", " + std::string(what) + " " + std::to_string(count);
  };
  add("created", ledger.entities_created.size());
  add("updated", ledger.entities_updated.size());
  add("deleted", ledger.entities_deleted.size());
  return out;
}

// A story kept by code: the leaving turn's own short form, behind what there was.
std::string plain_story(const Scene& scene) {
  const ConversationTurn* turn = leaving(scene);
  std::string story = scene.facts().conversation.history_summary;
  if (turn == nullptr) return story;
  if (!story.empty()) story += " ";
  return story + "The user said: " + turn->user +
         " Alfred: " + (turn->assistant_summary.empty() ? turn->reply : turn->assistant_summary);
}

}  // namespace

Ask show_summarize(const Scene& scene) {
  PromptWriter prompt;
  prompt.section("The Story So Far", shown_line(scene.facts().conversation.history_summary));
  if (const ConversationTurn* turn = leaving(scene))
    prompt.section(
        "The Turn That Becomes Part of It",
        "**User:** " + shown_line(turn->user) + "\n**Alfred:** " + shown_line(turn->reply) + "\n");
  const std::string status = status_block(scene, ledger_of(scene));
  prompt.section("Status of This Turn", status.empty() ? "Nothing was changed.\n" : status);
  prompt.section("Message", fenced(scene.turn().message, ""));
  prompt.section("Reply", fenced(*scene.turn().reply, ""));
  prompt.section("Your Task", "Keep the record, as the contract says.\n");
  return {.node = Node::summarize,
          .system = scene.world().texts.core("summarize"),
          .user = prompt.text(),
          .schema = json_schema(*contract_of(Node::summarize)->shape),
          .facts = JsonObject{{"message", scene.turn().message},
                              {"reply", *scene.turn().reply},
                              {"history_summary", scene.facts().conversation.history_summary},
                              {"status", status},
                              {"is_window_full", leaving(scene) != nullptr}}};
}

void apply_summarize(Scene& scene, const Answer& answer) {
  DecodeNotes notes;
  const Result<SummarizeAnswer> read =
      read_answer<SummarizeAnswer>(*contract_of(Node::summarize), answer.text, notes);
  SummarizeOutput ledger = ledger_of(scene);
  ledger.turn_summary = turn_summary(ledger);
  Summarized change{.summary = summary_of(scene), .ledger = std::move(ledger)};
  change.assistant_summary = read ? read->assistant_summary : shortened(*scene.turn().reply, 200);
  if (leaving(scene) != nullptr)
    change.history_summary =
        read && read->history_summary ? *read->history_summary : plain_story(scene);
  if (read) change.engagement_summary = read->engagement_summary;
  scene.tell(std::move(change));
  scene.tell(TurnEnded{});
}

void end_interrupted(Scene& scene) {
  const SummarizeOutput ledger = ledger_of(scene);
  const std::string status = status_block(scene, ledger);
  scene.tell(Replied{"Stopped." + (status.empty() ? " Nothing was changed." : "\n" + status)});
  Summarized change{.summary = summary_of(scene), .ledger = ledger};
  change.ledger.turn_summary = turn_summary(ledger);
  change.assistant_summary = "was stopped; " + change.ledger.turn_summary;
  if (leaving(scene) != nullptr) change.history_summary = plain_story(scene);
  scene.tell(std::move(change));
  scene.tell(TurnEnded{.is_interrupted = true});
}

}  // namespace alfred
