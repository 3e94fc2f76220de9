// For tests only: what models answer in the library, written once.
#pragma once

#include <string>
#include <string_view>

namespace alfred {

inline std::string step_json(std::string_view type, std::string_view subdomain = "books",
                             int group = 1, std::string_view batch = "null") {
  return R"({"step_type":")" + std::string(type) + R"(","subdomain":")" + std::string(subdomain) +
         R"(","group":)" + std::to_string(group) + R"(,"description":")" + std::string(type) +
         R"( )" + std::string(subdomain) + R"(","batch":)" + std::string(batch) + "}";
}
inline std::string steps_json(std::initializer_list<std::string> steps) {
  std::string out = "[";
  for (const std::string& step : steps) out += (out.size() > 1 ? "," : "") + step;
  return out + "]";
}
inline std::string one_step(std::string_view type) { return steps_json({step_json(type)}); }

inline std::string batch_json(std::initializer_list<std::string_view> refs) {
  std::string items;
  for (const std::string_view ref : refs)
    items += (items.empty() ? "" : ",") + (R"({"ref":")" + std::string(ref) + R"(","label":"x"})");
  return R"({"total":)" + std::to_string(refs.size()) + R"(,"items":[)" + items + "]}";
}

inline std::string call_json(std::string_view tool, std::string_view params) {
  return R"({"action":"tool_call","tool":")" + std::string(tool) + R"(","params":)" +
         std::string(params) + "}";
}
inline constexpr const char* kReadBooks =
    R"({"action":"tool_call","tool":"db_read","params":{"table":"books"}})";
inline constexpr const char* kComplete = R"({"action":"step_complete","result_summary":"done"})";

inline std::string artifact_json(std::string_view title, std::string_view more = "") {
  return R"({"type":"book","label":")" + std::string(title) + R"(","content":{"title":")" +
         std::string(title) + "\"" + std::string(more) + "}}";
}
inline std::string complete_with(std::initializer_list<std::string> artifacts) {
  std::string list;
  for (const std::string& one : artifacts) list += (list.empty() ? "" : ",") + one;
  return R"({"action":"step_complete","result_summary":"made","artifacts":[)" + list + "]}";
}
inline std::string blocked_json(std::string_view next) {
  return R"({"action":"blocked","reason_code":"TOOL_FAILURE","details":"no shelf",)"
         R"("suggested_next":")" +
         std::string(next) + "\"}";
}
inline std::string mention_json(std::string_view text) {
  return R"({"entity_mentions":[{"raw_text":")" + std::string(text) +
         R"(","entity_type":"book"}]})";
}
// A message about books that says one constraint, new or instead of another.
inline std::string constraint_json(std::string_view type, std::string_view value,
                                   bool is_override = false, std::string_view field = "") {
  const std::string one = R"([{"type":")" + std::string(type) + R"(","field":")" +
                          std::string(field) + R"(","value":)" + std::string(value) +
                          R"(,"confidence":1}])";
  return R"({"quick_subdomain":"books","constraint_snapshot":{"new_constraints":)" +
         (is_override ? "[]" : one) + R"(,"override_constraints":)" + (is_override ? one : "[]") +
         R"(,"reset_goal":false,"goal_update":null,"source_phrases":[]}})";
}
inline constexpr const char* kEmmaRead =
    R"({"rows":[{"id":"book_1","title":"Emma","pages":400}],"has_more":false})";

}  // namespace alfred
