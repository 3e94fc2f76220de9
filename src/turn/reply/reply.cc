#include "turn/reply/reply.h"

#include "context/conversation_view.h"
#include "context/entity_view.h"
#include "context/shown_text.h"
#include "context/trace_view.h"
#include "turn/prompt.h"
#include "turn/reply/status_block.h"
#include "turn/sections.h"

namespace alfred {
namespace {

// A row without its ref and with links as labels.
Json without_ids(const Json& json) {
  if (const JsonArray* list = json.if_array()) {
    JsonArray out;
    for (const Json& one : *list) out.push_back(without_ids(one));
    return out;
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) return json;
  if (object->contains("ref") && object->contains("label")) return object->at("label");
  JsonObject out;
  for (const auto& member : *object) {
    const std::string_view name = member.key();
    if (name == "id" || name == "ref" || name == "cursor" || name.ends_with("_id")) continue;
    out[name] = without_ids(member.value());
  }
  return out;
}

std::string rows_section(const Scene& scene) {
  std::string out;
  if (!scene.turn().plan) return out;
  for (const Step& step : scene.turn().plan->steps) {
    for (const ToolResult& call : step.calls)
      if (call.tool == "db_read" && call.answer)
        out += "### " + shown_line(step.description) + "\n" +
               fenced(write_json(without_ids(*call.answer)), "json");
    if (step.data)
      out += "### " + shown_line(step.description) + "\n" +
             fenced(write_json(without_ids(*step.data)), "json");
    for (const std::string& ref : step.artifacts)
      if (const StoredArtifact* artifact = scene.state().artifact(ref))
        out += "### " + shown_line(artifact->label) +
               (artifact->saved_as ? " (saved)" : " (not saved)") + "\n" +
               fenced(write_json(without_ids(artifact->content)), "json");
  }
  return out;
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

}  // namespace

Ask show_reply(const Scene& scene) {
  const Sight& sight = sight_of(Node::reply);
  const EntityTiers tiers = scene.tiers();
  const std::set<std::string, std::less<>> none;
  const EntityViewInput entities{scene.state().registry, tiers, none};
  const SummarizeOutput ledger = ledger_of(scene);
  const std::string status = status_block(scene, ledger);
  PromptWriter prompt;
  prompt.section("Entity Context", format_entities(entities, Node::reply));
  prompt.section("Conversation History",
                 format_conversation(scene.facts().conversation, sight, ConversationDepth::two));
  prompt.section("What Happened (Reasoning Trace)", outcome_section(scene));
  prompt.section("Content", rows_section(scene));
  prompt.section("Status", status.empty() ? "Nothing was changed.\n" : status);
  prompt.section("To Ask the User", question_section(scene));
  prompt.section("Message", fenced(scene.turn().message, ""));
  prompt.section("Your Task", "Tell the user what happened and answer the message.\n");
  return {.node = Node::reply,
          .system = scene.world().texts.core("system") + "\n" + scene.world().texts.core("reply"),
          .user = prompt.text(),
          .facts = JsonObject{{"message", scene.turn().message},
                              {"status", status},
                              {"ledger", without_ids(to_json(ledger))},
                              {"entities", entity_facts(entities, Node::reply)},
                              {"question", question_section(scene)}}};
}

void apply_reply(Scene& scene, const Answer& answer) {
  std::string_view said = answer.text;
  while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.remove_suffix(1);
  if (said.empty() || answer.finish != FinishReason::stop) return reply_without_model(scene);
  CheckedReply checked = checked_reply(scene, ledger_of(scene), said);
  for (const std::string& mismatch : checked.mismatches) scene.tell(ReplyMismatch{mismatch});
  scene.tell(Replied{std::move(checked.text)});
  scene.tell(PhaseEntered{TurnPhase::summarize});
}

void reply_without_model(Scene& scene) {
  std::string text = status_block(scene, ledger_of(scene));
  if (text.empty()) text = "Nothing was changed.\n";
  if (scene.turn().pending) text += question_section(scene);
  while (text.ends_with('\n')) text.pop_back();
  scene.tell(Replied{std::move(text)});
  scene.tell(PhaseEntered{TurnPhase::summarize});
}

}  // namespace alfred
