// Records in refs, for people: what is changed here is the user's own doing, and the next turn
// knows it. Packs.
#include <algorithm>

#include "base/decimal.h"
#include "engine/schema_json.h"
#include "pack/pack.h"
#include "records/filter/named_refs.h"
#include "surface/http/api/open_session.h"

namespace alfred::http {
namespace {

// Reads need no key, and a dry run does not use its key up.
bool uses_key(const RouteCall& call) {
  const Json* const dry = call.body.get_object().if_contains("dry_run");
  return call.route->is_keyed && (dry == nullptr || !dry->is_bool() || !dry->get_bool());
}

// `refs` are the first of the filters.
Result<Json> with_refs(const Json& body) {
  const JsonObject* const given = body.if_object();
  const Json* const refs = given == nullptr ? nullptr : given->if_contains("refs");
  if (refs == nullptr) return body;
  const bool are_texts =
      refs->is_array() && std::all_of(refs->get_array().begin(), refs->get_array().end(),
                                      [](const Json& one) { return one.is_string(); });
  if (!are_texts) return fail(ErrorCode::schema, "refs is a list of refs.", "refs");
  if (given->contains("batch"))
    return fail(ErrorCode::schema, "In a batch each row of data names its item. Leave refs out.",
                "refs");
  const Json* const more = given->if_contains("filters");
  if (more != nullptr && !more->is_array() && !more->is_null())
    return fail(ErrorCode::schema, "filters is a list of filters.", "filters");
  return Json(with_ref_filter(*given));
}

// The path as the call had it, and what it may have.
Error with_given_path(Error error, const Json& body) {
  const JsonObject* const given = body.if_object();
  const auto filters = std::find(error.allowed.begin(), error.allowed.end(), "filters");
  if (error.path.empty() && filters != error.allowed.end()) error.allowed.insert(filters, "refs");
  if (given != nullptr) error.path = path_as_given(std::move(error.path), *given);
  return error;
}

Result<HttpResponse> call_tool(Api& api, const RouteCall& call, std::string_view tool) {
  // Of the text: what was read of it has been rounded already.
  if (Result<void> kept = check_digits(call.request.body); !kept)
    return Unexpected(std::move(kept).error());
  const auto session = open_session(api, call.name("session"));
  if (!session) return Unexpected(session.error());
  const Result<OpId> op = uses_key(call) ? op_of(api, call) : OpId::random(api.world().random);
  if (!op) return Unexpected(op.error());
  RecordService& records = (*session)->records();
  const bool takes_refs = tool != "query" && tool != "db_create";
  const Result<Json> params = takes_refs ? with_refs(call.body) : Result<Json>(call.body);
  if (!params) return Unexpected(params.error());
  Result<std::string> answer = tool == "query"     ? records.query(*params)
                               : tool == "db_read" ? records.call(tool, *params, *op)
                                                   : records.user_call(tool, *params, *op);
  if (!answer) return Unexpected(with_given_path(std::move(answer).error(), call.body));
  return json_text(std::move(*answer));
}

Result<HttpResponse> read(Api& api, const RouteCall& call) {
  return call_tool(api, call, "db_read");
}
Result<HttpResponse> create(Api& api, const RouteCall& call) {
  return call_tool(api, call, "db_create");
}
Result<HttpResponse> update(Api& api, const RouteCall& call) {
  return call_tool(api, call, "db_update");
}
Result<HttpResponse> remove(Api& api, const RouteCall& call) {
  return call_tool(api, call, "db_delete");
}
Result<HttpResponse> query(Api& api, const RouteCall& call) {
  return call_tool(api, call, "query");
}

Result<HttpResponse> schema(Api& api, const RouteCall& call) {
  const RecordPlace& place = api.world().place;
  const Result<std::shared_ptr<const Schema>> now =
      place.live ? place.live->now() : Result<std::shared_ptr<const Schema>>(place.schema);
  Result<std::string> text = schema_json(now ? **now : *place.schema, call.text("table"));
  if (!text) return Unexpected(std::move(text).error());
  return json_text(std::move(*text));
}

Result<HttpResponse> packs(Api& api, const RouteCall& /*call*/) {
  const Pack& served = *api.world().place.pack;
  JsonArray out;
  out.push_back(
      JsonObject{{"name", served.name}, {"description", served.description}, {"is_served", true}});
  for (const std::string& name : embedded_packs()) {
    if (name == served.name) continue;
    const Result<Pack> pack = load_embedded_pack(name);
    if (!pack) return Unexpected(pack.error());
    out.push_back(
        JsonObject{{"name", name}, {"description", pack->description}, {"is_served", false}});
  }
  return json_response(JsonObject{{"packs", std::move(out)}});
}

struct Called {
  std::string_view body;
  std::string_view answer;
};

Route record(std::string_view path, std::string_view id, std::string_view says, Called schemas,
             Result<HttpResponse> (*run)(Api&, const RouteCall&)) {
  return {.method = "POST",
          .path = path,
          .id = id,
          .says = says,
          .answer = schemas.answer,
          .run = run,
          .body = schemas.body};
}

}  // namespace

std::vector<Route> record_routes() {
  std::vector<Route> out{
      record("/v1/sessions/{session}/records/read", "read_records", "Reads rows, in refs.",
             {"ReadCall", "Rows"}, read),
      record("/v1/sessions/{session}/records/create", "create_records",
             "Creates rows, nested rows included.", {"CreateCall", "Created"}, create),
      record("/v1/sessions/{session}/records/update", "update_records",
             "Changes rows that are named by their refs.", {"UpdateCall", "Updated"}, update),
      record("/v1/sessions/{session}/records/delete", "delete_records",
             "Deletes rows that are named by their refs.", {"DeleteCall", "Deleted"}, remove),
      record("/v1/sessions/{session}/records/query", "query_records",
             "Runs one read-only SELECT; keys in the result become refs.", {"QueryCall", "Rows"},
             query),
      {.method = "GET",
       .path = "/v1/schema",
       .id = "get_schema",
       .says = "The tables that records may be of, their columns and links; no keys.",
       .answer = "Schema",
       .run = schema,
       .query = {"table"}},
      {.method = "GET",
       .path = "/v1/packs",
       .id = "list_packs",
       .says = "The pack that is served, and those that are part of the program.",
       .answer = "Packs",
       .run = packs},
  };
  for (Route& route : out)  // what only reads may be asked as often as one likes
    route.is_keyed = route.id != "read_records" && route.id != "query_records";
  return out;
}

}  // namespace alfred::http
