#include "surface/mcp/records/tool_answer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/json/json_text.h"
#include "context/shown_text.h"
#include "records/filter/named_refs.h"

namespace alfred::mcp {
namespace {

std::string_view next_call(const Error& error) {
  switch (error.code) {
    case ErrorCode::batch_item:
      return error.path == "batch" ? " Next: call batch with action declare."
                                   : " Next: call batch with action status.";
    case ErrorCode::table:
    case ErrorCode::column:
    case ErrorCode::column_readonly:
    case ErrorCode::enum_value: return " Next: call schema.";
    case ErrorCode::ref_unknown:
    case ErrorCode::ref_syntax:
    case ErrorCode::ref_type:
    case ErrorCode::filter_required: return " Next: call db_read or working_set for refs.";
    case ErrorCode::stale: return " Next: call db_read for the row as it is now.";
    case ErrorCode::batch_pending: return " Next: call batch with action status.";
    default: return "";
  }
}

std::string shown_path(const std::string& path, const JsonObject& arguments) {
  constexpr std::string_view rows = "data[";
  // The rows of a batch's items were made of its refs, each with the same values.
  if (path.starts_with(rows) && arguments.contains("refs")) {
    const std::size_t end = path.find(']');
    if (end == std::string::npos) return path;
    return end + 1 < path.size() ? "data" + path.substr(end + 1)
                                 : "refs" + path.substr(rows.size() - 1);
  }
  return path_as_given(path, arguments);
}

#ifdef NDEBUG
constexpr bool kReadsAnswers = false;
#else
constexpr bool kReadsAnswers = true;
#endif

JsonObject text_content(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

}  // namespace

// The answer was written by us: it is not read again to be written as a part of another text.
WrittenResult tool_result(std::string_view answer) {
  if constexpr (kReadsAnswers) {
    const Result<Json> json = parse_json(answer, JsonLimits::none());
    ALFRED_CHECK(json.has_value(), "the answer of a tool is JSON");
  }
  std::string members;
  members.reserve(2 * answer.size() + answer.size() / 4 + 96);
  append_json_string(members += R"("content":[{"type":"text","text":)", answer);
  members += "}]";
  if (answer.starts_with('{')) (members += R"(,"structuredContent":)") += answer;
  return {std::move(members)};
}

JsonObject tool_error(const std::string& text) {
  return {{"content", JsonArray{text_content(visible_prompt(text))}}, {"isError", true}};
}

JsonObject tool_error(const Error& given, const JsonObject& arguments) {
  Error error = given;
  if (error.code == ErrorCode::op_reused) {
    error.message =
        "This idempotency_key was used for another call. Use a new one, or send that call again as "
        "it was.";
    error.path = "idempotency_key";
  }
  std::string text = error.message;
  if (!error.path.empty()) text += fmt::format(" (at {})", shown_path(error.path, arguments));
  text += fmt::format(" [{}]", error_name(error.code));
  if (!error.allowed.empty()) text += fmt::format(" Allowed: {}.", fmt::join(error.allowed, ", "));
  text += next_call(error);
  return tool_error(text);
}

JsonObject engine_params(const JsonObject& arguments) {
  JsonObject call;
  call.reserve(arguments.size());
  for (const auto& [name, value] : arguments)
    if (name != "confirm" && name != "idempotency_key") call.emplace(name, value);
  return with_ref_filter(std::move(call));
}

}  // namespace alfred::mcp
