#include "engine/scenario/act_sections.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "turn/act/act_prompt.h"

namespace alfred {
namespace {

std::string subdomain_of(const Ask& ask) {
  const Result<Json> facts = parse_json(ask.facts_json, JsonLimits::none());
  if (!facts || !facts->is_object()) return "";
  const Json* step = facts->get_object().if_contains("step");
  const Json* name =
      step != nullptr && step->is_object() ? step->get_object().if_contains("subdomain") : nullptr;
  return name != nullptr && name->is_string() ? std::string(name->get_string()) : "";
}

std::string title_of(ActSection section, const Ask& ask) {
  const bool is_thinking =
      ask.step_type == StepType::analyze || ask.step_type == StepType::generate;
  switch (section) {
    case ActSection::subdomain_header: return subdomain_of(ask);
    case ActSection::write_guidance:
    case ActSection::guidance: return "Your User's Preferences Here";
    case ActSection::status: return "STATUS";
    case ActSection::previous_note: return "Note from the Step Before";
    case ActSection::profile: return "User Profile";
    case ActSection::task: return "Task";
    case ActSection::batch_manifest: return "Batch Manifest";
    case ActSection::step_guidance: return "Guidance";
    case ActSection::step_data: return is_thinking ? "Data Available" : "What Already Happened";
    case ActSection::schema: return "Schema";
    case ActSection::entities: return "Entities in Context";
    case ActSection::artifacts: return "Content to Save";
    case ActSection::conversation: return "Conversation";
    case ActSection::decision: return "DECISION";
  }
  return "";
}

// R2.
bool is_always_there(ActSection section) {
  switch (section) {
    case ActSection::subdomain_header:
    case ActSection::status:
    case ActSection::task:
    case ActSection::schema:
    case ActSection::entities:
    case ActSection::conversation:
    case ActSection::decision: return true;
    default: return false;
  }
}

// Lines "## …" outside of fences.
std::vector<std::string> headings(std::string_view text) {
  std::vector<std::string> out;
  std::size_t fence = 0;  // backticks of the one that is open
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
    if (fence == 0 && ticks >= 3)
      fence = ticks;
    else if (fence > 0 && ticks >= fence && ticks == line.size())
      fence = 0;
    else if (fence == 0 && line.starts_with("## "))
      out.emplace_back(line.substr(3));
  }
  return out;
}

}  // namespace

std::string section_fault(const Ask& ask) {
  if ((ask.node != Node::act && ask.node != Node::act_quick) || !ask.step_type) return "";
  const std::vector<std::string> found = headings(ask.user);
  std::size_t at = 0;
  for (const ActSectionRow& row : kActSections) {
    if (!has_section(*ask.step_type, row.section)) continue;
    const std::string title = title_of(row.section, ask);
    if (at < found.size() && found[at] == title)
      ++at;
    else if (is_always_there(row.section))
      return "the prompt has no section \"" + title + "\" where it belongs";
  }
  return at == found.size() ? "" : "the prompt has a section too much: \"" + found[at] + "\"";
}

}  // namespace alfred
