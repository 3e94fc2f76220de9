#include "surface/mcp/records/record_features.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/json/whole_number.h"
#include "base/keyed_random.h"
#include "base/quoted_text.h"
#include "context/token_estimate.h"
#include "engine/schema_json.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"
#include "surface/mcp/records/answer_budget.h"
#include "surface/mcp/records/argument_check.h"
#include "surface/mcp/records/tool_list.h"
#include "surface/mcp/visible/visible_json.h"

namespace alfred::mcp {
namespace {

constexpr std::uint32_t kTierWindow = 2;

std::size_t rows_in(const Json& answer) {
  const JsonObject* const object = answer.if_object();
  const Json* const rows = object == nullptr ? nullptr : object->if_contains("rows");
  return rows != nullptr && rows->is_array() ? rows->get_array().size() : 0;
}

// SQL is taken as it is; all else may have been shown here before.
bool is_restored(const JsonObject::value_type& argument) {
  return argument.key() != "sql" && has_shown(argument.value());
}

}  // namespace

Result<std::string> visible_answer(Result<std::string> answer) {
  if (answer) *answer = visible_json(std::move(*answer));
  return answer;
}

RecordLimits model_limits() {
  RecordLimits limits;
  limits.read_bytes = RecordFeatures::kMostAnswerBytes;
  // What is written fits into an answer.
  limits.text_bytes = RecordFeatures::kMostAnswerBytes - 4096;
  limits.json_bytes = limits.text_bytes;
  return limits;
}

RecordFeatures::RecordFeatures(std::unique_ptr<RecordService> service, RecordServerOptions options,
                               Random& random)
    : service_(std::move(service)),
      options_(std::move(options)),
      texts_(options_.texts, service_->pack()),
      random_(random),
      tools_(record_tools(options_.is_read_only)) {
  if (!options_.codes) options_.codes = std::make_shared<ApprovalCodes>(random);
  card_.name = "alfred";
  card_.title = "Alfred: records in refs";
  card_.version = ALFRED_VERSION;
  card_.instructions = std::string(record_instructions());
  card_.capabilities = {{"tools", JsonObject()},
                        {"resources", JsonObject{{"subscribe", true}}},
                        {"prompts", JsonObject()},
                        {"completions", JsonObject()}};
}

bool RecordFeatures::may_leave(std::string_view text) {
  const Schema& schema = service_->schema();
  if (worded_ != &schema) {
    guard_.reset();
    own_words_.emplace(schema, std::vector<std::string>{write_json(tools_), card_.instructions,
                                                        write_json(RecordFeatures::prompts())});
    worded_ = &schema;
  }
  if (!guard_ || guarded_place_ != place()) {
    guard_.emplace(service_->workspace().registry(), std::vector<std::string>(), &*own_words_);
    guarded_place_ = place();
  }
  own_words_->hear(asked_);
  return guard_->check(text, "message").has_value();
}

const JsonObject* RecordFeatures::find_tool(std::string_view name) const {
  const auto found = std::find_if(tools_.begin(), tools_.end(), [&](const Json& tool) {
    return std::string_view(tool.at("name").as_string()) == name;
  });
  return found == tools_.end() ? nullptr : &found->get_object();
}

McpOutcome RecordFeatures::call_tool(std::string_view name, const JsonObject& given,
                                     const CallScope& scope) {
  const JsonObject* const tool = find_tool(name);
  if (tool == nullptr)
    return RpcError{
        RpcCode::invalid_params,
        fmt::format("There is no tool {} here. tools/list names them.", quoted_text(name))};
  done_.clear();
  asked_.clear();
  McpOutcome outcome = run_tool(*tool, given, scope);
  if (std::holds_alternative<WrittenResult>(outcome)) return outcome;
  guard_.reset();
  asked_ = write_json(given);
  return outcome;
}

void RecordFeatures::distrust() {
  guard_.reset();
  service_->distrust();
}

Result<void> RecordFeatures::catch_up() {
  guard_.reset();
  return service_->catch_up();
}

McpOutcome RecordFeatures::run_tool(const JsonObject& tool, const JsonObject& given,
                                    const CallScope& scope) {
  const std::string_view name = tool.at("name").as_string();
  // Models say null for what they leave out, and one row for a list.
  const bool has_null = std::any_of(given.begin(), given.end(),
                                    [](const auto& one) { return one.value().is_null(); });
  const bool has_row = name == "db_create" && object_member(given, "data") != nullptr;
  const bool has_escape = std::any_of(given.begin(), given.end(), is_restored);
  JsonObject meant;
  if (has_null || has_row || has_escape)
    for (const auto& member : given) {
      if (member.value().is_null()) continue;
      Json& value = meant[member.key()] = member.value();
      if (is_restored(member)) restore_shown(value);
    }
  if (has_row) meant["data"] = JsonArray{meant["data"]};
  const JsonObject& arguments = has_null || has_row || has_escape ? meant : given;
  if (Result<void> fits = check_arguments(tool.at("inputSchema").as_object(), arguments); !fits)
    return tool_error(fits.error(), {});
  if (name == "db_create" || name == "db_update" || name == "db_delete")
    return write(name, arguments, scope);
  const Result<std::string> answer = read_tool(name, arguments);
  if (answer) return tool_result(*answer);
  return tool_error(answer.error(), arguments);
}

const Schema& RecordFeatures::fresh_schema() {
  (void)service_->renew_schema();  // else the last one that was read still counts
  return service_->schema();
}

Result<std::string> RecordFeatures::schema_text(std::string_view table) {
  Result<std::string> whole = schema_json(fresh_schema(), table);
  if (!whole || !table.empty() || estimate_tokens(*whole) <= kAnswerTokens) return whole;
  JsonArray names;
  std::size_t bytes = 0;
  bool is_cut = false;
  for (const Table& one : service_->schema().tables()) {
    bytes += one.name.size() + one.ref.size() + 32;
    is_cut = bytes > kMostAnswerBytes;
    if (is_cut) break;
    names.push_back(JsonObject{{"table", one.name}, {"ref", one.ref}});
  }
  return write_json(JsonObject{
      {"tables", std::move(names)},
      {"truncated", true},
      {"hint", is_cut ? "not all tables fit into an answer, and no columns; call schema "
                        "with a table, or have the server started with --tables"
                      : "only names are shown; call schema with a table for its columns"}});
}

Result<std::string> RecordFeatures::read_tool(std::string_view name, const JsonObject& arguments) {
  if (name == "schema") {
    const JsonString* const table = text_member(arguments, "table");
    return visible_answer(schema_text(table == nullptr ? "" : std::string_view(*table)));
  }
  if (name == "db_read")
    return within_budget(engine_params(arguments), [&](const Json& params) {
      return visible_answer(service_->call("db_read", params, OpId::random(random_)));
    });
  if (name == "query")
    return within_budget(
        arguments, [&](const Json& params) { return visible_answer(service_->query(params)); });
  return visible_answer(name == "batch" ? batch(arguments) : working_set(arguments));
}

Result<std::string> RecordFeatures::within_budget(
    Json params, const std::function<Result<std::string>(const Json&)>& read) {
  for (bool is_cut = false;; is_cut = true) {
    Result<std::string> answer = read(params);
    if (!answer) return answer;
    // No byte is more than a token.
    const std::size_t tokens = answer->size() <= kAnswerTokens ? 0 : estimate_tokens(*answer);
    if (tokens <= kAnswerTokens && !is_cut) return answer;
    Result<Json> json = parse_json(*answer, JsonLimits::none());
    if (!json) return answer;
    const std::size_t rows = rows_in(*json);
    if (tokens > kAnswerTokens && rows > 1) {
      params.get_object()["limit"] = static_cast<std::int64_t>(
          std::clamp<std::size_t>(rows * kAnswerTokens / tokens, 1, rows - 1));
      continue;
    }
    if (!is_cut) return answer;
    JsonObject& object = json->get_object();
    object["truncated"] = true;
    object["hint"] = fmt::format(
        "only {} rows fit into {} tokens; {}narrow it with fewer columns or more conditions", rows,
        kAnswerTokens, object.contains("cursor") ? "go on with the cursor, or " : "");
    return write_json(*json);
  }
}

OpId RecordFeatures::op_of(const JsonObject& arguments) {
  const JsonString* const key = text_member(arguments, "idempotency_key");
  if (key == nullptr) return OpId::random(random_);
  // The same key names the same operation, in this workspace and for ever.
  const std::string name =
      fmt::format("{}\n{}", service_->workspace().id().view(), std::string_view(*key));
  const Result<KeyedRandom::Key> seed = KeyedRandom::key_from_text(content_digest(name));
  if (!seed) return OpId::random(random_);
  KeyedRandom drawn(*seed);
  return OpId::random(drawn);
}

Result<std::string> RecordFeatures::batch(const JsonObject& arguments) {
  const JsonString& action = arguments.at("action").as_string();
  const JsonString* const cursor = text_member(arguments, "cursor");
  BatchPart part;
  if (const Json* const named = arguments.if_contains("items"))
    for (const Json& item : named->as_array()) part.items.emplace_back(item.as_string());
  Result<std::string> answer = batch_action(action, arguments, part.items);
  if (!answer) return answer;
  if (action != "status") part.items.clear();
  if (action == "status" && cursor != nullptr) part.cursor = *cursor;
  return fitting_batch(std::move(*answer), kAnswerTokens, part);
}

Result<std::string> RecordFeatures::batch_action(std::string_view action,
                                                 const JsonObject& arguments,
                                                 const std::vector<std::string>& items) {
  if (action != "status" && arguments.contains("cursor"))
    return fail(ErrorCode::schema, "Only action status goes on with a cursor. Leave it out.",
                "cursor");
  const JsonString* const id = text_member(arguments, "batch");
  if (action == "declare") {
    JsonObject params = arguments;
    for (const std::string_view own : {"action", "idempotency_key"}) params.erase(own);
    return service_->declare_batch(params, op_of(arguments));
  }
  if (id == nullptr) return fail(ErrorCode::schema, "Name the batch: bat_….", "batch");
  if (action == "status") return service_->batch_status(*id);
  if (action == "finish") return service_->finish_batch(*id, op_of(arguments));
  return service_->retry_batch(*id, op_of(arguments), items);
}

Result<std::string> RecordFeatures::working_set(const JsonObject& arguments) {
  if (Result<void> fresh = service_->catch_up(); !fresh) return Unexpected(fresh.error());
  const SessionState& state = service_->workspace().state();
  const RefRegistry& registry = state.registry;
  const JsonString* const type = text_member(arguments, "type");
  const Json* const given = arguments.if_contains("limit");
  const std::size_t limit =
      given == nullptr ? 50 : static_cast<std::size_t>(whole_number(*given).value_or(50));
  KeyPieces pieces(registry.keys());
  JsonArray refs;
  bool has_more = false;
  for (EntityNo entity = registry.size(); entity-- > 0 && !has_more;) {
    if (type != nullptr && registry.type_of(entity) != std::string_view(*type)) continue;
    if (service_->schema().find_ref(registry.type_of(entity)) == nullptr) continue;
    has_more = refs.size() >= limit;
    if (has_more) break;
    const Tier tier = tier_of(registry, state.facts.working_set, entity, kTierWindow);
    refs.push_back(JsonObject{{"ref", registry.ref(entity).text()},
                              {"type", registry.type_of(entity)},
                              {"label", shown_label(registry, entity, pieces)},
                              {"status", status_name(registry.status(entity))},
                              {"tier", Named<Tier>::names[static_cast<std::size_t>(tier)]}});
  }
  return fitting_refs({{"refs", std::move(refs)}, {"has_more", has_more}}, kAnswerTokens);
}

}  // namespace alfred::mcp
