// How the inbox is, what may go, timers and deliveries.
#include "surface/http/api/openapi.h"
#include "surface/http/inbox/inbox_route.h"

namespace alfred::http {
namespace {

Result<Json> inbox_health(Inbox& /*inbox*/, const RouteCall& /*call*/) {
  return JsonObject{{"ok", true}};
}
Result<Json> inbox_status(Inbox& inbox, const RouteCall& /*call*/) { return inbox.status(); }
Result<Json> describe_inbox(Inbox& /*inbox*/, const RouteCall& /*call*/) {
  return openapi("/inbox");
}
Result<Json> collect_old(Inbox& inbox, const RouteCall& /*call*/) { return inbox.gc(); }
Result<Json> list_dead(Inbox& inbox, const RouteCall& call) {
  const Result<inbox::ListPage> page = query_page(call);
  if (!page) return Unexpected(page.error());
  return inbox.dead(*page);
}

Result<Json> list_timers(Inbox& inbox, const RouteCall& call) {
  const Result<inbox::ListPage> page = query_page(call);
  if (!page) return Unexpected(page.error());
  return inbox.timers(call.text("agent_id"), *page);
}
Result<Json> add_timer(Inbox& inbox, const RouteCall& call, const Once& once) {
  return inbox.add_timer(call.body, once);
}
Result<Json> pause_timer(Inbox& inbox, const RouteCall& call) {
  return inbox.pause_timer(call.name("timer"));
}
Result<Json> resume_timer(Inbox& inbox, const RouteCall& call) {
  return inbox.resume_timer(call.name("timer"));
}
Result<Json> remove_timer(Inbox& inbox, const RouteCall& call) {
  return inbox.remove_timer(call.name("timer"));
}

Result<Json> deliver(Inbox& inbox, const RouteCall& call, const Once& once) {
  return inbox.deliver(call.body, once);
}
Result<Json> delivery_actions(Inbox& inbox, const RouteCall& call) {
  return inbox.delivery_actions(call.body);
}

std::vector<Route> timer_routes() {
  return {
      with_query(inbox_get("/inbox/timers", "list_timers", "Messages that agents get later.",
                           "InboxTimers", answer_inbox<list_timers>),
                 {"agent_id", "after", "limit"}),
      with_body(inbox_post("/inbox/timers", "add_timer", "Sends an agent a message later.",
                           "InboxTimer", answer_once<add_timer>),
                "InboxTimerRequest"),
      inbox_post("/inbox/timers/{timer}/pause", "pause_timer", "Stops a timer for a while.",
                 "InboxChangedTimer", answer_inbox<pause_timer>),
      inbox_post("/inbox/timers/{timer}/resume", "resume_timer", "Lets a timer go on.",
                 "InboxChangedTimer", answer_inbox<resume_timer>),
      with_method(inbox_post("/inbox/timers/{timer}", "remove_timer", "Removes a timer.",
                             "InboxRemoved", answer_inbox<remove_timer>),
                  "DELETE"),
  };
}

}  // namespace

std::vector<Route> upkeep_routes() {
  std::vector<Route> out{
      inbox_get("/inbox/healthz", "inbox_healthz", "Whether the inbox is served.", "InboxHealth",
                answer_inbox<inbox_health>),
      inbox_get("/inbox/status", "inbox_status", "What there is, counted and listed.",
                "InboxStatus", answer_inbox<inbox_status>),
      inbox_get("/inbox/openapi.json", "inbox_openapi", "The description of these paths.",
                "OpenApi", answer_inbox<describe_inbox>),
      inbox_post("/inbox/gc", "inbox_gc", "Removes what is old enough.", "InboxCollected",
                 answer_inbox<collect_old>),
      with_query(inbox_get("/inbox/dead", "list_dead", "Events that a filter failed on.",
                           "InboxDead", answer_inbox<list_dead>),
                 {"after", "limit"}),
      with_body(
          inbox_post("/inbox/deliveries/send", "send_delivery", "Sends a reply through a handle.",
                     "InboxDelivery", answer_once<deliver>),
          "InboxDeliveryRequest"),
      with_body(inbox_post("/inbox/deliveries/actions", "list_operations",
                           "What can be done through a handle.", "InboxOperations",
                           answer_inbox<delivery_actions>),
                "InboxHandle"),
      with_body(inbox_post("/inbox/deliveries/invoke", "invoke_delivery",
                           "Does one of these things.", "InboxDelivery", answer_once<deliver>),
                "InboxDeliveryRequest"),
  };
  out[0].is_open = true;
  const std::vector<Route> timers = timer_routes();
  out.insert(out.end(), timers.begin(), timers.end());
  return out;
}

}  // namespace alfred::http
