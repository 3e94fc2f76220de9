// Tables and rows as resources, prompts to begin with, and completions of refs and table names.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/schema_json.h"
#include "surface/mcp/records/record_features.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kTables = "schema://tables";
constexpr std::string_view kTable = "schema://tables/";
constexpr std::string_view kRef = "ref://";
constexpr std::size_t kMostCompleted = 100;
constexpr std::string_view kJsonType = "application/json";

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '~';
}

std::string encoded(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (is_plain(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

JsonObject resource(std::string uri, std::string_view name, std::string_view what) {
  return {{"uri", std::move(uri)}, {"name", name}, {"description", what}, {"mimeType", kJsonType}};
}

McpOutcome content_of(const std::string& uri, const Result<std::string>& answer) {
  if (!answer)
    return RpcError{RpcCode::resource_missing, answer.error().message, JsonObject{{"uri", uri}}};
  return JsonObject{{"contents", JsonArray{JsonObject{
                                     {"uri", uri}, {"mimeType", kJsonType}, {"text", *answer}}}}};
}

struct PromptRow {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view argument;  // what it takes
  std::string_view meaning;
  std::string_view text;  // {} is the argument
};
constexpr PromptRow kPrompts[] = {
    {"explore", "Explore a table", "What a table holds, with examples", "table", "A table",
     "Look at the table {}: call schema for it, then db_read with a small limit. Say in a few "
     "sentences what its rows are, how they lead to other tables, and what I could ask about them. "
     "Name rows by their labels."},
    {"explain_row", "Explain a row", "All that is known of one row", "ref", "A ref such as book_1",
     "Read {} with db_read and its nested rows, and what its links lead to. Tell me what it is, in "
     "labels and not in refs."},
};

}  // namespace

JsonArray RecordFeatures::resources() {
  JsonArray all{resource(std::string(kTables), "tables", "All tables that may be used")};
  for (const Table& table : fresh_schema().tables())
    all.push_back(resource(std::string(kTable) + encoded(table.name), table.name,
                           "The columns, links and nested rows of a table"));
  return all;
}

JsonArray RecordFeatures::resource_templates() {
  return {JsonObject{{"uriTemplate", "ref://{ref}"},
                     {"name", "row"},
                     {"description", "A row that was shown, as it is now"},
                     {"mimeType", kJsonType}},
          JsonObject{{"uriTemplate", "schema://tables/{table}"},
                     {"name", "table"},
                     {"description", "The columns, links and nested rows of a table"},
                     {"mimeType", kJsonType}}};
}

Result<std::string> RecordFeatures::read_ref(std::string_view ref) {
  if (service_->workspace().registry().find(ref) == kNoEntity)  // another process may have given it
    if (Result<void> fresh = catch_up(); !fresh) return Unexpected(fresh.error());
  const RefRegistry& registry = service_->workspace().registry();
  const Result<EntityNo> entity = registry.resolve(ref, "");
  if (!entity) return Unexpected(entity.error());
  const Table* const table = service_->schema().find_ref(registry.type_of(*entity));
  if (table == nullptr) return fail(ErrorCode::table, "Rows of this table are not offered here.");
  const JsonObject params = engine_params({{"table", table->name}, {"refs", JsonArray{ref}}});
  return service_->call("db_read", params, OpId::random(random_));
}

McpOutcome RecordFeatures::read_resource(const std::string& uri, const CallScope&) {
  asked_ = uri;
  if (uri == kTables) return content_of(uri, schema_text(""));
  if (uri.starts_with(kRef)) return content_of(uri, read_ref(uri.substr(kRef.size())));
  if (uri.starts_with(kTable))
    for (const Table& table : fresh_schema().tables())
      if (uri == std::string(kTable) + encoded(table.name))
        return content_of(uri, schema_json(service_->schema(), table.name));
  return RpcError{
      RpcCode::resource_missing,
      "There is no such resource. resources/list and resources/templates/list name them.",
      JsonObject{{"uri", uri}}};
}

JsonArray RecordFeatures::prompts() {
  JsonArray all;
  for (const PromptRow& row : kPrompts)
    all.push_back(JsonObject{{"name", row.name},
                             {"title", row.title},
                             {"description", row.description},
                             {"arguments", JsonArray{JsonObject{{"name", row.argument},
                                                                {"description", row.meaning},
                                                                {"required", true}}}}});
  return all;
}

McpOutcome RecordFeatures::get_prompt(std::string_view name, const JsonObject& arguments,
                                      const CallScope&) {
  asked_ = write_json(arguments);
  for (const PromptRow& row : kPrompts) {
    if (row.name != name) continue;
    const JsonString* const given = text_member(arguments, row.argument);
    if (given == nullptr)
      return RpcError{RpcCode::invalid_params,
                      fmt::format("arguments.{} is a text.", row.argument)};
    std::string text(row.text);
    text.replace(text.find("{}"), 2, *given);
    return JsonObject{
        {"description", row.description},
        {"messages",
         JsonArray{JsonObject{{"role", "user"},
                              {"content", JsonObject{{"type", "text"}, {"text", text}}}}}}};
  }
  return RpcError{RpcCode::invalid_params, "There is no such prompt. prompts/list names them."};
}

std::vector<std::string> RecordFeatures::known_refs(std::string_view begin) const {
  const RefRegistry& registry = service_->workspace().registry();
  std::vector<std::string> found;
  for (EntityNo entity = registry.size(); entity-- > 0 && found.size() <= kMostCompleted;) {
    const Ref ref = registry.ref(entity);
    if (registry.status(entity) == RefStatus::deleted || !ref.text().starts_with(begin)) continue;
    if (service_->schema().find_ref(registry.type_of(entity)) != nullptr)
      found.emplace_back(ref.text());
  }
  return found;
}

std::vector<std::string> RecordFeatures::known_tables(std::string_view begin) const {
  std::vector<std::string> found;
  for (const Table& table : service_->schema().tables())
    if (std::string_view(table.name).starts_with(begin) && found.size() <= kMostCompleted)
      found.push_back(table.name);
  return found;
}

McpOutcome RecordFeatures::complete(const JsonObject& params) {
  asked_.clear();
  const JsonObject* const argument = object_member(params, "argument");
  const JsonString* const name = argument == nullptr ? nullptr : text_member(*argument, "name");
  const JsonString* const value = argument == nullptr ? nullptr : text_member(*argument, "value");
  if (object_member(params, "ref") == nullptr || name == nullptr || value == nullptr)
    return RpcError{RpcCode::invalid_params,
                    "params has ref and argument, which has a name and a value."};
  std::vector<std::string> found;
  if (*name == "ref" && catch_up()) found = known_refs(*value);
  if (*name == "table") found = known_tables(*value);
  const bool has_more = found.size() > kMostCompleted;
  if (has_more) found.resize(kMostCompleted);
  return JsonObject{{"completion", JsonObject{{"values", JsonArray(found.begin(), found.end())},
                                              {"hasMore", has_more}}}};
}

}  // namespace alfred::mcp
