#include "inbox/registry/agents.h"

#include <fmt/format.h>

#include "inbox/fields.h"
#include "inbox/flow/intents.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/target_request.h"

namespace alfred::inbox {
namespace {

constexpr Statement kAddAgent(
    "INSERT INTO alfred_inbox_agents (id, status, created_ms, updated_ms) "
    "VALUES (:id, 'active', :now, :now) ON CONFLICT (id) DO NOTHING");
constexpr Statement kAddInbox(
    "INSERT INTO alfred_inbox_inboxes (id, agent, created_ms, digest_on, window_ms, max_items, "
    "max_age_ms) VALUES (:id, :agent, :now, 1, 30000, 20, 86400000) "
    "ON CONFLICT (id) DO NOTHING");
constexpr Statement kAgent(
    "SELECT id, status, created_ms, updated_ms, offline_ms FROM alfred_inbox_agents "
    "WHERE id = :id");
constexpr Statement kAgents(
    "SELECT id, status, created_ms, updated_ms, offline_ms FROM alfred_inbox_agents "
    "WHERE (created_ms, id) > (:after_ms, :after) ORDER BY created_ms, id LIMIT :most");
constexpr Statement kMade("SELECT created_ms FROM alfred_inbox_agents WHERE id = :id");
constexpr Statement kInbox(
    "SELECT id, agent, created_ms FROM alfred_inbox_inboxes WHERE agent = :agent");
constexpr Statement kRemove("DELETE FROM alfred_inbox_agents WHERE id = :id");
constexpr Statement kPane(
    "SELECT agent FROM alfred_inbox_targets WHERE kind = 'terminal' AND address = :address "
    "ORDER BY updated_ms DESC LIMIT 1");
constexpr Statement kTakePane(
    "DELETE FROM alfred_inbox_targets WHERE kind = 'terminal' AND address = :address "
    "AND agent <> :agent RETURNING agent");
constexpr Statement kSettle(
    "UPDATE alfred_inbox_agents SET updated_ms = :now, "
    "status = CASE WHEN EXISTS (SELECT 1 FROM alfred_inbox_targets t WHERE t.agent = :id "
    "AND t.status = 'active') THEN 'active' ELSE 'offline' END, "
    "offline_ms = CASE WHEN EXISTS (SELECT 1 FROM alfred_inbox_targets t WHERE t.agent = :id "
    "AND t.status = 'active') THEN NULL ELSE coalesce(offline_ms, :now) END WHERE id = :id");

Json agent_json(const Row& row) {
  return JsonObject{{"agentId", text_at(row, 0)},
                    {"status", text_at(row, 1)},
                    {"createdAt", time_at(row, 2)},
                    {"updatedAt", time_at(row, 3)},
                    {"offlineSince", time_at(row, 4)}};
}

Json inbox_json(const Row& row) {
  return JsonObject{{"inboxId", text_at(row, 0)},
                    {"ownerAgentId", text_at(row, 1)},
                    {"createdAt", time_at(row, 2)}};
}

// The target that a registration asks for, as `targets` takes it.
Json target_in(Fields& fields) {
  JsonObject out;
  if (fields.has("webhook")) {
    out = fields.object("webhook").as_object();
    out["kind"] = "webhook";
  } else if (fields.has("sessionId")) {
    out = {{"kind", "session"}, {"sessionId", *fields.find("sessionId")}};
  } else if (fields.choice("backend", {"tmux", "mcp"}) == "mcp") {
    out = {{"kind", "mcp"}};
  } else {
    out = {{"kind", "terminal"}};
    for (const char* name : {"tmuxPaneId", "tmuxSocket"})
      if (const Json* const value = fields.find(name)) out[name] = *value;
  }
  for (const char* name : {"notifyLeaseMs", "minUnackedItems", "forceRebind"})
    if (const Json* const value = fields.find(name)) out[name] = *value;
  return out;
}

// The agent of this id, or a new one (R1).
Result<std::string> find_or_make(Sql& sql, const std::optional<std::string>& wanted) {
  std::string id;
  if (wanted) {
    const Result<AgentId> own = AgentId::parse(*wanted);
    if (!own) return Unexpected(own.error());
    id = *wanted;
    if (sql.first(kAgent, {{"id", id}})) return id;
    sql.all(kAddAgent, {{"id", id}, {"now", sql.now_ms()}});
  } else {
    id = sql.add_agent(kAddAgent, {{"now", sql.now_ms()}});
  }
  sql.add<IdKind::inbox>(kAddInbox, {{"agent", id}, {"now", sql.now_ms()}});
  return id;
}

}  // namespace

Result<void> claim_pane(Sql& sql, std::string_view agent, const TargetRequest& target) {
  if (target.kind != "terminal") return {};
  const std::string holder = agent_of_pane(sql, target.address);
  if (holder.empty() || holder == agent) return {};
  if (!target.is_forced)
    return fail(ErrorCode::conflict,
                fmt::format("This pane belongs to the agent {}. Use that agent, or say "
                            "forceRebind to take the pane away from it.",
                            holder),
                "forceRebind");
  for (const Row& row :
       sql.all(kTakePane, {{"address", target.address}, {"agent", text_value(agent)}})) {
    settle_agent(sql, text_at(row, 0));
    raise_owed(sql, text_at(row, 0));
  }
  return {};
}

Result<Json> register_agent(Sql& sql, const Json& request) {
  Fields fields(request, {"agentId", "backend", "tmuxPaneId", "tmuxSocket", "sessionId", "webhook",
                          "runtimeKind", "runtimeSessionId", "forceRebind", "notifyLeaseMs",
                          "minUnackedItems"});
  std::optional<std::string> wanted = fields.maybe_text("agentId");
  const Json asked = target_in(fields);
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  const Result<TargetRequest> target = read_target(asked);
  if (!target) return Unexpected(target.error());
  const bool is_pane = target->kind == "terminal";
  if (is_pane && !wanted)
    if (std::string holder = agent_of_pane(sql, target->address); !holder.empty())
      wanted = std::move(holder);
  const Result<std::string> agent = find_or_make(sql, wanted);
  if (!agent) return Unexpected(agent.error());
  if (Result<void> claimed = claim_pane(sql, *agent, *target); !claimed)
    return Unexpected(claimed.error());
  const Json made = put_target(sql, *agent, *target);
  const std::optional<Row> row = sql.first(kAgent, {{"id", *agent}});
  const std::optional<Row> inbox = sql.first(kInbox, {{"agent", *agent}});
  if (!row || !inbox) return Json();
  return JsonObject{{"agent", agent_json(*row)},
                    {"terminalTarget", is_pane ? made : Json()},
                    {"webhookTarget", target->kind == "webhook" ? made : Json()},
                    {"target", made},
                    {"activationChannel", target->kind},
                    {"inbox", inbox_json(*inbox)}};
}

Result<std::string> find_agent(Sql& sql, std::string_view agent) {
  const Result<AgentId> id = AgentId::parse(agent);
  if (!id) return Unexpected(id.error());
  if (!sql.first(kAgent, {{"id", text_value(agent)}}))
    return no_record("agent", agent, "List agents, or register it.");
  return std::string(agent);
}

Result<std::string> find_online_agent(Sql& sql, std::string_view agent) {
  const Result<AgentId> id = AgentId::parse(agent);
  if (!id) return Unexpected(id.error());
  const std::optional<Row> row = sql.first(kAgent, {{"id", text_value(agent)}});
  if (!row) return no_record("agent", agent, "List agents, or register it.");
  if (text_at(*row, 1) != "active")
    return fail(ErrorCode::conflict,
                fmt::format("The agent {} is offline: nothing can wake it. Resume it, or register "
                            "it with a target that works.",
                            agent),
                "agentId");
  return std::string(agent);
}

Result<std::string> inbox_of(Sql& sql, std::string_view agent) {
  const Result<AgentId> id = AgentId::parse(agent);
  if (!id) return Unexpected(id.error());
  if (const std::optional<Row> row = sql.first(kInbox, {{"agent", text_value(agent)}}))
    return text_at(*row, 0);
  return no_record("agent", agent, "List agents, or register it.");
}

std::string agent_of_pane(Sql& sql, std::string_view address) {
  const std::optional<Row> row = sql.first(kPane, {{"address", text_value(address)}});
  return row ? text_at(*row, 0) : std::string();
}

Result<Json> agent_details(Sql& sql, std::string_view agent) {
  const Result<std::string> found = find_agent(sql, agent);
  if (!found) return Unexpected(found.error());
  const std::optional<Row> row = sql.first(kAgent, {{"id", *found}});
  const std::optional<Row> inbox = sql.first(kInbox, {{"agent", *found}});
  return JsonObject{{"agent", row ? agent_json(*row) : Json()},
                    {"activationTargets", targets_of(sql, *found)},
                    {"inbox", inbox ? inbox_json(*inbox) : Json()}};
}

Result<Json> list_agents(Sql& sql, const ListPage& page, bool with_targets) {
  const Result<PageStart> from = page_start<IdKind::agent>(sql, "agent", page, kMade);
  if (!from) return Unexpected(from.error());
  const std::vector<Row> rows = sql.all(
      kAgents,
      {{"after_ms", from->after_ms}, {"after", from->after}, {"most", row_limit(page.most)}});
  return page_json("agents", page.most, rows, [&](const Row& row) -> Json {
    if (!with_targets) return agent_json(row);
    return JsonObject{{"agent", agent_json(row)},
                      {"activationTargets", targets_of(sql, text_at(row, 0))}};
  });
}

Result<Json> resume_agent(Sql& sql, std::string_view agent) {
  const Result<std::string> found = find_agent(sql, agent);
  if (!found) return Unexpected(found.error());
  const Json targets = targets_of(sql, *found);
  for (const Json& target : targets.as_array())
    if (Result<Json> done = resume_target(sql, *found, target.at("targetId").as_string()); !done)
      return done;
  const std::optional<Row> row = sql.first(kAgent, {{"id", *found}});
  return JsonObject{{"resumed", true},
                    {"agent", row ? agent_json(*row) : Json()},
                    {"targets", targets_of(sql, *found)}};
}

Result<Json> remove_agent(Sql& sql, std::string_view agent) {
  if (sql.change(kRemove, {{"id", text_value(agent)}}) == 0 && !sql.has_failed())
    return no_record("agent", agent, "List agents first.");
  drop_own_sources(sql);
  sql.renew("subscriptions");
  sql.renew("targets");
  return JsonObject{{"removed", true}, {"agentId", std::string(agent)}};
}

void settle_agent(Sql& sql, std::string_view agent) {
  sql.all(kSettle, {{"id", text_value(agent)}, {"now", sql.now_ms()}});
  sql.renew("targets");
}

}  // namespace alfred::inbox
