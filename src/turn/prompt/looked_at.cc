#include "turn/prompt/looked_at.h"

#include <algorithm>
#include <map>

#include "context/call_effects.h"

namespace alfred {
namespace {

bool is_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// As words of its own: "pear" is not in "spearmint". A plural may follow.
bool stands_in(std::string_view text, const std::string& words) {
  if (words.empty()) return false;
  for (std::size_t at = text.find(words); at != std::string_view::npos;
       at = text.find(words, at + 1)) {
    std::size_t end = at + words.size();
    if (end < text.size() && text[end] == 's') ++end;
    if ((at == 0 || !is_letter(text[at - 1])) && (end >= text.size() || !is_letter(text[end])))
      return true;
  }
  return false;
}

class TurnRows {
 public:
  TurnRows(const Scene& scene, const TurnSteps& steps) : registry_(scene.state().registry) {
    number_ = steps.turn;
    names_by_links_ = scene.facts().settings.has_edition(4);
    for (const ConversationTurn& one : scene.facts().conversation.recent)
      if (one.turn == steps.turn) {
        message_ = lower(one.user);
        reply_ = lower(one.reply);
        said_ = message_ + "\n" + reply_;
      }
    for (const Step& step : steps.steps) take(step);
  }

  void tell(LookedAt& out) const {
    std::set<std::string> types;  // of which some were named
    std::set<std::string> seen = read_;
    if (!has_write_) seen.insert(linked_.begin(), linked_.end());
    for (const std::string& ref : seen)
      if (is_named(ref)) types.insert(std::string(registry_.type_of(registry_.find(ref))));
    for (const std::string& ref : seen) {
      const EntityNo entity = registry_.find(ref);
      const bool is_of_then =
          entity != kNoEntity && registry_.turn_last_referenced(entity) == number_;
      if (!is_of_then || changed_.contains(ref) || is_named(ref)) continue;
      if (has_write_)
        out.candidates.insert(ref);
      else if (types.contains(std::string(registry_.type_of(entity))))
        out.unnamed.insert(ref);
    }
  }

  // R4.
  std::vector<std::string> listed(std::string_view type) const {
    std::vector<std::string> out;
    for (const auto* refs : {&made_, &rows_})
      for (const std::string& ref : *refs) {
        const EntityNo entity = registry_.find(ref);
        if (entity == kNoEntity || registry_.type_of(entity) != type) continue;
        if (refs == &rows_ && (has_write_ || !says_name(reply_, ref, entity))) continue;
        std::string now(registry_.ref(entity).text());
        if (std::find(out.begin(), out.end(), now) == out.end()) out.push_back(std::move(now));
      }
    return out;
  }

 private:
  void take(const Step& step) {
    has_write_ = has_write_ || step.step_type == StepType::write;
    changed_.insert(step.artifacts.begin(), step.artifacts.end());
    made_.insert(made_.end(), step.artifacts.begin(), step.artifacts.end());
    for (const ToolResult& call : step.calls)
      if (const JsonArray* rows = call.answer ? rows_of(*call.answer) : nullptr)
        for (const Json& row : *rows) take_links(row);
    for (const CallEffects& one : effects_of(step)) {
      read_.insert(one.read.begin(), one.read.end());
      rows_.insert(rows_.end(), one.read.begin(), one.read.end());
      changed_.insert(one.created.begin(), one.created.end());
      changed_.insert(one.updated.begin(), one.updated.end());
    }
  }

  void take_links(const Json& row) {
    const std::string ref = ref_of_row(row);
    if (ref.empty() || !names_by_links_) return;
    std::vector<std::string>& names = links_[ref];
    names.clear();
    for (const auto& member : row.get_object()) {
      const JsonString* to = member.value().if_string();
      const EntityNo entity = to == nullptr || *to == ref ? kNoEntity : registry_.find(*to);
      if (entity == kNoEntity) continue;
      names.push_back(lower(registry_.label(entity)));
      linked_.emplace(*to);
    }
  }

  // R3: its label; of a row without one, the names of all that it leads to.
  bool says_name(std::string_view text, const std::string& ref, EntityNo entity) const {
    if (const std::string label = lower(registry_.label(entity)); !label.empty())
      return stands_in(text, label);
    const auto names = links_.find(ref);
    return names != links_.end() && !names->second.empty() &&
           std::all_of(names->second.begin(), names->second.end(),
                       [&](const std::string& name) { return stands_in(text, name); });
  }
  bool is_named(const std::string& ref) const {
    const EntityNo entity = registry_.find(ref);
    if (entity == kNoEntity) return false;
    return says_name(said_, ref, entity) ||
           stands_in(message_, lower(entity_snapshot(registry_, entity).last_referenced_phrase));
  }

  const RefRegistry& registry_;
  std::uint32_t number_ = 0;
  std::string message_;
  std::string reply_;
  std::string said_;
  bool names_by_links_ = false;
  std::set<std::string> linked_;                           // what rows that were read lead to
  std::map<std::string, std::vector<std::string>> links_;  // what rows lead to, by its names
  std::vector<std::string> made_;
  std::vector<std::string> rows_;  // in the order they were read
  std::set<std::string> read_;
  std::set<std::string> changed_;
  bool has_write_ = false;
};

}  // namespace

LookedAt looked_at(const Scene& scene) {
  LookedAt out;
  for (const TurnSteps& one : scene.facts().earlier_steps) TurnRows(scene, one).tell(out);
  return out;
}

std::vector<std::string> listed_last(const Scene& scene, std::string_view type) {
  const std::vector<TurnSteps>& turns = scene.facts().earlier_steps;
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn)
    if (std::vector<std::string> out = TurnRows(scene, *turn).listed(type); out.size() > 1)
      return out;
  return {};
}

}  // namespace alfred
