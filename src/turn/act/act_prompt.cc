#include "turn/act/act_prompt.h"

#include "base/json/json_text.h"
#include "context/conversation_view.h"
#include "context/entity_view.h"
#include "context/shown_text.h"
#include "contracts/act_answer.h"
#include "contracts/shape_text.h"
#include "turn/act/act_data.h"
#include "turn/node_answer.h"
#include "turn/prompt/budget.h"
#include "turn/prompt/prompt_writer.h"
#include "turn/prompt/sections.h"
#include "turn/prompt/user_clock.h"

namespace alfred {
namespace {

class ActPrompt {
 public:
  ActPrompt(const Scene& scene, std::uint32_t index)
      : scene_(scene),
        index_(index),
        plan_(*scene.turn().plan),
        step_(plan_.steps[index]),
        data_(scene, index) {}

  // With the first `cut` rows left out.
  std::string text(std::size_t cut) {
    prompt_ = {};
    cut_ = cut;
    for (const ActSectionRow& row : kActSections)
      if (has_section(step_.step_type, row.section)) write(row.section);
    return prompt_.take();
  }
  const ActData& data() const { return data_; }
  bool is_cut() const { return cut_ > 0; }
  // Those of the step type; retrieving only where something was cut.
  std::vector<std::string> actions() const {
    std::vector<std::string> out;
    for (const Action action : actions_of(step_.step_type))
      if (is_cut() || (action != Action::retrieve_step && action != Action::retrieve_archive))
        out.emplace_back(name_of(action));
    return out;
  }

 private:
  void write(ActSection section) {
    switch (section) {
      case ActSection::subdomain_header: return header();
      case ActSection::write_guidance:
      case ActSection::guidance: return prompt_.section("Your User's Preferences Here", guidance());
      case ActSection::status: return prompt_.section("STATUS", status());
      case ActSection::previous_note: return prompt_.section("Note from the Step Before", note());
      case ActSection::profile:
        return prompt_.section("User Profile", user_lines(scene_) + goal_lines(scene_));
      case ActSection::task: return task();
      case ActSection::batch_manifest: return prompt_.section("Batch Manifest", manifest());
      case ActSection::step_guidance: return prompt_.section("Guidance", examples());
      case ActSection::step_data: return prompt_.section(data_title(), data_.history(cut_));
      case ActSection::schema: return prompt_.section("Schema", schema());
      case ActSection::entities:
        return prompt_.section("Entities in Context", data_.entities(cut_));
      case ActSection::artifacts:
        return prompt_.section("Content to Save", data_.content_to_save());
      case ActSection::conversation:
        return prompt_.section("Conversation",
                               format_conversation(scene_.facts().conversation, sight_of(Node::act),
                                                   ConversationDepth::two));
      case ActSection::decision: return prompt_.section("DECISION", decision());
    }
  }

  std::string_view pack_text(std::string_view kind) const {
    return scene_.world().texts.pack_text(std::string(kind) + "/" + step_.subdomain + "." +
                                          std::string(name_of(step_.step_type)));
  }
  void header() {
    std::string body(scene_.world().texts.pack_text("subdomains/" + step_.subdomain));
    const std::string_view persona = pack_text("personas");
    if (!persona.empty()) body.append(body.empty() ? "" : "\n").append(persona);
    if (body.empty()) body = "Work in " + step_.subdomain + ".\n";
    prompt_.section(step_.subdomain, body);
  }
  std::string guidance() const {
    for (const SubdomainGuidance& one : scene_.turn().guidance)
      if (one.subdomain == step_.subdomain) return shown_line(one.text) + "\n";
    return "";
  }
  std::string status() const {
    return "| | |\n|---|---|\n| Step | " + std::to_string(index_ + 1) + " of " +
           std::to_string(plan_.steps.size()) + " |\n| Goal | " + shown_cell(plan_.goal) +
           " |\n| Type | " + std::string(name_of(step_.step_type)) + " |\n| Progress | " +
           std::to_string(step_.calls.size()) + " tool calls made |\n| Today | " + today() + " |\n";
  }
  std::string today() const {
    if (!scene_.has_edition(2)) return user_date(scene_);
    const UserClock now = user_clock(scene_);
    return now.weekday + ", " + now.date + ", " + now.time + " (" + shown_cell(now.zone) + ")";
  }
  std::string note() const {
    for (std::uint32_t i = index_; i > 0; --i)
      if (const auto& note_text = plan_.steps[i - 1].note_for_next_step)
        return shown_line(*note_text) + "\n";
    return "";
  }
  void task() {
    std::string body = "Your job this step: " + shown_line(step_.description) + "\n";
    if (step_.expected) body += "Make exactly " + std::to_string(*step_.expected) + ".\n";
    if (step_.answer)
      body += "You asked: " + shown_line(step_.question.value_or("")) +
              "\nThe user answered: " + shown_line(*step_.answer) + "\n";
    prompt_.section("Task", body + "\nThe user's message:\n" + fenced(scene_.turn().message, ""));
  }
  std::string manifest() const {
    const BatchManifest* found = step_.batch ? scene_.state().batch(*step_.batch) : nullptr;
    if (found == nullptr) return "";
    const BatchCounts counts = found->counts();
    std::string out = "| Ref | Label | Status | Saved as |\n|---|---|---|---|\n";
    for (const BatchItem& item : found->items()) {
      const EntityNo entity = scene_.state().registry.find(item.ref);
      out += "| " + shown_cell(item.ref) + " | " +
             (entity == kNoEntity ? "" : shown_cell(scene_.state().registry.label(entity))) +
             " | " + std::string(item_status_name(item.status)) +
             (item.error.empty() ? "" : ": " + shown_cell(item.error)) + " | " +
             (item.result_ref.empty() ? "—" : item.result_ref) + " |\n";
    }
    return out + "\nCompleted: " + std::to_string(counts.completed) + " of " +
           std::to_string(counts.total) + ". The step is complete when nothing is pending.\n";
  }
  std::string examples() const { return std::string(pack_text("examples")); }

  std::string data_title() const {
    return step_.step_type == StepType::analyze || step_.step_type == StepType::generate
               ? "Data Available"
               : "What Already Happened";
  }
  std::string schema() const {
    std::string out = schema_lines(scene_, step_.subdomain);
    for (const std::string& more : step_.schemas) out += "\n" + schema_lines(scene_, more);
    return out;
  }

  std::string decision() const {
    std::string out = "Answer with one action:";
    for (const std::string& action : actions()) out += " `" + action + "`";
    out += ".\n";
    switch (step_.step_type) {
      case StepType::read:
        out += "Call `db_read`; when you have the rows, `step_complete`.\n";
        break;
      case StepType::write:
        out += "Make the change with a tool; when every item is done, `step_complete`.\n";
        break;
      case StepType::analyze: out += "`step_complete` with `data`.\n"; break;
      case StepType::generate:
        out += "`step_complete` with `artifacts`, all of them whole.\n";
        break;
    }
    return out;
  }

  const Scene& scene_;
  std::uint32_t index_;
  const Plan& plan_;
  const Step& step_;
  ActData data_;
  PromptWriter prompt_;
  std::size_t cut_ = 0;
};

// The step with all rows it read: written as it stands, never copied.
std::string act_facts(const Scene& scene, std::uint32_t step, const EntityViewInput& entities) {
  std::string out = "{";
  append_json_name(out, "message");
  append_json_string(out, scene.turn().message);
  append_json_name(out, "step");
  append_json_of(out, scene.turn().plan->steps[step]);
  append_json_name(out, "entities");
  append_entity_facts(out, entities, Node::act);
  append_json_name(out, "constraints");
  append_json_of(out, scene.facts().constraints);
  return out + "}";
}

Ask system_part(const Scene& scene, std::uint32_t step) {
  const StepType type = scene.turn().plan->steps[step].step_type;
  const Node node = scene.turn().plan->is_quick ? Node::act_quick : Node::act;
  Ask ask{.node = node, .step_type = type, .step = step};
  ask.system = scene.world().texts.act_system(name_of(type));
  return ask;
}

}  // namespace

bool has_section(StepType type, ActSection section) {
  const ActSectionRow& row = kActSections[static_cast<std::size_t>(section)];
  switch (type) {
    case StepType::analyze: return row.analyze;
    case StepType::generate: return row.generate;
    case StepType::read: return row.read;
    case StepType::write: return row.write;
  }
  return false;
}

Ask act_prompt(const Scene& scene, std::uint32_t step) {
  Ask ask = system_part(scene, step);
  ask.user = ActPrompt(scene, step).text(0);
  return ask;
}

Result<Ask> show_act(const Scene& scene, std::uint32_t step) {
  Ask ask = system_part(scene, step);
  const StepType type = *ask.step_type;
  const Node node = ask.node;
  ActPrompt prompt(scene, step);
  SchemaOptions options = known_refs(scene, prompt.data().tiers());
  for (const Action action : actions_of(type)) options.actions.emplace_back(name_of(action));
  ask.was_cut = was_cut(scene.turn().plan->steps[step].faults);
  ask.schema_json = json_schema_text(*contract_of(node)->shape, options);
  const Result<void> fitted = fit_prompt(scene, ask, prompt.data().units(),
                                         [&](std::size_t cut) { return prompt.text(cut); });
  if (!fitted) return Unexpected(fitted.error());
  if (std::vector<std::string> actions = prompt.actions(); actions != options.actions) {
    options.actions = std::move(actions);
    ask.schema_json = json_schema_text(*contract_of(node)->shape, options);
  }
  const std::set<std::string, std::less<>> none;  // what need not be read again is for Think
  const EntityViewInput entities{scene.state().registry, prompt.data().tiers(), none};
  ask.facts_json = act_facts(scene, step, entities);
  return ask;
}

}  // namespace alfred
