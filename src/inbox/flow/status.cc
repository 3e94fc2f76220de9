#include "inbox/flow/status.h"

#include "inbox/flow/status_lists.h"
#include "inbox/registry/agents.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/subscriptions.h"

namespace alfred::inbox {
namespace {

constexpr std::int64_t kAtOnce = 10'000;

constexpr Statement kCounts(
    "SELECT (SELECT count(*) FROM alfred_inbox_agents), "
    "(SELECT count(*) FROM alfred_inbox_hosts), "
    "(SELECT count(*) FROM alfred_inbox_sources WHERE status <> 'removed'), "
    "(SELECT count(*) FROM alfred_inbox_subscriptions), "
    "(SELECT count(*) FROM alfred_inbox_events), "
    "(SELECT count(*) FROM alfred_inbox_items), "
    "(SELECT count(*) FROM alfred_inbox_items WHERE acked_ms IS NULL), "
    "(SELECT count(*) FROM alfred_inbox_entries), "
    "(SELECT count(*) FROM alfred_inbox_threads WHERE is_open = 1), "
    "(SELECT count(*) FROM alfred_inbox_targets), "
    "(SELECT count(*) FROM alfred_inbox_timers), "
    "(SELECT count(*) FROM alfred_inbox_dead), "
    "(SELECT count(*) FROM alfred_inbox_streams WHERE pumped < last_place), "
    "(SELECT value FROM alfred_inbox_counters WHERE name = 'sequence')");
constexpr Statement kActivations(
    "SELECT id, agent, target, kind, unacked, latest_entry, attempt, status, error, created_ms "
    "FROM alfred_inbox_activations ORDER BY created_ms DESC, id LIMIT 10");
constexpr Statement kDeliveries(
    "SELECT id, source, operation, status, error, created_ms "
    "FROM alfred_inbox_deliveries ORDER BY created_ms DESC, id LIMIT 10");

constexpr Statement kKeepPast(
    "INSERT INTO alfred_inbox_past_entries (id, inbox, sequence) "
    "SELECT id, inbox, sequence FROM alfred_inbox_entries WHERE acked_ms <= :before "
    "AND (:inbox = '' OR inbox = :inbox)");
constexpr Statement kDropEntries(
    "DELETE FROM alfred_inbox_entries WHERE acked_ms <= :before "
    "AND (:inbox = '' OR inbox = :inbox)");
// The entries of items without a thread are gone: they were acked at the same time.
constexpr Statement kDropItems(
    "DELETE FROM alfred_inbox_items WHERE acked_ms <= :before "
    "AND (:inbox = '' OR inbox = :inbox) AND (thread IS NULL OR NOT EXISTS (SELECT 1 FROM alfred_inbox_entries e "
    "WHERE e.thread = alfred_inbox_items.thread))");
constexpr Statement kDropThreads(
    "DELETE FROM alfred_inbox_threads WHERE is_open = 0 AND NOT EXISTS "
    "(SELECT 1 FROM alfred_inbox_items i WHERE i.thread = alfred_inbox_threads.id)");
constexpr Statement kDropAgents(
    "DELETE FROM alfred_inbox_agents WHERE status = 'offline' AND offline_ms <= :before");
constexpr Statement kDropSources(
    "DELETE FROM alfred_inbox_sources WHERE status = 'removed' AND id NOT IN "
    "(SELECT s.source FROM alfred_inbox_items i JOIN alfred_inbox_events e ON e.id = i.event "
    "JOIN alfred_inbox_streams s ON s.id = e.stream)");
constexpr Statement kHasRemoved(
    "SELECT 1 FROM alfred_inbox_sources WHERE status = 'removed' LIMIT 1");
constexpr Statement kDropCommits(
    "DELETE FROM alfred_inbox_commits WHERE committed_ms <= :before AND kind = 'commit'");

// What is over, and was kept to be looked at. A wake-up that is made again has its target's row.
constexpr Statement kDropTimers(
    "DELETE FROM alfred_inbox_timers WHERE status = 'done' AND updated_ms <= :before");
constexpr Statement kDropActivations(
    "DELETE FROM alfred_inbox_activations WHERE created_ms <= :before AND id NOT IN "
    "(SELECT flight FROM alfred_inbox_dispatch WHERE flight IS NOT NULL)");
constexpr Statement kDropDeliveries(
    "DELETE FROM alfred_inbox_deliveries WHERE finished_ms <= :before");
constexpr Statement kDropDead("DELETE FROM alfred_inbox_dead WHERE created_ms <= :before");

Json activation_json(const Row& row) {
  return JsonObject{{"activationId", text_at(row, 0)},     {"agentId", text_at(row, 1)},
                    {"targetId", text_at(row, 2)},         {"kind", text_at(row, 3)},
                    {"unackedEntries", number_at(row, 4)}, {"latestEntryId", text_at(row, 5)},
                    {"attempt", number_at(row, 6)},        {"status", text_at(row, 7)},
                    {"error", maybe_at(row, 8)},           {"createdAt", time_at(row, 9)}};
}

Json delivery_json(const Row& row) {
  return JsonObject{{"deliveryId", text_at(row, 0)}, {"sourceId", maybe_at(row, 1)},
                    {"operation", text_at(row, 2)},  {"status", text_at(row, 3)},
                    {"error", maybe_at(row, 4)},     {"createdAt", time_at(row, 5)}};
}

// Of one inbox, or of all when it is empty: how many items.
std::int64_t drop_acked(Sql& sql, std::int64_t before, const std::string& inbox) {
  sql.all(kKeepPast, {{"before", before}, {"inbox", inbox}});
  sql.all(kDropEntries, {{"before", before}, {"inbox", inbox}});
  const std::int64_t items = sql.change(kDropItems, {{"before", before}, {"inbox", inbox}});
  sql.all(kDropThreads);
  return items;
}

}  // namespace

Json status_of(Sql& sql, const Retention& retention) {
  const std::optional<Row> row = sql.first(kCounts);
  if (!row) return {};
  constexpr const char* kNames[] = {
      "agents", "hosts",        "sources",       "subscriptions", "events",
      "items",  "unackedItems", "entries",       "openThreads",   "activationTargets",
      "timers", "deadLetters",  "streamsBehind", "sequence"};
  JsonObject counts;
  for (std::size_t i = 0; i < std::size(kNames); ++i) counts[kNames[i]] = number_at(*row, i);
  JsonArray activations;
  for (const Row& one : sql.all(kActivations)) activations.push_back(activation_json(one));
  JsonArray deliveries;
  for (const Row& one : sql.all(kDeliveries)) deliveries.push_back(delivery_json(one));
  JsonObject out{{"retention", JsonObject{{"ackedMs", retention.acked_ms},
                                          {"offlineAgentMs", retention.offline_ms}}},
                 {"counts", std::move(counts)}};
  add_status_lists(sql, out);
  out["recentActivations"] = std::move(activations);
  out["recentDeliveries"] = std::move(deliveries);
  return out;
}

Json collect(Sql& sql, const Retention& retention) {
  const std::int64_t before = sql.now_ms() - retention.acked_ms;
  const std::int64_t subscriptions = retire_due(sql, kAtOnce);
  const std::int64_t items = drop_acked(sql, before, "");
  sql.all(kDropCommits, {{"before", before}});
  const std::int64_t long_before = sql.now_ms() - retention.offline_ms;
  for (const Statement& drop : {kDropTimers, kDropActivations, kDropDeliveries, kDropDead})
    sql.all(drop, {{"before", long_before}});
  const std::int64_t agents = sql.change(kDropAgents, {{"before", long_before}});
  drop_own_sources(sql);
  if (sql.first(kHasRemoved)) sql.all(kDropSources);  // which looks at every item
  if (agents > 0) {
    sql.renew("subscriptions");
    sql.renew("targets");
  }
  return JsonObject{{"deleted", items},
                    {"retentionMs", retention.acked_ms},
                    {"removedAgents", agents},
                    {"removedSubscriptions", subscriptions}};
}

Result<Json> compact_inbox(Sql& sql, std::string_view agent, const Retention& retention) {
  const Result<std::string> inbox = inbox_of(sql, agent);
  if (!inbox) return Unexpected(inbox.error());
  const std::int64_t items = drop_acked(sql, sql.now_ms() - retention.acked_ms, *inbox);
  return JsonObject{{"deleted", items}, {"retentionMs", retention.acked_ms}};
}

}  // namespace alfred::inbox
