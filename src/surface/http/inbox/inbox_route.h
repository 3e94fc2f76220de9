// A route of the inbox: one call of Inbox, with its request and its answer as they are.
//
// R1 a parameter of the query that the route does not have is refused, and so is a body where none is read.
// R2 a GET calls what only reads.
// R3 what would be done twice takes an Idempotency-Key (G13).
#pragma once

#include "surface/http/api/api.h"
#include "surface/http/inbox/inbox_door.h"

namespace alfred::http {

using InboxCall = Result<Json> (*)(Inbox&, const RouteCall&);

// R1, and that there is an inbox. Errors: schema, request.
Result<InboxDoor*> inbox_door(const Api& api, const RouteCall& call);

template <InboxCall Call>
Result<HttpResponse> answer_inbox(Api& api, const RouteCall& call) {
  const Result<InboxDoor*> door = inbox_door(api, call);
  if (!door) return Unexpected(door.error());
  const Result<Json> answer = Call((*door)->inbox, call);
  if (!answer) return Unexpected(answer.error());
  return json_response(*answer);
}

// The same for an append or an ack, which is written together with others.
template <JointCall::Kind Kind>
Result<JointCall> joint_call(Api& api, const RouteCall& call) {
  const Result<InboxDoor*> door = inbox_door(api, call);
  if (!door) return Unexpected(door.error());
  std::string of = Kind == JointCall::Kind::append ? call.name("source") : call.plain_name("agent");
  return JointCall{Kind, std::move(of), call.body};
}
inline Route with_others(Route route, Lane lane,
                         Result<JointCall> (*joint)(Api&, const RouteCall&)) {
  route.lane = lane;
  route.joint = joint;
  return route;
}

using KeyedCall = Result<Json> (*)(Inbox&, const RouteCall&, const Once&);

// The caller's Idempotency-Key as the inbox takes it; none: it may be done again. Error: request.
Result<Once> once_of(const Api& api, const RouteCall& call);

// The same for what would otherwise be done again when it is asked for again.
template <KeyedCall Call>
Result<HttpResponse> answer_once(Api& api, const RouteCall& call) {
  const Result<InboxDoor*> door = inbox_door(api, call);
  if (!door) return Unexpected(door.error());
  const Result<Once> once = once_of(api, call);
  if (!once) return Unexpected(once.error());
  const Result<Json> answer = Call((*door)->inbox, call, *once);
  if (!answer) return Unexpected(answer.error());
  return json_response(*answer);
}

// A yes or no of the query: true, false, 1 or 0. Error: value.
Result<bool> query_flag(const RouteCall& call, std::string_view key);
// ?limit, 1 to 1000; 100 when not given. Error: value.
Result<std::int64_t> query_limit(const RouteCall& call);
// ?after and ?limit of a list. Error: value.
Result<inbox::ListPage> query_page(const RouteCall& call);

Route inbox_get(std::string_view path, std::string_view id, std::string_view says,
                std::string_view answer, Result<HttpResponse> (*run)(Api&, const RouteCall&));
Route inbox_post(std::string_view path, std::string_view id, std::string_view says,
                 std::string_view answer, Result<HttpResponse> (*run)(Api&, const RouteCall&));
inline Route with_query(Route route, std::vector<std::string_view> query) {
  route.query = std::move(query);
  return route;
}
inline Route with_body(Route route, std::string_view body) {
  route.body = body;
  return route;
}
// An event, which is not to be lost for one of its numbers.
inline Route with_event(Route route, std::string_view body) {
  route.rounds_wide_integers = true;
  return with_body(std::move(route), body);
}
inline Route with_method(Route route, std::string_view method) {
  route.method = method;
  return route;
}

std::vector<Route> agent_routes();
std::vector<Route> source_routes();
std::vector<Route> subscription_routes();
std::vector<Route> entry_routes();
std::vector<Route> upkeep_routes();
Result<HttpResponse> watch_entries(Api& api, const RouteCall& call);

}  // namespace alfred::http
