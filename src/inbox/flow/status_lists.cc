#include "inbox/flow/status_lists.h"

#include <span>

#include "inbox/registry/agents.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/subscriptions.h"
#include "inbox/source/source_types.h"

namespace alfred::inbox {
namespace {

enum class Cell : std::uint8_t { text, number, instant, flag };
struct Column {
  const char* name;
  Cell cell;
};

constexpr Statement kInboxes(
    "SELECT b.id, b.agent, b.created_ms, "
    "(SELECT count(*) FROM alfred_inbox_items i WHERE i.inbox = b.id AND i.acked_ms IS NULL) "
    "FROM alfred_inbox_inboxes b ORDER BY b.created_ms, b.id LIMIT :most");
constexpr Column kInboxColumns[] = {{"inboxId", Cell::text},
                                    {"ownerAgentId", Cell::text},
                                    {"createdAt", Cell::instant},
                                    {"unackedItems", Cell::number}};

constexpr Statement kTargets(
    "SELECT id, agent, kind, status, reason, lease_ms, min_unacked, created_ms "
    "FROM alfred_inbox_targets ORDER BY created_ms, id LIMIT :most");
constexpr Column kTargetColumns[] = {{"targetId", Cell::text},
                                     {"agentId", Cell::text},
                                     {"kind", Cell::text},
                                     {"status", Cell::text},
                                     {"reason", Cell::text},
                                     {"notifyLeaseMs", Cell::number},
                                     {"minUnackedItems", Cell::number},
                                     {"createdAt", Cell::instant}};

constexpr Statement kDispatch(
    "SELECT d.target, t.agent, d.pending, d.due_ms, d.lease_until_ms, d.attempts, d.flight, "
    "d.flight_until_ms FROM alfred_inbox_dispatch d "
    "JOIN alfred_inbox_targets t ON t.id = d.target ORDER BY t.created_ms, t.id LIMIT :most");
constexpr Column kDispatchColumns[] = {
    {"targetId", Cell::text},     {"agentId", Cell::text},         {"pendingEntries", Cell::number},
    {"dueAt", Cell::instant},     {"leaseUntil", Cell::instant},   {"attempts", Cell::number},
    {"activationId", Cell::text}, {"inFlightUntil", Cell::instant}};

constexpr Statement kStreams(
    "SELECT id, source, last_place, pumped, created_ms FROM alfred_inbox_streams "
    "ORDER BY created_ms, id LIMIT :most");
constexpr Column kStreamColumns[] = {{"streamId", Cell::text},
                                     {"sourceId", Cell::text},
                                     {"lastOffset", Cell::number},
                                     {"pumpedOffset", Cell::number},
                                     {"createdAt", Cell::instant}};

constexpr Statement kConsumers(
    "SELECT c.id, c.subscription, c.stream, CASE WHEN c.is_following = 1 AND s.pumped > c.place "
    "THEN s.pumped ELSE c.place END, c.is_following, c.updated_ms FROM alfred_inbox_consumers c "
    "JOIN alfred_inbox_streams s ON s.id = c.stream ORDER BY c.created_ms, c.id LIMIT :most");
constexpr Column kConsumerColumns[] = {
    {"consumerId", Cell::text},  {"subscriptionId", Cell::text},
    {"streamId", Cell::text},    {"committedOffset", Cell::number},
    {"isFollowing", Cell::flag}, {"updatedAt", Cell::instant}};

constexpr Statement kRetiring(
    "SELECT id, agent, tracked_ref, retire_ms FROM alfred_inbox_subscriptions "
    "WHERE retire_ms IS NOT NULL ORDER BY retire_ms, id LIMIT :most");
constexpr Column kRetiringColumns[] = {{"subscriptionId", Cell::text},
                                       {"agentId", Cell::text},
                                       {"trackedResourceRef", Cell::text},
                                       {"retiresAt", Cell::instant}};

constexpr Statement kOffline(
    "SELECT id, offline_ms FROM alfred_inbox_agents WHERE status = 'offline' "
    "ORDER BY offline_ms, id LIMIT :most");
constexpr Column kOfflineColumns[] = {{"agentId", Cell::text}, {"offlineSince", Cell::instant}};

Json cell_json(const Row& row, std::size_t at, Cell cell) {
  switch (cell) {
    case Cell::text: return maybe_at(row, at);
    case Cell::instant: return time_at(row, at);
    case Cell::flag: return number_at(row, at) != 0;
    case Cell::number: break;
  }
  return number_at(row, at);
}

JsonArray listed(Sql& sql, const Statement& statement, std::span<const Column> columns) {
  JsonArray out;
  for (const Row& row : sql.all(statement, {{"most", kMostListed}})) {
    JsonObject one;
    for (std::size_t i = 0; i < columns.size(); ++i)
      one[columns[i].name] = cell_json(row, i, columns[i].cell);
    out.push_back(std::move(one));
  }
  return out;
}

// The records of a page that begins at the first.
Json records_of(const Result<Json>& page, const char* name) {
  return page ? page->at(name) : Json(JsonArray());
}

JsonArray sources_with_runtime(Sql& sql) {
  JsonArray out = records_of(list_sources(sql, {.most = kMostListed}), "sources").as_array();
  for (Json& source : out)
    source.as_object()["runtime"] = JsonObject{{"status", source.at("status")}};
  return out;
}

JsonArray adapters() {
  JsonArray out;
  for (const SourceType& type : source_types())
    out.push_back(JsonObject{{"sourceType", type.name}, {"description", type.says}});
  return out;
}

}  // namespace

void add_status_lists(Sql& sql, JsonObject& status) {
  status["agents"] = records_of(list_agents(sql, {.most = kMostListed}, false), "agents");
  status["sources"] = sources_with_runtime(sql);
  status["subscriptions"] =
      records_of(list_subscriptions(sql, {.page = {.most = kMostListed}}), "subscriptions");
  status["inboxes"] = listed(sql, kInboxes, kInboxColumns);
  status["activationTargets"] = listed(sql, kTargets, kTargetColumns);
  status["activationDispatchStates"] = listed(sql, kDispatch, kDispatchColumns);
  status["streams"] = listed(sql, kStreams, kStreamColumns);
  status["consumers"] = listed(sql, kConsumers, kConsumerColumns);
  status["adapters"] = adapters();
  status["lifecycle"] =
      JsonObject{{"retiringSubscriptions", listed(sql, kRetiring, kRetiringColumns)},
                 {"offlineAgents", listed(sql, kOffline, kOfflineColumns)}};
}

}  // namespace alfred::inbox
