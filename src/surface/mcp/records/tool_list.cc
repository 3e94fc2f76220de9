#include "surface/mcp/records/tool_list.h"

#include "base/check.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kInstructions =
    "Rows are named by refs such as book_1, never by database ids. A ref stands for the same row for "
    "ever. Use only refs that a tool has shown you; to change or link a row, read it first. Where a "
    "column is of type `ref X`, give a ref of that type. A word lit_ with a number stands for a "
    "value that is not shown; write it as it is to keep it, and so for \\u{200b}, a character that is "
    "not seen. Call schema first. Errors say what to do next.";

constexpr std::string_view kReads = R"json([
{"name":"schema","title":"Tables and columns",
 "description":"Tables, columns, enum values, links (type `ref X`) and nested rows that the other tools may use.",
 "inputSchema":{"type":"object","properties":{
  "table":{"type":"string","description":"Only this one"}},"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"tables":{"type":"array","items":{"type":"object"}}},"required":["tables"]},
 "annotations":{"readOnlyHint":true,"openWorldHint":false}},
{"name":"db_read","title":"Read rows",
 "description":"Rows of a table, in refs. Long results are cut at whole rows: go on with `cursor`, or narrow with columns and filters.",
 "inputSchema":{"type":"object","properties":{
  "table":{"type":"string"},
  "refs":{"type":"array","items":{"type":"string"},"description":"Only these rows"},
  "filters":{"type":"array","items":{"type":"object"},"description":"All hold. {\"field\",\"op\",\"value\"}, or {\"any\":[…]}, {\"all\":[…]}. op: = != > >= < <= between in not_in like ilike contains contains_any is_null is_not_null similar"},
  "or_filters":{"type":"array","items":{"type":"object"},"description":"At least one holds"},
  "columns":{"type":"array","items":{"type":"string"}},
  "include":{"type":"array","items":{"type":"string"},"description":"Nested rows to bring along"},
  "order":{"type":"array","items":{"type":"object"},"description":"{\"field\",\"direction\":\"asc\"|\"desc\"}"},
  "limit":{"type":"integer","minimum":1,"maximum":200,"description":"50 if not given"},
  "cursor":{"type":"string"},
  "count":{"type":"boolean","description":"Also count all that match"}},
  "required":["table"],"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object"}},"labels":{"type":"object"},"has_more":{"type":"boolean"},"cursor":{"type":"string"},"truncated":{"type":"boolean"},"hint":{"type":"string"}},"required":["rows"]},
 "annotations":{"readOnlyHint":true,"openWorldHint":false}},
{"name":"query","title":"Run a SELECT",
 "description":"One read-only SQL SELECT. Keys in the result become refs; refs mean nothing inside SQL.",
 "inputSchema":{"type":"object","properties":{
  "sql":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":200}},
  "required":["sql"],"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object"}},"truncated":{"type":"boolean"},"hint":{"type":"string"}},"required":["rows"]},
 "annotations":{"readOnlyHint":true,"openWorldHint":false}},
{"name":"working_set","title":"Known refs",
 "description":"Refs of this workspace with type, label, status and tier, newest first.",
 "inputSchema":{"type":"object","properties":{
  "type":{"type":"string","description":"Only refs of this type"},
  "limit":{"type":"integer","minimum":1,"maximum":200}},"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"refs":{"type":"array","items":{"type":"object"}},"has_more":{"type":"boolean"}},"required":["refs"]},
 "annotations":{"readOnlyHint":true,"openWorldHint":false}}
])json";

constexpr std::string_view kWrites = R"json([
{"name":"db_create","title":"Create rows",
 "description":"Creates rows, nested rows included; all or none, unless they are items of a batch.",
 "inputSchema":{"type":"object","properties":{
  "table":{"type":"string"},
  "data":{"type":"array","items":{"type":"object"},"description":"Rows; links as refs. In a batch each names its item: \"ref\""},
  "batch":{"type":"string","description":"bat_…"},
  "dry_run":{"type":"boolean","description":"Only say what would change"},
  "confirm":{"type":"string","description":"The code of a preview, once the user agreed"},
  "idempotency_key":{"type":"string","description":"The same key again changes nothing and gives the first answer"}},
  "required":["table","data"],"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"created":{"type":"array","items":{"type":"object"}},"count":{"type":"integer"},"dry_run":{"type":"boolean"}}},
 "annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}},
{"name":"db_update","title":"Change rows",
 "description":"Sets the same values in the rows that are named.",
 "inputSchema":{"type":"object","properties":{
  "table":{"type":"string"},
  "refs":{"type":"array","items":{"type":"string"}},
  "data":{"type":"object","description":"Columns and their new values"},
  "filters":{"type":"array","items":{"type":"object"},"description":"Narrow the refs further"},
  "version":{"type":"string","description":"updated_at as it was read: refused if the row changed since"},
  "batch":{"type":"string"},"dry_run":{"type":"boolean"},"confirm":{"type":"string"},"idempotency_key":{"type":"string"}},
  "required":["table","refs","data"],"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"updated":{"type":"array","items":{"type":"string"}},"count":{"type":"integer"},"dry_run":{"type":"boolean"}}},
 "annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}},
{"name":"db_delete","title":"Delete rows",
 "description":"Deletes the rows that are named, and what belongs to them.",
 "inputSchema":{"type":"object","properties":{
  "table":{"type":"string"},
  "refs":{"type":"array","items":{"type":"string"}},
  "filters":{"type":"array","items":{"type":"object"}},
  "version":{"type":"string"},
  "batch":{"type":"string"},"dry_run":{"type":"boolean"},"confirm":{"type":"string"},"idempotency_key":{"type":"string"}},
  "required":["table","refs"],"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"deleted":{"type":"array","items":{"type":"object"}},"count":{"type":"integer"},"dry_run":{"type":"boolean"}}},
 "annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}},
{"name":"batch","title":"Batches",
 "description":"A batch is a list of items that each end complete or failed. declare it (table, items), send its rows with db_create and `batch`, look at its status, retry what failed, finish it: then what failed is left so. Nothing finishes while items are open.",
 "inputSchema":{"type":"object","properties":{
  "action":{"type":"string","enum":["declare","status","retry","finish"]},
  "batch":{"type":"string","description":"bat_…, but for declare"},
  "table":{"type":"string"},
  "items":{"type":"array","items":{"type":"string"},"description":"Names of your own, or refs; for retry, failed items whose rows you corrected; for status, only these"},
  "cursor":{"type":"string","description":"For status: go on"},
  "idempotency_key":{"type":"string"}},
  "required":["action"],"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"id":{"type":"string"},"items":{"type":"array","items":{"type":"object"}}}},
 "annotations":{"readOnlyHint":false,"destructiveHint":false,"openWorldHint":false}}
])json";

JsonArray parsed(std::string_view text) {
  Result<Json> list = parse_json(text, JsonLimits::none());
  ALFRED_CHECK(list.has_value(), "the list of tools is JSON");
  return std::move(list->as_array());
}

}  // namespace

JsonArray record_tools(bool is_read_only) {
  JsonArray tools = parsed(kReads);
  if (is_read_only) return tools;
  for (Json& tool : parsed(kWrites)) tools.push_back(std::move(tool));
  return tools;
}

std::string_view record_instructions() { return kInstructions; }

}  // namespace alfred::mcp
