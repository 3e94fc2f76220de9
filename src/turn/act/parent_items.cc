#include "turn/act/parent_items.h"

#include <algorithm>
#include <set>

#include "context/call_effects.h"

namespace alfred {
namespace {

using Refs = std::set<std::string, std::less<>>;

// The parents that one call's rows lead to, by any ref they go by.
class Parents {
 public:
  Parents(const Table& table, std::string_view parent) {
    for (const Field& field : table.fields)
      if (field.link && field.link->table == parent) links_.push_back(field.name);
  }

  bool has_links() const { return !links_.empty(); }
  const Refs& found() const { return found_; }

  void of_params(const Json& params) {
    const JsonObject* object = params.if_object();
    if (object == nullptr) return;
    if (const Json* data = object->if_contains("data")) of_rows(*data);
    const Json* filters = object->if_contains("filters");
    const JsonArray* list = filters == nullptr ? nullptr : filters->if_array();
    if (list == nullptr) return;
    for (const Json& filter : *list) {
      const JsonObject* one = filter.if_object();
      const Json* field = one == nullptr ? nullptr : one->if_contains("field");
      const Json* value = one == nullptr ? nullptr : one->if_contains("value");
      if (field == nullptr || value == nullptr || !field->is_string()) continue;
      if (std::ranges::find(links_, std::string(field->get_string())) != links_.end()) add(*value);
    }
  }

  // Rows of the window: those that were changed, at any depth. `above` is the row they are nested
  // in.
  void of_window(const Json& rows, const Refs& changed, const std::string& above) {
    const JsonArray* list = rows.if_array();
    if (list == nullptr) return;
    for (const Json& row : *list) {
      const std::string ref = ref_of_row(row);
      if (changed.contains(ref)) {
        found_.insert(above);
        of_rows(row);
      }
      if (!row.is_object()) continue;
      for (const auto& member : row.get_object()) of_window(member.value(), changed, ref);
    }
  }

 private:
  void of_rows(const Json& data) {
    if (const JsonArray* list = data.if_array()) {
      for (const Json& row : *list) of_rows(row);
      return;
    }
    const JsonObject* row = data.if_object();
    if (row == nullptr) return;
    for (const std::string& link : links_)
      if (const Json* value = row->if_contains(link)) add(*value);
  }
  void add(const Json& value) {
    if (const JsonString* text = value.if_string()) found_.emplace(*text);
    if (const JsonArray* list = value.if_array())
      for (const Json& one : *list) add(one);
  }

  std::vector<std::string> links_;
  Refs found_;
};

void look_in_window(const Scene& scene, const Refs& changed, Parents& parents) {
  const auto look = [&](const Step& step) {
    for (const ToolResult& call : step.calls)
      if (call.answer)
        if (const JsonArray* rows = rows_of(*call.answer))
          parents.of_window(Json(*rows), changed, "");
  };
  for (const Step& step : scene.turn().plan->steps) look(step);
  for (const TurnSteps& turn : scene.facts().earlier_steps)
    for (const Step& step : turn.steps) look(step);
}

std::string table_of(const Json& params) {
  const JsonObject* object = params.if_object();
  const Json* table = object == nullptr ? nullptr : object->if_contains("table");
  return table != nullptr && table->is_string() ? std::string(table->get_string()) : "";
}

bool is_meant(const Scene& scene, const Refs& parents, const BatchItem& item) {
  const EntityNo entity = scene.state().registry.find(item.ref);
  const StoredArtifact* artifact = scene.state().artifact(item.ref);
  if (entity == kNoEntity || (artifact != nullptr && !artifact->saved_as)) return false;
  return std::ranges::any_of(
      parents, [&](const std::string& ref) { return scene.state().registry.find(ref) == entity; });
}

}  // namespace

void complete_parents(Scene& scene, std::uint32_t step) {
  const Step& now = scene.turn().plan->steps[step];
  const BatchManifest* batch = now.batch ? scene.state().batch(*now.batch) : nullptr;
  const ToolResult& last = now.calls.back();
  if (batch == nullptr || !last.answer || last.tool == "db_read" || last.tool == "db_undo") return;
  const Table* table = scene.world().schema.find(table_of(last.params));
  if (table == nullptr || table->name == batch->table()) return;
  Parents parents(*table, batch->table());
  if (!parents.has_links()) return;
  parents.of_params(last.params);
  const CallEffects effects = effects_of(now).back();
  Refs changed(effects.updated.begin(), effects.updated.end());
  changed.insert(effects.deleted.begin(), effects.deleted.end());
  look_in_window(scene, changed, parents);

  BatchManifest moved = *batch;
  ItemsMoved change{*now.batch, {}};
  for (const BatchItem& item : batch->items()) {
    if (item.status != ItemStatus::pending || !is_meant(scene, parents.found(), item)) continue;
    change.changes.push_back(moved.start(item.ref).value());
    change.changes.push_back(moved.complete(item.ref, item.ref).value());
  }
  if (!change.changes.empty()) scene.tell(std::move(change));
}

}  // namespace alfred
