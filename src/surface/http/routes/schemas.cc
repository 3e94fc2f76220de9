// The JSON Schemas of what goes in and out over HTTP. The tests hold every answer of the running
// server against them.
#include "base/check.h"
#include "surface/http/api/openapi.h"

namespace alfred::http {
namespace {

constexpr std::string_view kSchemas = R"json({
"Nothing":{"type":"object","maxProperties":0},
"Error":{"type":"object","required":["error"],"additionalProperties":false,"properties":{
  "error":{"type":"object","required":["code","message"],"additionalProperties":false,"properties":{
    "code":{"type":"string"},"message":{"type":"string"},"path":{"type":"string"},
    "hint":{"type":"string"},"allowed":{"type":"array","items":{"type":"string"}}}}}},
"Health":{"type":"object","required":["status"],"properties":{
  "status":{"type":"string","enum":["ok","draining","unavailable"]},"reason":{"type":"string"}}},
"Session":{"type":"object","required":["id","title","pack","created_ms","updated_ms"],
  "additionalProperties":false,"properties":{
  "id":{"type":"string","pattern":"^ses_"},"title":{"type":"string"},"pack":{"type":"string"},
  "created_ms":{"type":"integer"},"updated_ms":{"type":"integer"},"turns":{"type":"integer"},
  "running":{"type":"string","pattern":"^trn_"}}},
"Sessions":{"type":"object","required":["sessions"],"additionalProperties":false,"properties":{
  "sessions":{"type":"array","items":{"$ref":"#/components/schemas/Session"}},
  "cursor":{"type":"string"}}},
"Export":{"type":"object","required":["session","turns","prompts","journal","state"],"properties":{
  "session":{"type":"object"},"turns":{"type":"array"},"prompts":{"type":"array"},
  "journal":{"type":"array"},"state":{"type":"object"}}},
"TurnRequest":{"type":"object","required":["message"],"additionalProperties":false,"properties":{
  "message":{"type":"string","minLength":1,"maxLength":65536,"description":"At most 65536 bytes of UTF-8, which may be fewer characters"},
  "interpreter":{"type":"string","description":"caller: the asks go out and the caller answers them; rules; else the server's own"}}},
"AnswerRequest":{"type":"object","required":["ask","text"],"additionalProperties":false,"properties":{
  "ask":{"type":"integer"},"text":{"type":"string"},
  "finish":{"type":"string","enum":["stop","length","refusal"]}}},
"ResumeRequest":{"type":"object","additionalProperties":false,"properties":{
  "interpreter":{"type":"string"}}},
"Ask":{"type":"object","required":["ask","node","attempt","prompt","system","user","schema"],
  "additionalProperties":false,"properties":{
  "ask":{"type":"integer"},"node":{"type":"string"},"attempt":{"type":"integer"},
  "step":{"type":"integer"},"prompt":{"type":"string","pattern":"^prm_"},
  "system":{"type":"string"},"user":{"type":"string"},
  "schema":{"type":["object","null"],"description":"What the answer has to follow; null: plain text"}}},
"Turn":{"type":"object","required":["id","number","status","message","reply","started_ms","ended_ms"],
  "additionalProperties":false,"properties":{
  "id":{"type":"string","pattern":"^trn_"},"session":{"type":"string","pattern":"^ses_"},
  "number":{"type":"integer"},
  "status":{"type":"string","enum":["running","waiting","finished","interrupted","failed"]},
  "message":{"type":"string"},"reply":{"type":"string"},"key":{"type":"string"},
  "is_wake_up":{"type":"boolean","description":"Nobody typed it: it came in by itself"},
  "started_ms":{"type":"integer"},"ended_ms":{"type":"integer"},
  "asks":{"type":"array","items":{"$ref":"#/components/schemas/Ask"}}}},
"Turns":{"type":"object","required":["turns"],"additionalProperties":false,"properties":{
  "turns":{"type":"array","items":{"$ref":"#/components/schemas/Turn"}}}},
"Journal":{"type":"object","required":["entries","place"],"additionalProperties":false,"properties":{
  "place":{"type":"integer"},
  "entries":{"type":"array","items":{"type":"object","required":["place","at_ms","hash","changes"],
    "additionalProperties":false,"properties":{"place":{"type":"integer"},"at_ms":{"type":"integer"},
    "hash":{"type":"string"},"changes":{"type":"array","items":{"type":"object","required":["change"]}}}}}}},
"Prompts":{"type":"object","required":["prompts"],"additionalProperties":false,"properties":{
  "prompts":{"type":"array","items":{"type":"object",
    "required":["id","turn","ask","attempt","node","system","user","schema","facts"],"properties":{
    "id":{"type":"string","pattern":"^prm_"},"turn":{"type":"string"},"ask":{"type":"integer"},
    "attempt":{"type":"integer"},"node":{"type":"string"},"system":{"type":"string"},
    "user":{"type":"string"},"step":{"type":"integer"},
    "schema":{"type":["object","null"],"description":"What the answer has to follow; null: plain text"},
    "facts":{"type":"object","description":"What the prompt's sections hold"}}}}}},
"WorkingSet":{"type":"object","required":["entities","artifacts"],"additionalProperties":false,"properties":{
  "entities":{"type":"array","items":{"type":"object",
    "required":["ref","type","label","tier","status","origin","turn_created","turn_last_ref"],
    "additionalProperties":false,"properties":{"ref":{"type":"string"},"type":{"type":"string"},
    "label":{"type":"string"},
    "tier":{"type":"string","enum":["active","generated","retained","background","archived"]},
    "status":{"type":"string"},"origin":{"type":"string","enum":["system","user"]},"why":{"type":"string"},"turn_created":{"type":"integer"},
    "turn_last_ref":{"type":"integer"}}}},
  "artifacts":{"type":"array","items":{"type":"object","required":["ref","type","label","content"]}}}},
"Batches":{"type":"object","required":["batches"],"additionalProperties":false,"properties":{
  "batches":{"type":"array","items":{"type":"object",
    "required":["id","table","items","total","complete","failed","pending"],"properties":{
    "id":{"type":"string","pattern":"^bat_"},"table":{"type":"string"},"items":{"type":"array"},
    "total":{"type":"integer"},"complete":{"type":"integer"},"failed":{"type":"integer"},
    "pending":{"type":"integer"}}}}}},
"Constraints":{"type":"object","additionalProperties":false,"properties":{
  "permanent":{"type":"array","items":{"type":"object"}},"active_goal":{"type":"object"}}},
"Known":{"type":"object","required":["turn","working_set","constraints","steps","batches"],
  "additionalProperties":false,"properties":{"turn":{"type":"integer"},
  "working_set":{"$ref":"#/components/schemas/WorkingSet"},
  "constraints":{"$ref":"#/components/schemas/Constraints"},
  "steps":{"type":"array","items":{"type":"object","required":["step_type","description","status"]}},
  "batches":{"type":"array","items":{"type":"object","required":["id","table","items","total"]}},
  "pending":{"type":"object","required":["type","context","questions"]},
  "ledger":{"type":"object"}}},
"Audit":{"type":"object","required":["entries","prompts","results","replies","findings"],
  "additionalProperties":false,"properties":{"entries":{"type":"integer"},"prompts":{"type":"integer"},
  "results":{"type":"integer"},"replies":{"type":"integer"},
  "findings":{"type":"array","items":{"type":"object","required":["turn","record","what"]}}}},
"Replay":{"type":"object","required":["turns","changes","prompts"],"additionalProperties":false,"properties":{
  "turns":{"type":"integer"},"changes":{"type":"integer"},"prompts":{"type":"integer"}}},
"Refs":{"type":"array","items":{"type":"string"},"description":"Only these rows; filters narrow them"},
"Filters":{"type":"array","items":{"type":"object"},
  "description":"{\"field\",\"op\",\"value\"}, or {\"any\":[…]}, {\"all\":[…]}: docs/records.md"},
"ReadCall":{"type":"object","required":["table"],"additionalProperties":false,"properties":{
  "table":{"type":"string"},"refs":{"$ref":"#/components/schemas/Refs"},"filters":{"$ref":"#/components/schemas/Filters"},
  "or_filters":{"$ref":"#/components/schemas/Filters"},
  "columns":{"type":"array","items":{"type":"string"}},
  "include":{"type":"array","items":{"type":"string"},"description":"Nested rows to bring along"},
  "order":{"type":"array","items":{"type":"object"},"description":"{\"field\",\"direction\":\"asc\"|\"desc\"}"},
  "limit":{"type":"integer"},"cursor":{"type":"string","description":"Of the page before"},
  "count":{"type":"boolean","description":"Also count all that match"}}},
"CreateCall":{"type":"object","required":["table","data"],"additionalProperties":false,"properties":{
  "table":{"type":"string"},"data":{"type":["array","object"],"description":"Rows, or one; links as refs"},
  "batch":{"type":"string","pattern":"^bat_"},"dry_run":{"type":"boolean"}}},
"UpdateCall":{"type":"object","required":["table","data"],"additionalProperties":false,
  "anyOf":[{"required":["refs"]},{"required":["filters"]}],"properties":{
  "table":{"type":"string"},"refs":{"$ref":"#/components/schemas/Refs"},"filters":{"$ref":"#/components/schemas/Filters"},
  "or_filters":{"$ref":"#/components/schemas/Filters"},
  "data":{"type":"object","description":"Columns and their new values"},
  "version":{"type":"string","description":"updated_at as it was read: refused if the row changed since"},
  "batch":{"type":"string","pattern":"^bat_"},"dry_run":{"type":"boolean"}}},
"DeleteCall":{"type":"object","required":["table"],"additionalProperties":false,
  "anyOf":[{"required":["refs"]},{"required":["filters"]}],"properties":{
  "table":{"type":"string"},"refs":{"$ref":"#/components/schemas/Refs"},
  "filters":{"$ref":"#/components/schemas/Filters"},
  "or_filters":{"$ref":"#/components/schemas/Filters"},"version":{"type":"string"},
  "batch":{"type":"string","pattern":"^bat_"},"dry_run":{"type":"boolean"}}},
"QueryCall":{"type":"object","required":["sql"],"additionalProperties":false,"properties":{
  "sql":{"type":"string","description":"One SELECT"},"limit":{"type":"integer"}}},
"Rows":{"type":"object","required":["rows"],"properties":{
  "rows":{"type":"array","items":{"type":"object"}},"has_more":{"type":"boolean"},
  "cursor":{"type":"string"},"count":{"type":"integer"},
  "labels":{"type":"object","description":"Of refs that rows lead to"},
  "truncated":{"type":"boolean"},"hint":{"type":"string"},
  "without_key":{"type":"integer","description":"Rows left out, since no ref can name them"},"key_hint":{"type":"string"},
  "collapsed":{"type":"integer","description":"Refs that stood in a list more than once"},
  "repaired":{"type":"array","items":{"type":"string"}}}},
"BatchDone":{"type":"object","required":["total","completed","failed","pending"],"properties":{
  "total":{"type":"integer"},"completed":{"type":"array","items":{"type":"object","required":["ref"],"properties":{
    "ref":{"type":"string"},"result":{"type":"string"}}}},
  "failed":{"type":"array","items":{"type":"object","required":["ref","error"],"properties":{
    "ref":{"type":"string"},"error":{"type":"string"}}}},
  "pending":{"type":"array","items":{"type":"string"}},"also_deleted":{"type":"object"},
  "also_updated":{"type":"object"},"dry_run":{"type":"boolean"}}},
"Created":{"anyOf":[{"$ref":"#/components/schemas/CreatedRows"},{"$ref":"#/components/schemas/BatchDone"}]},
"Updated":{"anyOf":[{"$ref":"#/components/schemas/UpdatedRows"},{"$ref":"#/components/schemas/BatchDone"}]},
"Deleted":{"anyOf":[{"$ref":"#/components/schemas/DeletedRows"},{"$ref":"#/components/schemas/BatchDone"}]},
"CreatedRows":{"type":"object","required":["created","count"],"properties":{
  "created":{"type":"array","items":{"type":"object","properties":{
    "ref":{"type":"string"},"label":{"type":"string"},"item":{"type":"string"},"nested":{"type":"object"}}}},
  "count":{"type":"integer"},"dry_run":{"type":"boolean"}}},
"UpdatedRows":{"type":"object","required":["updated","count"],"properties":{
  "updated":{"type":"array","items":{"type":"string"}},"count":{"type":"integer"},
  "no_match":{"type":"boolean"},"not_matched":{"type":"array","items":{"type":"string"}},
  "gone":{"type":"array","items":{"type":"string"},"description":"Of those, rows that are not there any more"},
  "repaired":{"type":"array","items":{"type":"string"}},"dry_run":{"type":"boolean"}}},
"DeletedRows":{"type":"object","required":["deleted","count"],"properties":{
  "deleted":{"type":"array","items":{"type":"object","properties":{
    "ref":{"type":"string"},"label":{"type":"string"}}}},"count":{"type":"integer"},
  "no_match":{"type":"boolean"},"not_matched":{"type":"array","items":{"type":"string"}},
  "gone":{"type":"array","items":{"type":"string"},"description":"Of those, rows that are not there any more"},
  "also_deleted":{"type":"object"},"also_updated":{"type":"object"},
  "repaired":{"type":"array","items":{"type":"string"}},"dry_run":{"type":"boolean"}}},
"Schema":{"type":"object","required":["tables"],"properties":{"tables":{"type":"array"}}},
"Packs":{"type":"object","required":["packs"],"additionalProperties":false,"properties":{
  "packs":{"type":"array","items":{"type":"object","required":["name","description","is_served"],
    "additionalProperties":false,"properties":{"name":{"type":"string"},"description":{"type":"string"},
    "is_served":{"type":"boolean"}}}}}},
"OpenApi":{"type":"object","required":["openapi","paths"]}
})json";

}  // namespace

Json api_schemas() {
  Result<Json> parsed = parse_json(kSchemas, JsonLimits::none());
  ALFRED_CHECK(parsed.has_value(), "the schemas are JSON");
  for (const auto& [name, schema] : inbox_schemas()) parsed->as_object()[name] = schema;
  return std::move(*parsed);
}

}  // namespace alfred::http
