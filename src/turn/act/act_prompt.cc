#include "turn/act/act_prompt.h"

#include "base/iso_time.h"
#include "context/conversation_view.h"
#include "context/entity_block.h"
#include "context/entity_data.h"
#include "context/entity_view.h"
#include "context/shown_text.h"
#include "context/trace_view.h"
#include "contracts/act_answer.h"
#include "turn/prompt.h"
#include "turn/sections.h"

namespace alfred {
namespace {

constexpr std::string_view kSnapshotWarning =
    "Data from recent turns. **For read steps, always call db_read — this is reference, not a "
    "substitute.**\n";

class ActPrompt {
 public:
  ActPrompt(const Scene& scene, std::uint32_t index)
      : scene_(scene),
        index_(index),
        plan_(*scene.turn().plan),
        step_(plan_.steps[index]),
        tiers_(scene.tiers()),
        data_(EntityData::collect(scene.state())) {}

  std::string text() {
    for (const ActSectionRow& row : kActSections)
      if (has_section(step_.step_type, row.section)) write(row.section);
    return prompt_.text();
  }
  const EntityTiers& tiers() const { return tiers_; }
  const EntityData& data() const { return data_; }

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
      case ActSection::step_data: return prompt_.section(data_title(), step_data());
      case ActSection::schema: return prompt_.section("Schema", schema());
      case ActSection::entities: return prompt_.section("Entities in Context", entities());
      case ActSection::artifacts: return prompt_.section("Content to Save", artifacts());
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
           std::to_string(step_.calls.size()) + " tool calls made |\n| Today | " +
           iso_date_of(scene_.turn().at_ms) + " |\n";
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
    prompt_.section("Task", body);
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
    return out + "Completed: " + std::to_string(counts.completed) + " of " +
           std::to_string(counts.total) + ". The step is complete when nothing is pending.\n";
  }
  std::string examples() const { return std::string(pack_text("examples")); }

  std::string data_title() const {
    return step_.step_type == StepType::analyze || step_.step_type == StepType::generate
               ? "Data Available"
               : "What Already Happened";
  }
  std::string step_data() const {
    std::string out;
    if (!scene_.facts().trace.recent_summaries.empty())
      out += format_last_turn(scene_.facts().trace, sight_of(Node::think));
    const std::string before = format_steps_done(plan_, index_);
    if (!before.empty()) out += "### Steps before this one\n" + before;
    for (std::uint32_t i = 0; i < index_; ++i)
      if (const auto& found = plan_.steps[i].data)
        out += "Step " + std::to_string(i + 1) + " found:\n" + fenced(write_json(*found), "json");
    if (!step_.calls.empty()) out += "### This step\n";
    for (const ToolResult& call : step_.calls) out += call_lines(call);
    if (!step_.faults.empty()) out += "### What was refused\n" + fault_lines(step_.faults);
    return out.empty() ? "*Nothing yet.*\n" : out;
  }
  static std::string call_lines(const ToolResult& call) {
    std::string out = "- `" + call.tool + "` " + shown_line(write_json(call.params)) + " → ";
    if (call.error)
      return out + "[" + call.error->code + "] " + shown_line(call.error->message) + "\n";
    return out + shown_line(call.answer ? write_json(*call.answer) : "nothing") + "\n";
  }

  std::string schema() const {
    std::string out = schema_lines(scene_, step_.subdomain);
    for (const std::string& more : step_.schemas) out += "\n" + schema_lines(scene_, more);
    return out;
  }

  EntityLayout layout_of(std::string_view type) const {
    const Table* table = scene_.world().schema.find_ref(type);
    if (table == nullptr) return {};
    const PackEntity* entity = scene_.world().pack.find(table->name);
    if (entity != nullptr && entity->layout) return *entity->layout;
    return default_layout(*table, scene_.world().schema);
  }
  std::string entities() const {
    std::string out;
    std::vector<EntitySnapshot> without_data;
    for (const auto* tier : {&tiers_.active, &tiers_.generated})
      for (const EntitySnapshot& one : *tier) {
        const JsonObject* row = data_.find(one.ref);
        if (row == nullptr) {
          without_data.push_back(one);
          continue;
        }
        out += "\n### `" + one.ref + "`: " + shown_line(one.label) + " (" + one.type + ")\n" +
               format_row(*row, layout_of(one.type));
      }
    if (!out.empty()) out = std::string(kSnapshotWarning) + out;
    EntityTiers rest{.active = std::move(without_data),
                     .generated = {},
                     .retained = tiers_.retained,
                     .background = {}};
    const std::set<std::string, std::less<>> none;
    const std::string lines = format_entities({scene_.state().registry, rest, none}, Node::act);
    if (out.empty()) return lines;
    return rest.active.empty() && rest.retained.empty() ? out : out + "\n" + lines;
  }
  std::string artifacts() const {
    std::string out;
    for (const StoredArtifact& artifact : scene_.facts().artifacts)
      if (!artifact.saved_as) out += artifact_lines(artifact);
    return out;
  }
  // R3: as it will be written, and what of it has no place.
  std::string artifact_lines(const StoredArtifact& artifact) const {
    std::string out = "### `" + artifact.ref + "`: " + shown_line(artifact.label) + "\n";
    const Result<CompiledArtifact> compiled = scene_.world().compile(artifact);
    if (!compiled)
      return out + fenced(write_json(artifact.content), "json") +
             "- cannot be saved as it is: " + shown_line(compiled.error().message) + "\n";
    out += "Save it with `{\"table\": \"" + compiled->table + "\", \"refs\": [\"" + artifact.ref +
           "\"]}`.\n" + fenced(write_json(compiled->row), "json");
    for (const std::string& one : compiled->discrepancies)
      out += "- left out: " + shown_line(one) + "\n";
    return out;
  }
  std::string decision() const {
    std::string out = "Answer with one action:";
    for (const Action action : actions_of(step_.step_type))
      out += " `" + std::string(name_of(action)) + "`";
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
  EntityTiers tiers_;
  EntityData data_;
  PromptWriter prompt_;
};

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

Ask show_act(const Scene& scene, std::uint32_t step) {
  const StepType type = scene.turn().plan->steps[step].step_type;
  const Node node = scene.turn().plan->is_quick ? Node::act_quick : Node::act;
  ActPrompt prompt(scene, step);
  Ask ask{.node = node, .step_type = type, .step = step};
  ask.system = scene.world().texts.act_system(name_of(type));
  ask.user = prompt.text();
  SchemaOptions options = known_refs(prompt.tiers());
  for (const Action action : actions_of(type)) options.actions.emplace_back(name_of(action));
  ask.schema = json_schema(*contract_of(node)->shape, options);
  const std::set<std::string, std::less<>> with_data = prompt.data().refs();
  ask.facts = JsonObject{
      {"message", scene.turn().message},
      {"step", to_json(scene.turn().plan->steps[step])},
      {"entities", entity_facts({scene.state().registry, prompt.tiers(), with_data}, Node::act)},
      {"constraints", to_json(scene.facts().constraints)}};
  return ask;
}

}  // namespace alfred
