#include "turn/prompt/sections.h"

#include <algorithm>

#include "context/shown_text.h"
#include "context/token_estimate.h"

namespace alfred {
namespace {

constexpr std::uint32_t kRefShare = 10;

// Keys and links are refs to a model, whatever the database calls them.
void append_type(std::string& out, const Table& table, const Field& field) {
  if (field.link)
    out.append("ref of ").append(field.link->table);
  else if (table.key.size() == 1 && table.is_key(field.name))
    out += "ref";
  else
    out += field_type_name(field.type);
}

void append_column(std::string& out, const Table& table, const Field& field) {
  out.append("- `").append(field.name).append("` ");
  append_type(out, table, field);
  if (!field.enum_values.empty()) out += ':';
  for (const std::string& value : field.enum_values) append_shown_line(out += ' ', value);
  if (!field.is_nullable && !field.has_default && !field.default_value && !field.is_read_only)
    out += " (required)";
  if (field.is_read_only) out += " (set by the system)";
  out += '\n';
}

void append_table(std::string& out, const Table& table) {
  out.append("### ").append(table.name).append(" (`").append(table.ref).append("`)");
  out += table.is_read_only ? ", read only\n" : "\n";
  for (const Field& field : table.fields)
    if (!field.is_hidden) append_column(out, table, field);
  for (const Relation& relation : table.relations)
    out.append("- `")
        .append(relation.member)
        .append("`: nested rows of ")
        .append(relation.table)
        .append("\n");
}

}  // namespace

std::string fault_lines(const Scene& scene, const std::vector<CallError>& faults) {
  std::string out;
  for (auto fault = faults.begin(); fault != faults.end(); ++fault) {
    const auto times = std::count(faults.begin(), faults.end(), *fault);
    if (scene.has_edition(6) && std::find(faults.begin(), fault, *fault) != fault) continue;
    out += "- [" + fault->code + "] " + shown_line(fault->message);
    if (!fault->path.empty()) out += " (at " + shown_line(fault->path) + ")";
    if (!fault->allowed.empty()) out += " Allowed:";
    for (const std::string& one : fault->allowed) out += " " + shown_line(one);
    if (scene.has_edition(6) && times > 1) out += " (" + std::to_string(times) + " times)";
    out += "\n";
  }
  return out;
}

std::string constraint_lines(const std::vector<Constraint>& constraints) {
  std::string out;
  for (const Constraint& one : constraints) out += "- " + shown_line(constraint_text(one)) + "\n";
  return out;
}

std::string user_lines(const Scene& scene) {
  std::string out = scene.turn().profile;
  const std::string always = constraint_lines(scene.facts().constraints.permanent);
  return always.empty() ? out : out + "**Always:**\n" + always;
}

std::string goal_lines(const Scene& scene) {
  const std::optional<ActiveGoal>& goal = scene.facts().constraints.active_goal;
  if (!goal) return "";
  return "**" + shown_line(goal->description) + "** (since turn " +
         std::to_string(goal->started_turn) + ")\n" + constraint_lines(goal->constraints);
}

std::string schema_lines(const Scene& scene, std::string_view subdomain) {
  const Subdomain* found = scene.find_subdomain(subdomain);
  if (found == nullptr) return "";
  std::string out;
  for (const std::string& name : found->tables)
    if (const Table* table = scene.world().schema.find(name)) {
      if (!out.empty()) out += '\n';
      append_table(out, *table);
    }
  return out;
}

SchemaOptions known_refs(const Scene& scene, const EntityTiers& tiers) {
  SchemaOptions options;
  std::size_t tokens = 0;
  for (const auto* tier : {&tiers.active, &tiers.generated, &tiers.retained})
    for (const EntitySnapshot& one : *tier) {
      options.refs.push_back(one.ref);
      tokens += estimate_tokens(one.ref) + 1;
    }
  if (tokens > scene.facts().settings.prompt_tokens / kRefShare) options.refs.clear();
  return options;
}

CallError call_error(const Error& error) {
  return {std::string(error_name(error.code)), error.message, error.path, error.allowed};
}

}  // namespace alfred
