#include "inbox/registry/follow.h"

#include "inbox/fields.h"
#include "inbox/registry/agents.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/start_position.h"
#include "inbox/registry/subscriptions.h"
#include "inbox/source/github.h"

namespace alfred::inbox {
namespace {

constexpr Statement kSourceByKey(
    "SELECT s.id FROM alfred_inbox_sources s JOIN alfred_inbox_hosts h ON h.id = s.host "
    "WHERE h.host_type = :type AND lower(h.host_key) = :host AND s.kind = :kind "
    "AND lower(s.source_key) = :key AND s.status <> 'removed' ORDER BY s.created_ms, s.id LIMIT 1");
constexpr Statement kSame(
    "SELECT id FROM alfred_inbox_subscriptions WHERE agent = :agent AND source = :source "
    "AND filter_text = :filter AND coalesce(tracked_ref, '') = :tracked "
    "ORDER BY created_ms, id LIMIT 1");

struct Made {
  std::string id;
  bool is_new = false;
};

// A config that is given is the source's from now on, as with a source that is new.
Result<Made> change_config(Sql& sql, const std::string& source, const Fields& fields) {
  JsonObject request;
  for (const char* const name : {"configRef", "config"})
    if (const Json* const value = fields.find(name)) request[name] = *value;
  if (request.empty()) return Made{source, false};
  if (const Result<Json> changed = change_source(sql, source, request); !changed)
    return Unexpected(changed.error());
  return Made{source, false};
}

Result<Made> ensure_source(Sql& sql, const FollowPlan& plan, const Fields& fields) {
  const std::optional<Row> known = sql.first(kSourceByKey, {{"type", plan.host_type},
                                                            {"host", plan.host_key},
                                                            {"kind", plan.stream_kind},
                                                            {"key", plan.stream_key}});
  if (known) return change_config(sql, text_at(*known, 0), fields);
  const Result<Json> host =
      add_host(sql, JsonObject{{"hostType", plan.host_type}, {"hostKey", plan.host_key}});
  if (!host) return Unexpected(host.error());
  JsonObject request{{"hostId", host->at("hostId")},
                     {"streamKind", plan.stream_kind},
                     {"streamKey", plan.stream_key}};
  for (const char* const name : {"configRef", "config"})
    if (const Json* const value = fields.find(name)) request[name] = *value;
  const Result<Json> source = add_source(sql, request);
  if (!source) return Unexpected(source.error());
  return Made{std::string(source->at("sourceId").as_string()), true};
}

Result<Made> ensure_subscription(Sql& sql, const std::string& agent, const std::string& source,
                                 const FollowPlan& plan, const Fields& fields) {
  const std::optional<Row> known = sql.first(kSame, {{"agent", agent},
                                                     {"source", source},
                                                     {"filter", write_json(plan.filter)},
                                                     {"tracked", plan.tracked.value_or("")}});
  if (known) return Made{text_at(*known, 0), false};
  JsonObject request{{"agentId", agent},
                     {"sourceId", source},
                     {"filter", plan.filter},
                     {"cleanupPolicy", plan.cleanup}};
  if (plan.tracked) request["trackedResourceRef"] = *plan.tracked;
  for (const char* const name : {"startPolicy", "startOffset", "startTime"})
    if (const Json* const value = fields.find(name)) request[name] = *value;
  const Result<Json> made = add_subscription(sql, request);
  if (!made) return Unexpected(made.error());
  return Made{std::string(made->at("subscriptionId").as_string()), true};
}

}  // namespace

Result<Json> follow(Sql& sql, const Json& request) {
  Fields fields(request, {"agentId", "providerOrKind", "template", "templateArgs", "configRef",
                          "config", "startPolicy", "startOffset", "startTime"});
  const std::string agent_id = fields.text("agentId");
  if (!fields.has("providerOrKind"))
    fields.refuse(ErrorCode::schema, "providerOrKind is needed: github.", "providerOrKind",
                  {"github"});
  fields.choice("providerOrKind", {"github"});
  const std::string name = fields.text("template");
  const Json args = fields.object("templateArgs");
  read_start(fields);  // looked at also where the subscription is there
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  const Result<FollowPlan> plan = github_follow(name, args);
  if (!plan) return Unexpected(plan.error());
  const Result<std::string> agent = find_online_agent(sql, agent_id);
  if (!agent) return Unexpected(agent.error());
  const Result<Made> source = ensure_source(sql, *plan, fields);
  if (!source) return Unexpected(source.error());
  const Result<Made> subscription = ensure_subscription(sql, *agent, source->id, *plan, fields);
  if (!subscription) return Unexpected(subscription.error());
  return JsonObject{{"templateId", plan->template_id},
                    {"agentId", *agent},
                    {"sources", JsonArray{JsonObject{{"sourceId", source->id},
                                                     {"streamKind", plan->stream_kind},
                                                     {"created", source->is_new}}}},
                    {"subscriptions", JsonArray{JsonObject{{"subscriptionId", subscription->id},
                                                           {"sourceId", source->id},
                                                           {"created", subscription->is_new}}}}};
}

}  // namespace alfred::inbox
