#include "surface/mcp/records/tool_answer.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace alfred::mcp {
namespace {

std::string_view next_call(ErrorCode code) {
  switch (code) {
    case ErrorCode::table:
    case ErrorCode::column:
    case ErrorCode::column_readonly:
    case ErrorCode::enum_value: return " Next: call schema.";
    case ErrorCode::ref_unknown:
    case ErrorCode::ref_syntax:
    case ErrorCode::ref_type:
    case ErrorCode::filter_required: return " Next: call db_read or working_set for refs.";
    case ErrorCode::stale: return " Next: call db_read for the row as it is now.";
    case ErrorCode::batch_item:
    case ErrorCode::batch_pending: return " Next: call batch with action status.";
    default: return "";
  }
}

std::string shown_path(const std::string& path, const JsonObject& arguments) {
  constexpr std::string_view refs = "filters[0].value";
  constexpr std::string_view filters = "filters[";
  if (!arguments.contains("refs") || !path.starts_with(filters)) return path;
  if (path.starts_with(refs)) return "refs" + path.substr(refs.size());
  const std::size_t end = path.find(']');
  int place = 0;
  std::from_chars(path.data() + filters.size(), path.data() + std::min(end, path.size()), place);
  return place < 1 || end == std::string::npos
             ? path
             : fmt::format("filters[{}{}", place - 1, path.substr(end));
}

JsonObject text_content(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

}  // namespace

JsonObject tool_result(const std::string& answer) {
  Result<Json> json = parse_json(answer, JsonLimits::none());
  JsonObject result{{"content", JsonArray{text_content(answer)}}};
  if (json && json->is_object()) result["structuredContent"] = std::move(*json);
  return result;
}

JsonObject tool_error(const std::string& text) {
  return {{"content", JsonArray{text_content(text)}}, {"isError", true}};
}

JsonObject tool_error(const Error& error, const JsonObject& arguments) {
  std::string text = error.message;
  if (!error.path.empty()) text += fmt::format(" (at {})", shown_path(error.path, arguments));
  text += fmt::format(" [{}]", error_name(error.code));
  if (!error.allowed.empty()) text += fmt::format(" Allowed: {}.", fmt::join(error.allowed, ", "));
  text += next_call(error.code);
  return tool_error(text);
}

JsonObject engine_params(const JsonObject& arguments) {
  JsonObject params = arguments;
  for (const std::string_view own : {"refs", "confirm", "idempotency_key"}) params.erase(own);
  const Json* const refs = arguments.if_contains("refs");
  if (refs == nullptr) return params;
  JsonArray filters{JsonObject{{"field", "_ref"}, {"op", "in"}, {"value", *refs}}};
  if (const Json* const more = arguments.if_contains("filters");
      more != nullptr && more->is_array())
    filters.insert(filters.end(), more->get_array().begin(), more->get_array().end());
  params["filters"] = std::move(filters);
  return params;
}

}  // namespace alfred::mcp
