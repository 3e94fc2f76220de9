#include "inbox/registry/subscriptions.h"

#include <fmt/format.h>

#include "inbox/fields.h"
#include "inbox/filter/filter.h"
#include "inbox/registry/agents.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/start_position.h"
#include "inbox/source/github.h"

namespace alfred::inbox {
namespace {

constexpr std::size_t kMaxFilterBytes = 16 * 1024;

constexpr Statement kAdd(
    "INSERT INTO alfred_inbox_subscriptions (id, agent, source, filter_text, tracked_ref, cleanup, "
    "start_policy, created_ms, retire_ms) VALUES (:id, :agent, :source, :filter, :tracked, "
    ":cleanup, :start, :now, :retire) ON CONFLICT (id) DO NOTHING");
constexpr Statement kAddConsumer(
    "INSERT INTO alfred_inbox_consumers (id, subscription, stream, place, is_following, "
    "created_ms, updated_ms) VALUES (:id, :subscription, :stream, :place, :follows, :now, :now) "
    "ON CONFLICT (id) DO NOTHING");
constexpr Statement kOne(
    "SELECT id, agent, source, filter_text, tracked_ref, cleanup, start_policy, created_ms, "
    "retire_ms FROM alfred_inbox_subscriptions WHERE id = :id");
// Empty: any. Compared as text, so that one statement serves all four questions.
constexpr Statement kList(
    "SELECT id, agent, source, filter_text, tracked_ref, cleanup, start_policy, created_ms, "
    "retire_ms FROM alfred_inbox_subscriptions WHERE (:source = '' OR source = :source) "
    "AND (:agent = '' OR agent = :agent) AND (created_ms, id) > (:after_ms, :after) "
    "ORDER BY created_ms, id LIMIT :most");
constexpr Statement kMade("SELECT created_ms FROM alfred_inbox_subscriptions WHERE id = :id");
constexpr Statement kRemove("DELETE FROM alfred_inbox_subscriptions WHERE id = :id");

Json subscription_json(const Row& row) {
  return JsonObject{{"subscriptionId", text_at(row, 0)},
                    {"agentId", text_at(row, 1)},
                    {"sourceId", text_at(row, 2)},
                    {"filter", json_at(row, 3)},
                    {"trackedResourceRef", maybe_at(row, 4)},
                    {"cleanupPolicy", json_at(row, 5)},
                    {"startPolicy", text_at(row, 6)},
                    {"createdAt", time_at(row, 7)},
                    {"retiresAt", time_at(row, 8)}};
}

// The policy as it is kept; `retire` becomes its time.
Json read_cleanup(Fields& fields, std::optional<std::int64_t>& retire) {
  if (!fields.has("cleanupPolicy")) return JsonObject{{"mode", "manual"}};
  Json policy = fields.object("cleanupPolicy");
  Fields parts(policy, {"mode", "at", "gracePeriodSecs"});
  const std::string mode =
      parts.choice("mode", {"manual", "at", "on_terminal", "on_terminal_or_at"});
  retire = parts.maybe_instant("at");
  const auto grace = parts.maybe_number("gracePeriodSecs", 0, 366LL * 86'400);
  const bool takes_time = mode == "at" || mode == "on_terminal_or_at";
  if (mode.empty()) parts.refuse(ErrorCode::schema, "cleanupPolicy needs its mode.", "mode");
  if (takes_time != retire.has_value())
    parts.refuse(ErrorCode::schema, "`at` goes with the modes at and on_terminal_or_at.", "at");
  if (grace && !mode.starts_with("on_terminal"))
    parts.refuse(ErrorCode::schema, "gracePeriodSecs goes with on_terminal modes.",
                 "gracePeriodSecs");
  if (const Result<void> good = parts.check(); !good)
    fields.refuse(good.error().code, good.error().message, "cleanupPolicy." + good.error().path,
                  good.error().allowed);
  return policy;
}

Result<std::string> read_filter(Fields& fields) {
  const Json filter = fields.object("filter");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  if (const Result<Filter> compiled = Filter::compile(filter); !compiled)
    return Unexpected(compiled.error());
  std::string text = write_json(filter);
  if (text.size() > kMaxFilterBytes)
    return fail(ErrorCode::limit, "A filter has at most 16384 bytes.", "filter");
  return text;
}

// {shortcut: {name, args}} becomes what it stands for at this source.
Result<Json> expand_shortcut(Sql& sql, const Json& request) {
  Fields fields(request,
                {"agentId", "sourceId", "shortcut", "startPolicy", "startOffset", "startTime"});
  const std::string source_id = fields.text("sourceId");
  const Json shortcut = fields.object("shortcut");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  Fields parts(shortcut, {"name", "args"});
  const std::string name = parts.text("name");
  const Json args = parts.object("args");
  if (Result<void> good = parts.check(); !good) return Unexpected(good.error());
  const Result<SourceRow> source = find_source(sql, source_id);
  if (!source) return Unexpected(source.error());
  if (source->host_type != "github")
    return fail(ErrorCode::value,
                fmt::format("A {} source has no shortcuts. Give a filter.", source->host_type),
                "shortcut");
  const Result<FollowPlan> plan = github_shortcut(source->key, name, args);
  if (!plan) return Unexpected(plan.error());
  Json out = request;
  JsonObject& object = out.as_object();
  object.stable_erase("shortcut");
  object["filter"] = plan->filter;
  object["cleanupPolicy"] = plan->cleanup;
  if (plan->tracked) object["trackedResourceRef"] = *plan->tracked;
  return out;
}

}  // namespace

Result<Json> add_subscription(Sql& sql, const Json& request) {
  if (request.is_object() && request.as_object().contains("shortcut")) {
    const Result<Json> expanded = expand_shortcut(sql, request);
    if (!expanded) return Unexpected(expanded.error());
    return add_subscription(sql, *expanded);
  }
  Fields fields(request, {"agentId", "sourceId", "shortcut", "filter", "trackedResourceRef",
                          "cleanupPolicy", "startPolicy", "startOffset", "startTime"});
  const std::string agent_id = fields.text("agentId");
  const std::string source_id = fields.text("sourceId");
  const std::optional<std::string> tracked = fields.maybe_text("trackedResourceRef");
  const StartPosition start = read_start(fields);
  std::optional<std::int64_t> retire;
  const Json cleanup = read_cleanup(fields, retire);
  const Result<std::string> filter = read_filter(fields);
  if (!filter) return Unexpected(filter.error());
  const Result<std::string> agent = find_online_agent(sql, agent_id);
  if (!agent) return Unexpected(agent.error());
  const Result<SourceRow> source = find_open_source(sql, source_id);
  if (!source) return Unexpected(source.error());
  hold_stream(sql, source->stream);
  const Result<std::int64_t> place = place_of(sql, *source, start);
  if (!place) return Unexpected(place.error());
  const std::string id = sql.add<IdKind::subscription>(kAdd, {{"agent", *agent},
                                                              {"source", source->id},
                                                              {"filter", *filter},
                                                              {"tracked", maybe_value(tracked)},
                                                              {"cleanup", write_json(cleanup)},
                                                              {"start", start.policy},
                                                              {"now", sql.now_ms()},
                                                              {"retire", maybe_value(retire)}});
  sql.add<IdKind::consumer>(kAddConsumer, {{"subscription", id},
                                           {"stream", source->stream},
                                           {"place", *place},
                                           {"follows", std::int64_t{*place >= source->pumped}},
                                           {"now", sql.now_ms()}});
  sql.renew("subscriptions");
  const std::optional<Row> row = sql.first(kOne, {{"id", id}});
  return row ? subscription_json(*row) : Json();
}

Result<Json> subscription_details(Sql& sql, std::string_view subscription) {
  const Result<std::string> id = id_text<IdKind::subscription>(subscription);
  if (!id) return Unexpected(id.error());
  const std::optional<Row> row = sql.first(kOne, {{"id", *id}});
  if (!row) return no_record("subscription", *id, "List subscriptions first.");
  const Result<Json> source = source_details(sql, text_at(*row, 2));
  const Result<Json> agent = agent_details(sql, text_at(*row, 1));
  const Result<Json> lag = lag_of(sql, *id);
  if (!lag || !agent) return Unexpected(lag ? agent.error() : lag.error());
  return JsonObject{{"subscription", subscription_json(*row)},
                    {"source", source ? source->at("source") : Json()},
                    {"inbox", agent->at("inbox")},
                    {"activationTargets", agent->at("activationTargets")},
                    {"consumer", lag->at("consumer")},
                    {"lag", lag->at("lag")}};
}

Result<Json> remove_subscription(Sql& sql, std::string_view subscription) {
  const Result<std::string> id = id_text<IdKind::subscription>(subscription);
  if (!id) return Unexpected(id.error());
  if (sql.change(kRemove, {{"id", *id}}) == 0 && !sql.has_failed())
    return no_record("subscription", *id, "List subscriptions first.");
  sql.renew("subscriptions");
  return JsonObject{{"removed", true}, {"subscriptionId", *id}};
}

Result<Json> list_subscriptions(Sql& sql, const ListSubscriptions& list) {
  if (!list.source.empty())
    if (const auto id = id_text<IdKind::source>(list.source); !id) return Unexpected(id.error());
  const Result<PageStart> from =
      page_start<IdKind::subscription>(sql, "subscription", list.page, kMade);
  if (!from) return Unexpected(from.error());
  const std::vector<Row> rows = sql.all(kList, {{"source", list.source},
                                                {"agent", list.agent},
                                                {"after_ms", from->after_ms},
                                                {"after", from->after},
                                                {"most", row_limit(list.page.most)}});
  return page_json("subscriptions", list.page.most, rows, subscription_json);
}

}  // namespace alfred::inbox
