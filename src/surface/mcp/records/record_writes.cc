// Writing over MCP: previews, approval (record_features.h, R3 and R4), and then the call itself.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/digest.h"
#include "records/write/payload_columns.h"
#include "surface/mcp/records/record_features.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kQuestion = "approve";

bool is_true(const JsonObject& object, std::string_view name) {
  const Json* const flag = object.if_contains(name);
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

// What a dry run says, for people. Long lists are cut; the counts are whole.
std::string told(std::string_view tool, const JsonObject& arguments, const std::string& answer) {
  constexpr std::size_t kMostBytes = 1500;
  std::string text = fmt::format("{} on {}", tool, [&] {
    const JsonString* const table = text_member(arguments, "table");
    return table == nullptr ? std::string("?") : std::string(*table);
  }());
  if (const Json* const values = arguments.if_contains("data"))
    text += " with " + write_json(*values);
  text += ". It would do this: " + answer;
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + " …";
}

InputRequired question(std::string text, const std::string& code) {
  const JsonObject schema{
      {"type", "object"},
      {"properties",
       JsonObject{{kQuestion, JsonObject{{"type", "boolean"},
                                         {"title", "Do it"},
                                         {"description", "Whether this shall be done"},
                                         {"default", false}}}}},
      {"required", JsonArray{kQuestion}}};
  InputRequired wanted;
  wanted.requests[kQuestion] =
      JsonObject{{"method", "elicitation/create"},
                 {"params", JsonObject{{"message", std::move(text)}, {"requestedSchema", schema}}}};
  wanted.kept = JsonObject{{"code", code}};
  return wanted;
}

// Yes, no, or nothing yet.
std::optional<bool> answer_of(const JsonObject& inputs) {
  const JsonObject* const given = object_member(inputs, kQuestion);
  if (given == nullptr) return std::nullopt;
  const JsonString* const action = text_member(*given, "action");
  const JsonObject* const content = object_member(*given, "content");
  return action != nullptr && *action == "accept" && content != nullptr &&
         is_true(*content, kQuestion);
}

// A batch has no dry run, since each of its items may fail by itself: what is told is what was
// asked for.
std::string batch_preview(const JsonObject& arguments) {
  JsonObject preview{{"batch", arguments.at("batch")}};
  const Json* const rows = arguments.if_contains("data");
  if (rows != nullptr && rows->is_array()) preview["rows"] = rows->get_array().size();
  if (const Json* const refs = arguments.if_contains("refs")) preview["refs"] = *refs;
  return write_json(preview);
}

void tell_changes(const std::string& answer, const CallScope& scope) {
  const Result<Json> json = parse_json(answer, JsonLimits::none());
  if (!json || !json->is_object() || !scope.tell) return;
  for (const std::string_view member : {"updated", "deleted"}) {
    const Json* const rows = json->get_object().if_contains(member);
    if (rows == nullptr || !rows->is_array()) continue;
    for (const Json& row : rows->get_array()) {
      const JsonString* const ref =
          row.is_object() ? text_member(row.get_object(), "ref") : row.if_string();
      if (ref != nullptr)
        scope.tell({"notifications/resources/updated", "ref://" + std::string(*ref)});
    }
  }
}

}  // namespace

bool RecordFeatures::needs_approval(std::string_view tool) const {
  if (options_.approval == Approval::destructive) return tool == "db_delete";
  return options_.approval == Approval::always;
}

Result<RecordFeatures::Preview> RecordFeatures::preview(std::string_view tool,
                                                        const JsonObject& arguments) {
  JsonObject params = engine_params(arguments);
  params.erase("dry_run");
  const std::string asked = sorted_text(params);
  params["dry_run"] = true;
  Result<std::string> answer = arguments.contains("batch")
                                   ? batch_preview(arguments)
                                   : service_->call(tool, params, OpId::random(random_));
  if (!answer) return Unexpected(answer.error());
  const std::array<std::string_view, 5> pieces{options_.secret, tool, asked, "\n", *answer};
  // In letters only: a code that looks like no key.
  std::string code;
  for (const char digit : content_digest(pieces).substr(0, 12))
    code += static_cast<char>('g' + (digit <= '9' ? digit - '0' : digit - 'a' + 10));
  return Preview{std::move(*answer), std::move(code)};
}

McpOutcome RecordFeatures::write(std::string_view tool, const JsonObject& arguments,
                                 const CallScope& scope) {
  const bool is_dry = is_true(arguments, "dry_run");
  if (!needs_approval(tool)) return commit(tool, arguments, scope);
  Result<Preview> seen = preview(tool, arguments);
  if (!seen) {
    // One that was done before is told again by its key; any other fails as its preview did.
    if (!is_dry && arguments.contains("idempotency_key")) return commit(tool, arguments, scope);
    return tool_error(seen.error(), arguments);
  }
  if (!is_dry) return approve(tool, arguments, *seen, scope);
  Result<Json> answer = parse_json(seen->answer, JsonLimits::none());
  if (answer && answer->is_object() && !can_elicit(scope.capabilities))
    answer->get_object()["confirm"] = seen->code;
  return tool_result(answer ? write_json(*answer) : seen->answer);
}

McpOutcome RecordFeatures::approve(std::string_view tool, const JsonObject& arguments,
                                   const Preview& preview, const CallScope& scope) {
  if (!can_elicit(scope.capabilities)) {
    const JsonString* const code = text_member(arguments, "confirm");
    if (code != nullptr && *code == preview.code) return commit(tool, arguments, scope);
    return tool_error(fmt::format(
        "Nothing was done: {} needs the user's approval. Asked for was {} Show the user what it "
        "would do; once they agree, call again with the same arguments and \"confirm\":\"{}\".",
        tool, told(tool, arguments, preview.answer), preview.code));
  }
  const JsonObject* const kept = scope.kept.if_object();
  const JsonString* const shown = kept == nullptr ? nullptr : text_member(*kept, "code");
  const std::optional<bool> agreed = answer_of(scope.inputs);
  if (shown == nullptr || *shown != preview.code || !agreed)
    return question(told(tool, arguments, preview.answer), preview.code);
  if (*agreed) return commit(tool, arguments, scope);
  return tool_error(
      "Nothing was done: the user did not approve it. Ask them what they want instead.");
}

// In a batch the engine takes rows that each name their item, which are the refs here.
JsonObject RecordFeatures::write_params(const JsonObject& arguments) const {
  JsonObject params = engine_params(arguments);
  if (!arguments.contains("batch") || !arguments.contains("refs")) return params;
  const Table* const table =
      service_->schema().find(std::string_view(arguments.at("table").as_string()));
  JsonArray rows;
  for (const Json& ref : arguments.at("refs").as_array()) {
    const JsonObject* const values = object_member(arguments, "data");
    JsonObject row = values == nullptr ? JsonObject() : *values;
    row[table == nullptr ? "ref" : item_member(*table)] = ref;
    rows.push_back(std::move(row));
  }
  params["data"] = std::move(rows);
  if (arguments.contains("filters"))
    params["filters"] = arguments.at("filters");
  else
    params.erase("filters");
  return params;
}

McpOutcome RecordFeatures::commit(std::string_view tool, const JsonObject& arguments,
                                  const CallScope& scope) {
  if (scope.progress)
    service_->set_progress([&](std::size_t done, std::size_t total) {
      scope.progress(static_cast<double>(done), static_cast<double>(total));
    });
  const OpId op = op_of(arguments);
  const Result<std::string> answer = service_->call(tool, write_params(arguments), op);
  service_->set_progress({});
  if (!answer) return tool_error(answer.error(), arguments);
  if (!is_true(arguments, "dry_run")) {
    done_ = op.view();
    tell_changes(*answer, scope);
  }
  return tool_result(*answer);
}

}  // namespace alfred::mcp
