// Agents, their inboxes and the targets that wake them.
//
// R1 an agent has a readable name, or the id that its owner chose, kept verbatim; each has one inbox.
// R2 an agent is registered with a target (webhook, tmux pane, session or mcp); again with the same one is the
//    same agent and target, with what changed.
// R3 a pane belongs to one agent: registered without an id it is that one; with another's it is refused, but
//    for `forceRebind`, which takes it away from the other.
// R4 an agent without an active target is offline; `resume` makes targets active again.
// R5 a webhook's secret is made here and shown once, with the answer that made it.
#pragma once

#include "inbox/store/page.h"

namespace alfred::inbox {

Result<Json> register_agent(Sql& sql, const Json& request);
Result<Json> add_target(Sql& sql, std::string_view agent, const Json& request);
Result<Json> remove_target(Sql& sql, std::string_view agent, std::string_view target);
Result<Json> resume_target(Sql& sql, std::string_view agent, std::string_view target);
Result<Json> resume_agent(Sql& sql, std::string_view agent);
Result<Json> remove_agent(Sql& sql, std::string_view agent);

Result<Json> agent_details(Sql& sql, std::string_view agent);
Result<Json> list_agents(Sql& sql, const ListPage& page, bool with_targets);
Json targets_of(Sql& sql, std::string_view agent);

// The id as it is stored, of an agent that there is.
Result<std::string> find_agent(Sql& sql, std::string_view agent);
// The same, refused where nothing can wake it.
Result<std::string> find_online_agent(Sql& sql, std::string_view agent);
Result<std::string> inbox_of(Sql& sql, std::string_view agent);
// Whose a tmux pane is; empty: nobody's.
std::string agent_of_pane(Sql& sql, std::string_view address);

void take_offline(Sql& sql, std::string_view target, std::string_view reason);
// Brings an agent's status in line with its targets (R4), and says that they changed: every change
// of an agent's targets ends in it.
void settle_agent(Sql& sql, std::string_view agent);

}  // namespace alfred::inbox
