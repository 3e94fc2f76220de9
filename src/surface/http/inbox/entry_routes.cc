// An agent's inbox: what it reads, acks and is sent.
#include "surface/http/inbox/inbox_route.h"

namespace alfred::http {
namespace {

Result<Json> show_inbox(Inbox& inbox, const RouteCall& call) {
  return inbox.inbox(call.plain_name("agent"));
}
Result<inbox::ReadEntries> asked_entries(const RouteCall& call) {
  const Result<std::int64_t> limit = query_limit(call);
  if (!limit) return Unexpected(limit.error());
  const Result<bool> with_acked = query_flag(call, "include_acked");
  if (!with_acked) return Unexpected(with_acked.error());
  return inbox::ReadEntries{call.text("after_entry_id"), *with_acked, *limit};
}
Result<Json> read_entries(Inbox& inbox, const RouteCall& call) {
  const Result<inbox::ReadEntries> read = asked_entries(call);
  if (!read) return Unexpected(read.error());
  return inbox.entries(call.plain_name("agent"), *read);
}
bool asks_for_few(const RouteCall& call) {
  const Result<inbox::ReadEntries> read = asked_entries(call);
  return read && read->asks_for_few();
}
Result<JointCall> joint_read(Api& api, const RouteCall& call) {
  const Result<InboxDoor*> door = inbox_door(api, call);
  if (!door) return Unexpected(door.error());
  Result<inbox::ReadEntries> read = asked_entries(call);
  if (!read) return Unexpected(read.error());
  return JointCall{JointCall::Kind::read, call.plain_name("agent"), call.body, std::move(*read)};
}
Result<Json> send_message(Inbox& inbox, const RouteCall& call, const Once& once) {
  return inbox.send(call.plain_name("agent"), call.body, once);
}
Result<Json> ack_entries(Inbox& inbox, const RouteCall& call) {
  return inbox.ack(call.plain_name("agent"), call.body);
}
Result<Json> show_policy(Inbox& inbox, const RouteCall& call) {
  return inbox.policy(call.plain_name("agent"));
}
Result<Json> set_policy(Inbox& inbox, const RouteCall& call) {
  return inbox.set_policy(call.plain_name("agent"), call.body);
}
Result<Json> compact(Inbox& inbox, const RouteCall& call) {
  return inbox.compact(call.plain_name("agent"));
}

}  // namespace

std::vector<Route> entry_routes() {
  std::vector<Route> out{
      inbox_get("/inbox/agents/{agent}/inbox", "get_inbox", "An agent's inbox, counted.",
                "InboxDetails", answer_inbox<show_inbox>),
      with_others(
          with_query(inbox_get("/inbox/agents/{agent}/inbox/entries", "read_entries",
                               "What there is to read, the oldest first. Reading changes nothing.",
                               "InboxEntries", answer_inbox<read_entries>),
                     {"after_entry_id", "include_acked", "limit"}),
          Lane::between, joint_read),
      with_query(inbox_get("/inbox/agents/{agent}/inbox/watch", "watch_entries",
                           "The same as server-sent events: `items` with what there is, then with "
                           "what comes, and `heartbeat`.",
                           "", watch_entries),
                 {"after_entry_id", "include_acked", "heartbeat_ms"}),
      with_body(inbox_post("/inbox/agents/{agent}/inbox/items", "send_message",
                           "Puts a message into an agent's inbox.", "InboxSent",
                           answer_once<send_message>),
                "InboxMessage"),
      with_others(with_body(inbox_post("/inbox/agents/{agent}/inbox/ack", "ack_entries",
                                       "Says that the agent has dealt with entries.", "InboxAcked",
                                       answer_inbox<ack_entries>),
                            "InboxAck"),
                  Lane::together, joint_call<JointCall::Kind::ack>),
      inbox_get("/inbox/agents/{agent}/inbox/policy", "get_policy", "How an inbox groups events.",
                "InboxPolicy", answer_inbox<show_policy>),
      with_body(inbox_post("/inbox/agents/{agent}/inbox/policy", "set_policy",
                           "Changes how an inbox groups events.", "InboxPolicy",
                           answer_inbox<set_policy>),
                "InboxPolicyChange"),
      inbox_post("/inbox/agents/{agent}/inbox/compact", "compact_inbox",
                 "Removes what is acked and old enough.", "InboxCompacted", answer_inbox<compact>),
  };
  out[1].is_short = asks_for_few;
  out[2].streams = true;
  return out;
}

}  // namespace alfred::http
