#include "turn/reply/reply.h"

#include <algorithm>

#include "context/call_effects.h"
#include "context/conversation_view.h"
#include "context/entity_view.h"
#include "context/shown_text.h"
#include "context/trace_view.h"
#include "turn/node_answer.h"
#include "turn/prompt/answer_facts.h"
#include "turn/prompt/budget.h"
#include "turn/prompt/labels.h"
#include "turn/prompt/prompt_writer.h"
#include "turn/reply/checked_reply.h"
#include "turn/reply/status_block.h"

namespace alfred {
namespace {

constexpr std::string_view kNothing = "Nothing was changed.\n";
constexpr std::size_t kMostFound = 20;

// The rows of a read, so many of its last left out.
std::string read_block(const Json& answer, std::size_t cut) {
  Json shown = without_ids(answer);
  Json* rows = shown.is_object() ? shown.get_object().if_contains("rows") : nullptr;
  if (cut == 0 || rows == nullptr) return fenced(write_json(shown), "json");
  JsonArray& list = rows->get_array();
  list.erase(list.end() - static_cast<std::ptrdiff_t>(cut), list.end());
  return fenced(write_json(shown), "json") + "… " + std::to_string(cut) + " more rows\n";
}

std::size_t row_count(const ToolResult& call) {
  if (call.tool != "db_read" || !call.answer || !call.answer->is_object()) return 0;
  const Json* rows = call.answer->get_object().if_contains("rows");
  return rows != nullptr && rows->is_array() ? rows->get_array().size() : 0;
}

// R1: what was read, found and made; `cut` rows left out, of the first read first.
std::string content_section(const Scene& scene, std::size_t cut) {
  std::string out;
  if (!scene.turn().plan) return out;
  for (const Step& step : scene.turn().plan->steps) {
    const std::string title = "### " + shown_line(step.description) + "\n";
    const auto add = [&](const std::string& block) { out += (out.empty() ? "" : "\n") + block; };
    for (const ToolResult& call : step.calls) {
      if (call.tool != "db_read" || !call.answer) continue;
      const std::size_t of_these = std::min(cut, row_count(call));
      cut -= of_these;
      add(title + read_block(*call.answer, of_these));
    }
    if (step.data) add(title + fenced(write_json(without_ids(*step.data)), "json"));
    for (const std::string& ref : step.artifacts)
      if (const StoredArtifact* artifact = scene.state().artifact(ref))
        add("### " + shown_line(artifact->label) +
            (artifact->saved_as ? " (saved)" : " (not saved)") + "\n" +
            fenced(write_json(without_ids(artifact->content)), "json"));
  }
  return out;
}

std::size_t rows_read(const Scene& scene) {
  std::size_t rows = 0;
  if (scene.turn().plan)
    for (const Step& step : scene.turn().plan->steps)
      for (const ToolResult& call : step.calls) rows += row_count(call);
  return rows;
}

std::string outcome_section(const Scene& scene) {
  std::string out;
  if (scene.turn().plan)
    for (const Step& step : scene.turn().plan->steps)
      out += "- " + shown_line(step.description) + ": " + shown_line(step_outcome(step)) + "\n";
  if (const std::optional<UnderstandAnswer>& understood = scene.turn().understood) {
    out += "- phase: " + std::string(name_of(understood->conversation_phase)) + "\n";
    if (understood->user_expressed)
      out += "- the user expressed: " + shown_line(*understood->user_expressed) + "\n";
    for (const std::string& one : understood->default_assumptions)
      out += "- assumed: " + shown_line(one) + "\n";
  }
  return out;
}

std::string question_section(const Scene& scene) {
  return scene.turn().pending ? format_pending(*scene.turn().pending) : "";
}

// The question as it is put to somebody, without what it is to us.
std::string question_for_people(const Pending& pending) {
  std::string out;
  if (pending.type != PendingType::clarify || pending.questions.empty())
    out = shown_line(pending.context) + "\n";
  for (const std::string& question : pending.questions) out += "- " + shown_line(question) + "\n";
  return out;
}

// Rows go first, then entries of what else is in play.
std::string reply_prompt(const Scene& scene, const EntityTiers& all, const std::string& status,
                         std::size_t cut) {
  const Sight& sight = sight_of(Node::reply);
  const std::size_t rows = std::min(cut, rows_read(scene));
  std::optional<EntityTiers> fewer;
  if (cut > rows) fewer = without_oldest(all, cut - rows);
  const EntityTiers& tiers = fewer ? *fewer : all;
  const std::set<std::string, std::less<>> none;
  PromptWriter prompt;
  prompt.section("Entity Context",
                 format_entities({scene.state().registry, tiers, none}, Node::reply) +
                     more_entries(cut - rows));
  prompt.section("Conversation History",
                 format_conversation(scene.facts().conversation, sight, ConversationDepth::two));
  prompt.section("What Happened (Reasoning Trace)", outcome_section(scene));
  prompt.section("Content", content_section(scene, rows));
  prompt.section("Status", status.empty() ? std::string(kNothing) : status);
  prompt.section("To Ask the User", question_section(scene));
  prompt.section("Message", fenced(scene.turn().message, ""));
  prompt.section("Your Task", "Tell the user what happened and answer the message.\n");
  return in_labels(scene, prompt.take());
}

// What was read, by label, for a reply without a model.
std::string found_lines(const Scene& scene) {
  std::string out;
  if (!scene.turn().plan) return out;
  for (const Step& step : scene.turn().plan->steps)
    for (const CallEffects& effects : effects_of(step)) {
      if (effects.rows == 0) continue;
      out += "- Found (" + std::to_string(effects.rows) + ")";
      for (std::size_t i = 0; i < effects.read.size() && i < kMostFound; ++i)
        out += (i == 0 ? ": " : ", ") + shown_line(named_entity(scene, effects.read[i]).label);
      out += effects.read.size() > kMostFound ? ", …\n" : "\n";
    }
  return out;
}

}  // namespace

Result<Ask> show_reply(const Scene& scene) {
  const EntityTiers tiers = scene.tiers();
  const std::set<std::string, std::less<>> none;
  const SummarizeOutput ledger = ledger_of(scene);
  const std::string status = status_block(scene, ledger);
  Ask ask{.node = Node::reply,
          .system = scene.world().texts.core("system") + "\n" + scene.world().texts.core("reply")};
  JsonObject facts;
  facts["message"] = scene.turn().message;
  facts["status"] = status;
  facts["ledger"] = without_ids(to_json(ledger));
  facts["entities"] = entity_facts({scene.state().registry, tiers, none}, Node::reply);
  facts["question"] = question_section(scene);
  ask.facts_json = write_json(json_in_labels(scene, std::move(facts)));
  const Result<void> fitted =
      fit_prompt(scene, ask, rows_read(scene) + entries_to_cut(tiers),
                 [&](std::size_t cut) { return reply_prompt(scene, tiers, status, cut); });
  if (!fitted) return Unexpected(fitted.error());
  return ask;
}

void apply_reply(Scene& scene, const Answer& answer) {
  std::string_view said = answer.text;
  const std::size_t end = said.find_last_not_of(" \t\r\n");
  said = said.substr(0, end == std::string_view::npos ? 0 : end + 1);
  if (said.empty() || said.starts_with(kNoText) || answer.finish != FinishReason::stop)
    return reply_without_model(scene);
  const Result<std::string> masked = mask_said(scene, said);
  if (!masked) return reply_without_model(scene);
  CheckedReply checked = checked_reply(scene, ledger_of(scene), *masked);
  for (const std::string& mismatch : checked.mismatches) scene.tell(ReplyMismatch{mismatch});
  scene.tell(Replied{without_keys(scene, checked.text)});
  scene.tell(PhaseEntered{TurnPhase::summarize});
}

void reply_without_model(Scene& scene) {
  std::string text = found_lines(scene) + status_block(scene, ledger_of(scene));
  if (scene.turn().pending) text += in_labels(scene, question_for_people(*scene.turn().pending));
  if (text.empty()) text = kNothing;
  while (text.ends_with('\n')) text.pop_back();
  scene.tell(Replied{without_keys(scene, text)});
  scene.tell(PhaseEntered{TurnPhase::summarize});
}

}  // namespace alfred
