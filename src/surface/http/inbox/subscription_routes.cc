// Subscriptions, and where their consumers stand.
#include "surface/http/inbox/inbox_route.h"

namespace alfred::http {
namespace {

Result<Json> list_subscriptions(Inbox& inbox, const RouteCall& call) {
  const Result<inbox::ListPage> page = query_page(call);
  if (!page) return Unexpected(page.error());
  return inbox.subscriptions({call.text("source_id"), call.text("agent_id"), *page});
}
Result<Json> subscribe(Inbox& inbox, const RouteCall& call, const Once& once) {
  return inbox.subscribe(call.body, once);
}
Result<Json> follow(Inbox& inbox, const RouteCall& call, const Once& once) {
  return inbox.follow(call.body, once);
}
Result<Json> show_subscription(Inbox& inbox, const RouteCall& call) {
  return inbox.subscription(call.name("subscription"));
}
Result<Json> remove_subscription(Inbox& inbox, const RouteCall& call) {
  return inbox.unsubscribe(call.name("subscription"));
}
Result<Json> poll_subscription(Inbox& inbox, const RouteCall& call) {
  return inbox.poll(call.name("subscription"));
}
Result<Json> show_lag(Inbox& inbox, const RouteCall& call) {
  return inbox.lag(call.name("subscription"));
}
Result<Json> reset_subscription(Inbox& inbox, const RouteCall& call) {
  return inbox.reset(call.name("subscription"), call.body);
}

}  // namespace

std::vector<Route> subscription_routes() {
  return {
      with_query(inbox_get("/inbox/subscriptions", "list_subscriptions", "Who reads what.",
                           "InboxSubscriptions", answer_inbox<list_subscriptions>),
                 {"source_id", "agent_id", "after", "limit"}),
      with_body(inbox_post("/inbox/subscriptions", "subscribe", "Lets an agent read a source.",
                           "InboxSubscription", answer_once<subscribe>),
                "InboxSubscribe"),
      with_body(
          inbox_post("/inbox/follow", "follow",
                     "Lets an agent read what a template names: a repository, a pull request, "
                     "an issue.",
                     "InboxFollowed", answer_once<follow>),
          "InboxFollow"),
      inbox_get("/inbox/subscriptions/{subscription}", "get_subscription",
                "A subscription, its source, its consumer and its lag.", "InboxSubscriptionDetails",
                answer_inbox<show_subscription>),
      with_method(
          inbox_post("/inbox/subscriptions/{subscription}", "unsubscribe",
                     "Removes a subscription.", "InboxRemoved", answer_inbox<remove_subscription>),
          "DELETE"),
      inbox_post("/inbox/subscriptions/{subscription}/poll", "poll_subscription", "Reads on now.",
                 "InboxPolled", answer_inbox<poll_subscription>),
      inbox_get("/inbox/subscriptions/{subscription}/lag", "get_lag", "How far it is behind.",
                "InboxLag", answer_inbox<show_lag>),
      with_body(inbox_post("/inbox/subscriptions/{subscription}/reset", "reset_subscription",
                           "Puts its consumer at another place, and keeps a note of that.",
                           "InboxReset", answer_inbox<reset_subscription>),
                "InboxResetRequest"),
  };
}

}  // namespace alfred::http
