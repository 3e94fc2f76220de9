// Tables and rows as resources.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/schema_json.h"
#include "surface/mcp/records/record_features.h"
#include "surface/mcp/visible/visible_json.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kTables = "schema://tables";
constexpr std::string_view kTable = "schema://tables/";
constexpr std::string_view kRef = "ref://";
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
  return JsonObject{
      {"contents", JsonArray{JsonObject{
                       {"uri", uri}, {"mimeType", kJsonType}, {"text", visible_json(*answer)}}}}};
}

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

Result<const Table*> RecordFeatures::table_of_ref(std::string_view ref) {
  if (service_->workspace().registry().find(ref) == kNoEntity)  // another process may have given it
    if (Result<void> fresh = catch_up(); !fresh) return Unexpected(fresh.error());
  const RefRegistry& registry = service_->workspace().registry();
  const Result<EntityNo> entity = registry.resolve(ref, "");
  if (!entity) return Unexpected(entity.error());
  const Table* const table = service_->schema().find_ref(registry.type_of(*entity));
  if (table == nullptr) return fail(ErrorCode::table, "Rows of this table are not offered here.");
  return table;
}

Result<std::string> RecordFeatures::read_ref(std::string_view ref) {
  const Result<const Table*> found = table_of_ref(ref);
  if (!found) return Unexpected(found.error());
  const Table* const table = *found;
  const JsonObject params = engine_params({{"table", table->name}, {"refs", JsonArray{ref}}});
  Result<std::string> answer = service_->call("db_read", params, OpId::random(random_));
  const Result<Json> json = answer ? parse_json(*answer, JsonLimits::none()) : Result<Json>(Json());
  const JsonObject* const object = json ? json->if_object() : nullptr;
  const Json* const rows = object == nullptr ? nullptr : object->if_contains("rows");
  if (rows != nullptr && rows->is_array() && rows->get_array().empty())
    return fail(ErrorCode::ref_unknown,
                fmt::format("The row of {} that {} stands for is not there any more. Read {} again "
                            "to see what is.",
                            table->name, ref, table->name));
  return answer;
}

// Nobody is told when a table changes.
bool RecordFeatures::may_be_watched(const std::string& uri) {
  return uri.starts_with(kRef) && table_of_ref(uri.substr(kRef.size())).has_value();
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

}  // namespace alfred::mcp
