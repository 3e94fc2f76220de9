// What Understand is shown (understand.h).
#include "base/json/json_text.h"
#include "context/conversation_view.h"
#include "context/entity_view.h"
#include "context/shown_text.h"
#include "context/trace_view.h"
#include "turn/node_answer.h"
#include "turn/prompt/budget.h"
#include "turn/prompt/prompt_writer.h"
#include "turn/prompt/sections.h"
#include "turn/understand/understand.h"

namespace alfred {
namespace {

std::string type_list(const Scene& scene) {
  std::string out;
  for (const Subdomain& one : scene.world().pack.subdomains) {
    out += "- " + one.name + ":";
    for (const std::string& name : one.tables)
      if (const Table* table = scene.world().schema.find(name)) out += " `" + table->ref + "`";
    out += "\n";
  }
  return out;
}

std::string constraint_types(const Scene& scene) {
  std::string out;
  for (const ConstraintType& type : scene.world().pack.constraint_types) {
    out += "- `" + type.name + "`";
    for (const std::string& field : type.fields) out += " " + field;
    out += "\n";
  }
  return out;
}

std::string understand_prompt(const Scene& scene, const EntityTiers& tiers, std::size_t cut) {
  const Sight& sight = sight_of(Node::understand);
  const std::set<std::string, std::less<>> no_data;
  PromptWriter prompt;
  prompt.section("Entity Context",
                 format_entities({scene.state().registry, tiers, no_data}, Node::understand) +
                     more_entries(cut));
  prompt.section("Conversation History",
                 format_conversation(scene.facts().conversation, sight, ConversationDepth::full));
  prompt.section("What Happened (Reasoning Trace)", format_decisions(scene.facts().decisions));
  prompt.section("Types of Things", type_list(scene));
  prompt.section("Constraint Types", constraint_types(scene));
  if (scene.turn().resumed)
    prompt.section("What the Message May Answer", format_resumed(*scene.turn().resumed));
  prompt.section("Message", fenced(scene.turn().message, ""));
  prompt.section("Your Last Answer Was Refused", fault_lines(scene, scene.turn().faults));
  prompt.section("Your Task", "Give the signals of this message, as the contract says.\n");
  return prompt.take();
}

}  // namespace

Result<Ask> show_understand(const Scene& scene) {
  const Sight& sight = sight_of(Node::understand);
  const EntityTiers tiers = scene.tiers();
  const std::set<std::string, std::less<>> no_data;
  Ask ask{.node = Node::understand, .system = scene.world().texts.core("understand")};
  ask.was_cut = was_cut(scene.turn().faults);
  ask.schema_json =
      json_schema_text(*contract_of(Node::understand)->shape, known_refs(scene, tiers));
  std::string& facts = ask.facts_json = "{";
  append_json_name(facts, "message");
  append_json_string(facts, scene.turn().message);
  append_json_name(facts, "entities");
  append_entity_facts(facts, {scene.state().registry, tiers, no_data}, Node::understand);
  append_json_name(facts, "conversation");
  append_json(facts,
              conversation_facts(scene.facts().conversation, sight, ConversationDepth::full));
  if (scene.turn().resumed) {
    append_json_name(facts, "resumed");
    append_json(facts, pending_facts(*scene.turn().resumed));
  }
  facts += '}';
  const Result<void> fitted = fit_prompt(scene, ask, entries_to_cut(tiers), [&](std::size_t cut) {
    return cut == 0 ? understand_prompt(scene, tiers, 0)
                    : understand_prompt(scene, without_oldest(tiers, cut), cut);
  });
  if (!fitted) return Unexpected(fitted.error());
  return ask;
}

}  // namespace alfred
