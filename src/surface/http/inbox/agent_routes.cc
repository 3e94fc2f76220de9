// Agents, and the targets that wake them.
#include "inbox/wake/tmux.h"
#include "surface/http/inbox/inbox_route.h"

namespace alfred::http {
namespace {

Result<Json> list_agents(Inbox& inbox, const RouteCall& call) {
  const Result<inbox::ListPage> page = query_page(call);
  if (!page) return Unexpected(page.error());
  const Result<bool> with_targets = query_flag(call, "include_targets");
  if (!with_targets) return Unexpected(with_targets.error());
  return inbox.agents(*page, *with_targets);
}
Result<Json> register_agent(Inbox& inbox, const RouteCall& call, const Once& once) {
  return inbox.register_agent(call.body, once);
}
Result<Json> show_agent(Inbox& inbox, const RouteCall& call) {
  return inbox.agent(call.plain_name("agent"));
}
Result<Json> remove_agent(Inbox& inbox, const RouteCall& call) {
  return inbox.remove_agent(call.plain_name("agent"));
}
Result<Json> resume_agent(Inbox& inbox, const RouteCall& call) {
  TmuxWaker tmux;
  return inbox.resume_agent(call.plain_name("agent"), {.terminal = &tmux});
}
Result<Json> list_targets(Inbox& inbox, const RouteCall& call) {
  return inbox.targets(call.plain_name("agent"));
}
Result<Json> add_target(Inbox& inbox, const RouteCall& call) {
  return inbox.add_target(call.plain_name("agent"), call.body);
}
Result<Json> remove_target(Inbox& inbox, const RouteCall& call) {
  return inbox.remove_target(call.plain_name("agent"), call.name("target"));
}
Result<Json> resume_target(Inbox& inbox, const RouteCall& call) {
  TmuxWaker tmux;
  return inbox.resume_target(call.plain_name("agent"), call.name("target"), {.terminal = &tmux});
}

}  // namespace

std::vector<Route> agent_routes() {
  return {
      with_query(inbox_get("/inbox/agents", "list_agents", "The agents.", "InboxAgents",
                           answer_inbox<list_agents>),
                 {"after", "include_targets", "limit"}),
      with_body(inbox_post("/inbox/agents", "register_agent",
                           "Makes an agent with its inbox, or gives it another target. A webhook's "
                           "secret is in this answer only.",
                           "InboxRegistered", answer_once<register_agent>),
                "InboxRegister"),
      inbox_get("/inbox/agents/{agent}", "get_agent", "An agent, its targets and its inbox.",
                "InboxAgentDetails", answer_inbox<show_agent>),
      with_method(inbox_post("/inbox/agents/{agent}", "remove_agent",
                             "Removes an agent and all that hangs on it.", "InboxRemoved",
                             answer_inbox<remove_agent>),
                  "DELETE"),
      inbox_post("/inbox/agents/{agent}/resume", "resume_agent",
                 "Makes an agent's targets active again.", "InboxResumedAgent",
                 answer_inbox<resume_agent>),
      inbox_get("/inbox/agents/{agent}/targets", "list_targets", "What wakes an agent.",
                "InboxTargets", answer_inbox<list_targets>),
      with_body(inbox_post("/inbox/agents/{agent}/targets", "add_target",
                           "Adds what wakes an agent.", "InboxTarget", answer_inbox<add_target>),
                "InboxTargetRequest"),
      with_method(inbox_post("/inbox/agents/{agent}/targets/{target}", "remove_target",
                             "Removes a target.", "InboxRemoved", answer_inbox<remove_target>),
                  "DELETE"),
      inbox_post("/inbox/agents/{agent}/targets/{target}/resume", "resume_target",
                 "Makes a target active again.", "InboxResumedTarget", answer_inbox<resume_target>),
  };
}

}  // namespace alfred::http
