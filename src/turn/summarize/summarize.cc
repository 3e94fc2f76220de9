#include "turn/summarize/summarize.h"

#include <algorithm>

#include "base/utf8.h"
#include "context/call_effects.h"
#include "context/shown_text.h"
#include "context/trace_view.h"
#include "contracts/summarize_answer.h"
#include "turn/node_answer.h"
#include "turn/prompt/budget.h"
#include "turn/prompt/labels.h"
#include "turn/prompt/masking.h"
#include "turn/prompt/prompt_writer.h"
#include "turn/reply/checked_reply.h"
#include "turn/reply/status_block.h"

namespace alfred {
namespace {

constexpr std::size_t kMessageChars = 4'000;
constexpr std::size_t kReplyChars = 12'000;
constexpr std::size_t kSummaryChars = 300;
constexpr std::size_t kStoryChars = 6'000;
constexpr std::size_t kShortestName = 3;

// A story that grew too long loses its beginning.
std::string last_part(std::string story) {
  const std::size_t chars = count_code_points(story);
  if (chars <= kStoryChars) return story;
  return "…" + story.substr(cut_code_points(story, chars - kStoryChars).size());
}

// The turn that leaves the window when this one enters it; null when there is room.
const ConversationTurn* leaving(const Scene& scene) {
  const std::vector<ConversationTurn>& recent = scene.facts().conversation.recent;
  return recent.size() < scene.facts().settings.full_turns ? nullptr : &recent.front();
}

std::vector<std::string> refs_of(const Step& step) {
  std::vector<std::string> out = step.artifacts;
  for (const CallEffects& effects : effects_of(step))
    for (const auto* refs : {&effects.read, &effects.created, &effects.updated, &effects.deleted})
      for (const std::string& ref : *refs)
        if (std::find(out.begin(), out.end(), ref) == out.end()) out.push_back(ref);
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

// What code can say of the turn; words are for who calls.
Summarized summarized(const Scene& scene) {
  SummarizeOutput ledger = ledger_of(scene);
  ledger.turn_summary = turn_summary(ledger);
  return {.summary = summary_of(scene), .ledger = std::move(ledger)};
}

// A story kept by code: the leaving turn's own short form, behind what there was.
std::string plain_story(const Scene& scene) {
  const ConversationTurn& turn = *leaving(scene);
  std::string story = scene.facts().conversation.history_summary;
  if (!story.empty()) story += " ";
  story += "The user said: " + shortened(turn.user, kSummaryChars) + " Alfred: " +
           (turn.assistant_summary.empty() ? shortened(turn.reply, kSummaryChars)
                                           : turn.assistant_summary);
  return last_part(in_labels(scene, story));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether the text has it as a word of its own.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_digit(text[at - 1]) || !is_digit(word.front());
    const bool ends = end == text.size() || !is_digit(text[end]) || !is_digit(word.back());
    if (begins && ends) return true;
  }
  return false;
}

// R3: labels and numbers that were in what the story is made of.
std::vector<std::string> names_and_numbers(const Scene& scene, std::string_view text) {
  std::vector<std::string> out;
  const RefRegistry& registry = scene.state().registry;
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    const std::string_view label = registry.label(entity);
    if (label.size() >= kShortestName && text.find(label) != std::string_view::npos &&
        std::find(out.begin(), out.end(), label) == out.end())
      out.emplace_back(label);
  }
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    std::string number(text.substr(at, end - at));
    if (!number.empty() && std::find(out.begin(), out.end(), number) == out.end())
      out.push_back(std::move(number));
    at = end + 1;
  }
  return out;
}

// The model's story, without refs and with every name and number it dropped.
std::string whole_story(const Scene& scene, std::string_view told) {
  std::string story = in_labels(scene, told);
  const ConversationTurn& turn = *leaving(scene);
  const std::string source = scene.facts().conversation.history_summary + " " + turn.user + " " +
                             (turn.assistant_summary.empty() ? turn.reply : turn.assistant_summary);
  std::string missing;
  for (const std::string& one : names_and_numbers(scene, in_labels(scene, source)))
    if (!has_word(story, one)) missing += (missing.empty() ? "" : ", ") + one;
  if (!missing.empty()) story += " (Also: " + missing + ".)";
  return last_part(std::move(story));
}

}  // namespace

Result<Ask> show_summarize(const Scene& scene) {
  const std::string status = status_block(scene, ledger_of(scene));
  Ask ask{.node = Node::summarize, .system = scene.world().texts.core("summarize")};
  ask.schema_json = json_schema_text(*contract_of(Node::summarize)->shape);
  ask.facts_json =
      write_json(JsonObject{{"message", scene.turn().message},
                            {"reply", *scene.turn().reply},
                            {"history_summary", scene.facts().conversation.history_summary},
                            {"status", status},
                            {"is_window_full", leaving(scene) != nullptr}});
  const Result<void> fitted = fit_prompt(scene, ask, 0, [&](std::size_t) {
    PromptWriter prompt;
    prompt.section("The Story So Far", shown_line(scene.facts().conversation.history_summary));
    if (const ConversationTurn* turn = leaving(scene))
      prompt.section("The Turn That Becomes Part of It",
                     "**User:** " + shown_line(shortened(turn->user, kMessageChars)) +
                         "\n**Alfred:** " + shown_line(shortened(turn->reply, kReplyChars)) + "\n");
    prompt.section("Status of This Turn", status.empty() ? "Nothing was changed.\n" : status);
    prompt.section("Message", fenced(shortened(scene.turn().message, kMessageChars), ""));
    prompt.section("Reply", fenced(shortened(*scene.turn().reply, kReplyChars), ""));
    prompt.section("Your Task", "Keep the record, as the contract says.\n");
    return prompt.take();
  });
  if (!fitted) return Unexpected(fitted.error());
  return ask;
}

void apply_summarize(Scene& scene, const Answer& answer) {
  const Result<SummarizeAnswer> read =
      read_node_answer<SummarizeAnswer>(scene, Node::summarize, answer);
  if (!read) return end_without_summary(scene);
  Summarized change = summarized(scene);
  change.assistant_summary = is_true_summary(scene, change.ledger, read->assistant_summary)
                                 ? in_labels(scene, read->assistant_summary)
                                 : shortened(*scene.turn().reply, kSummaryChars);
  if (leaving(scene) != nullptr)
    change.history_summary =
        read->history_summary ? whole_story(scene, *read->history_summary) : plain_story(scene);
  if (read->engagement_summary)
    change.engagement_summary = in_labels(scene, *read->engagement_summary);
  scene.tell(std::move(change));
  scene.tell(TurnEnded{});
}

void end_without_summary(Scene& scene) {
  Summarized change = summarized(scene);
  change.assistant_summary = shortened(*scene.turn().reply, kSummaryChars);
  if (leaving(scene) != nullptr) change.history_summary = plain_story(scene);
  scene.tell(std::move(change));
  scene.tell(TurnEnded{});
}

void end_interrupted(Scene& scene) {
  keep_waiting(scene);
  const SummarizeOutput ledger = ledger_of(scene);
  const std::string status = status_block(scene, ledger);
  scene.tell(Replied{without_keys(
      scene, "Stopped." + (status.empty() ? " Nothing was changed." : "\n" + status))});
  Summarized change{.summary = summary_of(scene), .ledger = ledger};
  change.ledger.turn_summary = turn_summary(ledger);
  change.assistant_summary = "was stopped; " + change.ledger.turn_summary;
  if (leaving(scene) != nullptr) change.history_summary = plain_story(scene);
  scene.tell(std::move(change));
  scene.tell(TurnEnded{.is_interrupted = true});
}

}  // namespace alfred
