#include "turn/act/tool_call.h"

#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "state/constraint_check.h"
#include "turn/act/artifacts.h"
#include "turn/act/asked_first.h"
#include "turn/act/checked_rows.h"

namespace alfred {
namespace {

std::string text_member(const JsonObject& object, std::string_view name) {
  const Json* value = object.if_contains(name);
  const JsonString* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

Unexpected nothing_to_save(const Scene& scene, const Json& ref, const std::string& path) {
  std::vector<std::string> allowed;
  for (const StoredArtifact* one : scene.artifacts())
    if (!one->saved_as && (allowed.size() < 10 || scene.has_edition(6)))
      allowed.push_back(one->ref);
  const JsonString* text = ref.if_string();
  return fail_listing(ErrorCode::ref_unknown,
                      quoted_text(text == nullptr ? write_json(ref) : std::string(*text)) +
                          " is nothing generated and unsaved.",
                      path, std::move(allowed));
}

// R2.
Result<void> expand_refs(const Scene& scene, JsonObject& params, ToolCall& out) {
  if (!params.at("refs").is_array() || params.at("refs").get_array().empty())
    return fail(ErrorCode::schema, "refs is a list of generated refs.", "refs");
  const JsonArray refs = params.at("refs").get_array();  // params changes below
  if (params.contains("data"))
    return fail(ErrorCode::schema, "Give refs or data, not both.", "data");
  const std::string table = text_member(params, "table");
  JsonArray rows;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const std::string path = "refs[" + std::to_string(i) + "]";
    const Json& ref = refs[i];
    const StoredArtifact* artifact =
        ref.is_string() ? scene.state().artifact(ref.get_string()) : nullptr;
    if (artifact == nullptr || artifact->saved_as) return nothing_to_save(scene, ref, path);
    if (Result<void> checked = check_constraints(constraints_on(scene, artifact->type),
                                                 scene.world().pack, artifact->content, path);
        !checked)
      return checked;
    Result<CompiledArtifact> compiled = scene.world().compile(*artifact);
    if (!compiled) return Unexpected(std::move(compiled).error());
    if (!table.empty() && table != compiled->table)
      return fail(ErrorCode::ref_type, artifact->ref + " is saved in " + compiled->table + ".",
                  "table", {compiled->table});
    params["table"] = compiled->table;
    compiled->row["ref"] = artifact->ref;
    rows.push_back(std::move(compiled->row));
    for (std::string& one : compiled->discrepancies)
      out.discrepancies.push_back(artifact->label + ": " + std::move(one));
  }
  params.stable_erase(params.find("refs"));
  params["data"] = std::move(rows);
  return {};
}

// The refs that filters on the key name, and nothing else; empty when they say more or otherwise.
std::vector<std::string> named_rows(const Scene& scene, const JsonObject& params,
                                    std::string_view table_name) {
  std::vector<std::string> refs;
  if (params.contains("or_filters")) return refs;
  const Json* filters = params.if_contains("filters");
  const JsonArray* list = filters == nullptr ? nullptr : filters->if_array();
  if (list == nullptr || list->size() != 1 || !list->front().is_object()) return refs;
  const JsonObject& filter = list->front().get_object();
  const std::string field = text_member(filter, "field");
  const std::string op = text_member(filter, "op");
  const Json* value = filter.if_contains("value");
  const Table* table = scene.world().schema.find(table_name);
  const bool is_key = field == "id" || field == "_ref" ||
                      (table != nullptr && table->key.size() == 1 && field == table->key.front());
  if (!is_key || value == nullptr || (op != "=" && op != "in")) return refs;
  if (const JsonString* one = value->if_string()) refs.emplace_back(*one);
  if (const JsonArray* several = value->if_array())
    for (const Json& one : *several) {
      if (!one.is_string()) return {};
      refs.emplace_back(one.get_string());
    }
  return refs;
}

// R3: {"filters": id in […], "data": {…}} → {"data": [{"ref": …, …}, …]}.
void name_items(const Scene& scene, JsonObject& params, std::string_view table) {
  const Json* given = params.if_contains("data");
  if (given != nullptr && given->is_array()) return;
  if (given != nullptr && given->is_object() && given->get_object().contains("ref")) return;
  const std::vector<std::string> refs = named_rows(scene, params, table);
  if (refs.empty()) return;
  JsonArray rows;
  for (const std::string& ref : refs) {
    JsonObject row{{"ref", ref}};
    if (given != nullptr && given->is_object())
      for (const auto& member : given->get_object()) row.insert(member);
    rows.push_back(std::move(row));
  }
  params["data"] = std::move(rows);
  params.stable_erase(params.find("filters"));
}

}  // namespace

Result<ToolCall> make_tool_call(const Scene& scene, std::uint32_t step, std::string tool,
                                Json params) {
  const Step& now = scene.turn().plan->steps[step];
  if (now.step_type == StepType::read && tool != "db_read")
    return fail(ErrorCode::tool, "A read step only reads. Use db_read.", "tool", {"db_read"});
  ToolCall out{.call = {.id = scene.turn().calls + 1, .step = step}};
  if (JsonObject* object = params.if_object();
      object != nullptr && tool != "db_read" && tool != "db_undo") {
    if (tool != "db_create")
      if (Result<void> asked = check_call_asked_first(scene, step, *object); !asked)
        return Unexpected(std::move(asked).error());
    const bool is_of_refs = tool == "db_create" && object->contains("refs");
    if (is_of_refs)
      if (Result<void> expanded = expand_refs(scene, *object, out); !expanded)
        return Unexpected(std::move(expanded).error());
    const BatchManifest* manifest = now.batch ? scene.state().batch(*now.batch) : nullptr;
    const std::string table = text_member(*object, "table");
    if (manifest != nullptr && (table.empty() || table == manifest->table())) {
      out.call.batch = now.batch;
      if (tool != "db_create") name_items(scene, *object, manifest->table());
    }
    if (tool != "db_delete" && !is_of_refs)
      if (Result<void> checked = check_typed_rows(scene, tool, *object); !checked)
        return Unexpected(std::move(checked).error());
  }
  out.call.tool = std::move(tool);
  out.call.params = std::move(params);
  return out;
}

}  // namespace alfred
