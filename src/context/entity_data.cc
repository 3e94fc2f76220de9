#include "context/entity_data.h"

namespace alfred {
namespace {

const JsonArray* array_member(const Json& json, std::string_view name) {
  const JsonObject* object = json.if_object();
  const Json* member = object == nullptr ? nullptr : object->if_contains(name);
  return member == nullptr ? nullptr : member->if_array();
}

// A ref as it is shown now: what was saved has a new one.
std::string shown(const SessionState& state, std::string_view ref) {
  const EntityNo entity = state.registry.find(ref);
  return entity == kNoEntity ? std::string(ref) : std::string(state.registry.ref(entity).text());
}

}  // namespace

EntityData EntityData::collect(const SessionState& state) {
  EntityData data;
  for (const TurnSteps& turn : state.facts.earlier_steps) data.add_steps(state, turn.steps);
  if (state.facts.running && state.facts.running->plan)
    data.add_steps(state, state.facts.running->plan->steps);
  for (const StoredArtifact& artifact : state.facts.artifacts)
    if (!artifact.saved_as && artifact.content.is_object())
      data.rows_.insert_or_assign(artifact.ref, artifact.content.get_object());
  return data;
}

const JsonObject* EntityData::find(std::string_view ref) const {
  const auto found = rows_.find(ref);
  return found == rows_.end() ? nullptr : &found->second;
}

std::set<std::string, std::less<>> EntityData::refs() const {
  std::set<std::string, std::less<>> out;
  for (const auto& [ref, row] : rows_) out.insert(ref);
  return out;
}

void EntityData::add_steps(const SessionState& state, const std::vector<Step>& steps) {
  for (const Step& step : steps)
    for (const ToolResult& call : step.calls) {
      if (!call.answer) continue;
      if (const JsonArray* rows = array_member(*call.answer, "rows")) add_rows(state, *rows);
      forget(state, *call.answer, "updated");
      forget(state, *call.answer, "deleted");
    }
}

void EntityData::add_rows(const SessionState& state, const JsonArray& rows) {
  for (const Json& json : rows) {
    const JsonObject* row = json.if_object();
    const Json* id = row == nullptr ? nullptr : row->if_contains("id");
    if (id == nullptr || !id->is_string()) continue;
    for (const auto& member : *row)
      if (const JsonArray* nested = member.value().if_array()) add_rows(state, *nested);
    rows_.insert_or_assign(shown(state, id->get_string()), *row);
  }
}

void EntityData::forget(const SessionState& state, const Json& answer, std::string_view member) {
  const JsonArray* changed = array_member(answer, member);
  if (changed == nullptr) return;
  for (const Json& one : *changed) {
    const Json* ref = one.is_object() ? one.get_object().if_contains("ref") : &one;
    if (ref != nullptr && ref->is_string()) rows_.erase(shown(state, ref->get_string()));
  }
}

}  // namespace alfred
