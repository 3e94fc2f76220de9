#include "context/call_effects.h"

#include <set>

namespace alfred {
namespace {

const JsonArray* array_member(const Json& json, std::string_view name) {
  const JsonObject* object = json.if_object();
  const Json* member = object == nullptr ? nullptr : object->if_contains(name);
  return member == nullptr ? nullptr : member->if_array();
}

// "book_1", {"ref":"book_1",…} or {"id":"book_1",…}.
std::string ref_in(const Json& json, std::string_view member) {
  const Json* ref = json.is_object() ? json.get_object().if_contains(member) : &json;
  return ref != nullptr && ref->is_string() ? std::string(ref->get_string()) : "";
}

void add_refs(const Json& answer, std::string_view list, std::string_view member,
              std::vector<std::string>& out) {
  const JsonArray* found = array_member(answer, list);
  if (found == nullptr) return;
  for (const Json& one : *found)
    if (std::string ref = ref_in(one, member); !ref.empty()) out.push_back(std::move(ref));
}

void add_rows(const Json& answer, CallEffects& out) {
  const JsonObject* object = answer.if_object();
  if (const JsonArray* rows = array_member(answer, "rows")) {
    out.rows = rows->size();
    add_refs(answer, "rows", "id", out.read);
  }
  const Json* count = object == nullptr ? nullptr : object->if_contains("count");
  if (out.rows == 0 && count != nullptr && count->is_int64() && count->get_int64() > 0)
    out.rows = static_cast<std::size_t>(count->get_int64());
}

}  // namespace

std::vector<CallEffects> effects_of(const Step& step) {
  std::vector<CallEffects> out;
  std::set<std::string, std::less<>> had;  // items that earlier calls completed
  for (const ToolResult& call : step.calls) {
    CallEffects& effects = out.emplace_back();
    effects.is_refused = !call.answer;
    if (!call.answer) continue;
    if (call.tool == "db_read") add_rows(*call.answer, effects);
    add_refs(*call.answer, "created", "ref", effects.created);
    add_refs(*call.answer, "updated", "ref", effects.updated);
    add_refs(*call.answer, "deleted", "ref", effects.deleted);
    std::vector<std::string>& done = call.tool == "db_create"   ? effects.created
                                     : call.tool == "db_delete" ? effects.deleted
                                                                : effects.updated;
    if (const JsonArray* completed = array_member(*call.answer, "completed"))
      for (const Json& one : *completed) {
        std::string ref = ref_in(one, "result");
        if (ref.empty()) ref = ref_in(one, "ref");
        if (!ref.empty() && had.insert(ref).second) done.push_back(std::move(ref));
      }
    if (const JsonArray* failed = array_member(*call.answer, "failed"))
      effects.failed = failed->size();
  }
  return out;
}

const JsonArray* rows_of(const Json& answer) { return array_member(answer, "rows"); }

std::string ref_of_row(const Json& row) { return row.is_object() ? ref_in(row, "id") : ""; }

}  // namespace alfred
