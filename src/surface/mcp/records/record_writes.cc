// Writing over MCP: previews, approval (record_features.h, R3 and R4), and then the call itself.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/digest.h"
#include "records/write/payload_columns.h"
#include "refs/hiding/literal_mask.h"
#include "surface/mcp/approval/approval_text.h"
#include "surface/mcp/approval/row_caption.h"
#include "surface/mcp/records/answer_budget.h"
#include "surface/mcp/records/narrow_schema.h"
#include "surface/mcp/records/record_features.h"
#include "surface/mcp/visible/visible_json.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kQuestion = "approve";

bool is_true(const JsonObject& object, std::string_view name) {
  const Json* const flag = object.if_contains(name);
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

InputRequired question(std::string text, const std::string& shown) {
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
  wanted.kept = JsonObject{{"shown", shown}};
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

// Whether a batch's call would do anything at all: else there is nothing to be asked about.
bool does_nothing(const JsonObject& arguments, const std::string& preview) {
  if (!arguments.contains("batch")) return false;
  const Result<Json> outcome = parse_json(preview, JsonLimits::none());
  const JsonObject* const object = outcome ? outcome->if_object() : nullptr;
  const Json* const given = arguments.if_contains(arguments.contains("refs") ? "refs" : "data");
  if (object == nullptr || given == nullptr || !given->is_array()) return false;
  return failed_items(*object, arguments).size() == given->get_array().size();
}

// What a call answers that would change nothing, whose rows are gone or do not fit its filters.
std::optional<std::string> answer_of_none(const std::string& preview) {
  Result<Json> outcome = parse_json(preview, JsonLimits::none());
  if (!outcome || !outcome->is_object() || !is_true(outcome->get_object(), "no_match"))
    return std::nullopt;
  outcome->get_object().stable_erase("dry_run");
  return write_json(*outcome);
}

// Of a batch the rows are those of its items, one by one.
Result<void> check_batch_arguments(const JsonObject& arguments) {
  for (const std::string_view name : {"filters", "version"})
    if (arguments.contains("batch") && arguments.contains(name))
      return fail(
          ErrorCode::schema,
          fmt::format("A call on a batch has no {}: its items are the rows. Leave it out.", name),
          std::string(name));
  return {};
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

// The rows that would be changed, as they are: of an update what it sets, of a delete all. What
// cannot be read has changed nothing.
JsonArray RecordFeatures::rows_before(std::string_view tool, const JsonObject& arguments) {
  constexpr std::size_t kMostRead = 200;
  const Json* const refs = arguments.if_contains("refs");
  if (tool == "db_create" || refs == nullptr) return {};
  JsonObject params = engine_params({{"table", arguments.at("table")}, {"refs", *refs}});
  params["limit"] =
      static_cast<std::int64_t>(std::clamp<std::size_t>(refs->as_array().size(), 1, kMostRead));
  if (const JsonObject* const values = object_member(arguments, "data")) {
    JsonArray columns;
    for (const auto& member : *values) columns.emplace_back(member.key());
    params["columns"] = std::move(columns);
  }
  const Result<std::string> answer = service_->call("db_read", params, OpId::random(random_));
  const Result<Json> json = answer ? parse_json(*answer, JsonLimits::none()) : Result<Json>(Json());
  const Json* const rows =
      json && json->is_object() ? json->get_object().if_contains("rows") : nullptr;
  return rows != nullptr && rows->is_array() ? rows->get_array() : JsonArray();
}

Result<RecordFeatures::Preview> RecordFeatures::preview(std::string_view tool,
                                                        const JsonObject& arguments) {
  JsonObject params = write_params(arguments);
  params.erase("dry_run");
  const std::string asked = sorted_text(params);
  params["dry_run"] = true;
  Result<std::string> answer = service_->call(tool, params, OpId::random(random_));
  if (!answer) return Unexpected(answer.error());
  Preview seen{.answer = std::move(*answer), .before = rows_before(tool, arguments)};
  const std::string before = write_json(seen.before);
  const std::array<std::string_view, 7> pieces{tool, "\n", asked, "\n", seen.answer, "\n", before};
  seen.stands_for = content_digest(pieces);
  return seen;
}

// What stands for the labels of rows of a table that has none: by their refs.
std::map<std::string, std::string, std::less<>> RecordFeatures::captions(
    const JsonObject& arguments) {
  constexpr std::size_t kMostRead = 200;
  std::map<std::string, std::string, std::less<>> found;
  const Table* const table =
      service_->schema().find(std::string_view(arguments.at("table").as_string()));
  const Field* const field =
      table == nullptr || !table->label.empty() ? nullptr : caption_field(*table);
  const Json* const refs = arguments.if_contains("refs");
  if (field == nullptr || refs == nullptr) return found;
  // One that is gone would refuse all: only those that are there are asked for.
  JsonArray there;
  for (const Json& ref : refs->as_array())
    if (there.size() < kMostRead && names_row(ref.as_string())) there.push_back(ref);
  if (there.empty()) return found;
  JsonObject params = engine_params({{"table", table->name}, {"refs", std::move(there)}});
  params["columns"] = JsonArray{field->name};
  params["limit"] = static_cast<std::int64_t>(kMostRead);
  const Result<std::string> answer = service_->call("db_read", params, OpId::random(random_));
  const Result<Json> json = answer ? parse_json(*answer, JsonLimits::none()) : Result<Json>(Json());
  if (!json || !json->is_object()) return found;
  for (const Json& row : json->at("rows").as_array()) {
    const Json& value = row.at(field->name);
    if (value.is_null()) continue;
    const JsonString* const text = value.if_string();
    for (const auto& member : row.as_object())
      if (member.value().is_string() && member.key() != field->name)
        found[std::string(member.value().as_string())] =
            text == nullptr ? write_json(value) : std::string(*text);
  }
  return found;
}

std::string RecordFeatures::told(std::string_view tool, const JsonObject& arguments,
                                 const Preview& preview) {
  const Result<Json> outcome = parse_json(preview.answer, JsonLimits::none());
  const RefRegistry& registry = service_->workspace().registry();
  const auto known = captions(arguments);
  KeyPieces pieces(registry.keys());
  return approval_text(
      {tool, arguments, outcome && outcome->is_object() ? outcome->get_object() : JsonObject(),
       preview.before, [&](std::string_view ref) {
         const auto caption = known.find(ref);
         if (caption != known.end()) return caption->second;
         const EntityNo entity = registry.find(ref);
         return entity == kNoEntity ? std::string() : shown_label(registry, entity, pieces);
       }});
}

JsonObject RecordFeatures::write_error(const Error& error, std::string_view tool,
                                       const JsonObject& arguments) const {
  const Table* const table =
      service_->schema().find(std::string_view(arguments.at("table").as_string()));
  if (tool != "db_create" || table == nullptr) return tool_error(error, arguments);
  return tool_error(with_hidden_columns(error, *table), arguments);
}

McpOutcome RecordFeatures::write(std::string_view tool, const JsonObject& arguments,
                                 const CallScope& scope) {
  const bool is_dry = is_true(arguments, "dry_run");
  if (const Result<void> fits = check_batch_arguments(arguments); !fits)
    return tool_error(fits.error(), arguments);
  if (!needs_approval(tool)) return commit(tool, arguments, scope);
  if (!is_dry && arguments.contains("idempotency_key")) {
    // One that was done before is told again; a key of another call is refused.
    const Result<bool> done = service_->was_done(tool, write_params(arguments), op_of(arguments));
    if (!done) return write_error(done.error(), tool, arguments);
    if (*done) return commit(tool, arguments, scope);
  }
  Result<Preview> seen = preview(tool, arguments);
  if (!seen) return write_error(seen.error(), tool, arguments);
  if (!is_dry)
    if (const std::optional<std::string> none = answer_of_none(seen->answer))
      return tool_result(fitting_write(visible_json(*none), kAnswerTokens));
  if (!is_dry && does_nothing(arguments, seen->answer))
    return commit(tool, arguments, scope, Expected::failed);
  if (!is_dry) return approve(tool, arguments, *seen, scope);
  Result<Json> answer = parse_json(seen->answer, JsonLimits::none());
  if (answer && answer->is_object() && !can_elicit(scope.capabilities))
    answer->get_object()["confirm"] = options_.codes->code_for(seen->stands_for);
  return tool_result(
      fitting_write(visible_json(answer ? write_json(*answer) : seen->answer), kAnswerTokens));
}

McpOutcome RecordFeatures::approve(std::string_view tool, const JsonObject& arguments,
                                   const Preview& preview, const CallScope& scope) {
  if (!can_elicit(scope.capabilities)) return approve_by_code(tool, arguments, preview, scope);
  const JsonObject* const kept = scope.kept.if_object();
  const JsonString* const shown = kept == nullptr ? nullptr : text_member(*kept, "shown");
  const std::optional<bool> agreed = answer_of(scope.inputs);
  if (shown == nullptr || *shown != preview.stands_for || !agreed)
    return question(told(tool, arguments, preview) + " Shall this be done?", preview.stands_for);
  if (*agreed) return commit(tool, arguments, scope);
  return tool_error(
      "Nothing was done: the user did not approve it. Ask them what they want instead.");
}

McpOutcome RecordFeatures::approve_by_code(std::string_view tool, const JsonObject& arguments,
                                           const Preview& preview, const CallScope& scope) {
  ApprovalCodes& codes = *options_.codes;
  std::string_view fault;
  if (const JsonString* const code = text_member(arguments, "confirm")) {
    const OpId op = op_of(arguments);
    if (codes.use(*code, preview.stands_for, op.view())) {
      McpOutcome outcome = commit(tool, arguments, scope);
      if (!std::holds_alternative<WrittenResult>(outcome)) codes.give_back(*code);
      return outcome;
    }
    fault = !codes.used_for(*code).empty()
                ? "This code was used before; each is good for one write. "
                : "This code is not for this call, or rows have changed since its preview. ";
  }
  return tool_error(fmt::format(
      "Nothing was done: {} needs the user's approval. {}It would do this: {} Show that to the "
      "user; once they agree, call again with the same arguments and \"confirm\":\"{}\".",
      tool, fault, told(tool, arguments, preview), codes.code_for(preview.stands_for)));
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
  params.erase("filters");
  return params;
}

McpOutcome RecordFeatures::commit(std::string_view tool, const JsonObject& arguments,
                                  const CallScope& scope, Expected expected) {
  if (scope.progress)
    service_->set_progress([&](std::size_t done, std::size_t total) {
      scope.progress(static_cast<double>(done), static_cast<double>(total));
    });
  const OpId op = op_of(arguments);
  const JsonObject params = write_params(arguments);
  const Result<std::string> answer = expected == Expected::done
                                         ? service_->call(tool, params, op)
                                         : service_->call_to_fail(tool, params, op);
  service_->set_progress({});
  if (!answer) return write_error(answer.error(), tool, arguments);
  if (!is_true(arguments, "dry_run")) {
    done_ = op.view();
    tell_changes(*answer, scope);
  }
  return tool_result(fitting_write(visible_json(*answer), kAnswerTokens));
}

}  // namespace alfred::mcp
