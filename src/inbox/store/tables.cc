#include "inbox/store/tables.h"

#include <array>

namespace alfred::inbox {
namespace {

// Tables that are as they were in the beginning.
constexpr std::array kSteady{
    Statement("CREATE TABLE alfred_inbox_counters (name text PRIMARY KEY, value integer NOT NULL)"),
    Statement("INSERT INTO alfred_inbox_counters (name, value) VALUES "
              "('sequence', 0), ('subscriptions', 0)"),

    Statement("CREATE TABLE alfred_inbox_agents ("
              "id text PRIMARY KEY, status text NOT NULL, created_ms integer NOT NULL, "
              "updated_ms integer NOT NULL, offline_ms integer)"),
    Statement("CREATE TABLE alfred_inbox_inboxes ("
              "id text PRIMARY KEY, agent text NOT NULL UNIQUE "
              "REFERENCES alfred_inbox_agents (id) ON DELETE CASCADE, "
              "created_ms integer NOT NULL, digest_on integer NOT NULL, "
              "window_ms integer NOT NULL, max_items integer NOT NULL, "
              "max_age_ms integer NOT NULL)"),

    Statement("CREATE TABLE alfred_inbox_hosts ("
              "id text PRIMARY KEY, host_type text NOT NULL, host_key text NOT NULL, "
              "config_ref text, config text NOT NULL, created_ms integer NOT NULL, "
              "updated_ms integer NOT NULL, UNIQUE (host_type, host_key))"),
    Statement("CREATE TABLE alfred_inbox_sources ("
              "id text PRIMARY KEY, host text NOT NULL "
              "REFERENCES alfred_inbox_hosts (id) ON DELETE CASCADE, "
              "kind text NOT NULL, source_key text NOT NULL, config_ref text, "
              "config text NOT NULL, status text NOT NULL, idle_ms integer, "
              "created_ms integer NOT NULL, updated_ms integer NOT NULL)"),
    // A source that was removed stays while items show its events; its key is free again.
    Statement("CREATE UNIQUE INDEX alfred_inbox_sources_by_key "
              "ON alfred_inbox_sources (host, kind, source_key) WHERE status <> 'removed'"),
    Statement("CREATE TABLE alfred_inbox_streams ("
              "id text PRIMARY KEY, source text NOT NULL UNIQUE "
              "REFERENCES alfred_inbox_sources (id) ON DELETE CASCADE, "
              "last_place integer NOT NULL, pumped integer NOT NULL, "
              "created_ms integer NOT NULL)"),
    Statement("CREATE INDEX alfred_inbox_streams_behind "
              "ON alfred_inbox_streams (id) WHERE pumped < last_place"),
    Statement("CREATE TABLE alfred_inbox_events ("
              "id text PRIMARY KEY, stream text NOT NULL "
              "REFERENCES alfred_inbox_streams (id) ON DELETE CASCADE, "
              "place integer NOT NULL, native_id text NOT NULL, variant text NOT NULL, "
              "occurred_ms integer NOT NULL, appended_ms integer NOT NULL, body text NOT NULL, "
              "UNIQUE (stream, place), UNIQUE (stream, native_id, variant))"),

    Statement("CREATE TABLE alfred_inbox_subscriptions ("
              "id text PRIMARY KEY, agent text NOT NULL "
              "REFERENCES alfred_inbox_agents (id) ON DELETE CASCADE, "
              "source text NOT NULL REFERENCES alfred_inbox_sources (id) ON DELETE CASCADE, "
              "filter_text text NOT NULL, tracked_ref text, cleanup text NOT NULL, "
              "start_policy text NOT NULL, created_ms integer NOT NULL, "
              "retire_ms integer, retire_place integer)"),
    Statement("CREATE INDEX alfred_inbox_subscriptions_by_agent "
              "ON alfred_inbox_subscriptions (agent)"),
    Statement("CREATE INDEX alfred_inbox_subscriptions_by_source "
              "ON alfred_inbox_subscriptions (source)"),
    Statement("CREATE INDEX alfred_inbox_subscriptions_by_tracked "
              "ON alfred_inbox_subscriptions (tracked_ref) WHERE tracked_ref IS NOT NULL"),
    Statement("CREATE INDEX alfred_inbox_subscriptions_retiring "
              "ON alfred_inbox_subscriptions (retire_ms) WHERE retire_ms IS NOT NULL"),
    Statement("CREATE TABLE alfred_inbox_consumers ("
              "id text PRIMARY KEY, subscription text NOT NULL UNIQUE "
              "REFERENCES alfred_inbox_subscriptions (id) ON DELETE CASCADE, "
              "stream text NOT NULL REFERENCES alfred_inbox_streams (id) ON DELETE CASCADE, "
              "place integer NOT NULL, is_following integer NOT NULL, "
              "created_ms integer NOT NULL, updated_ms integer NOT NULL)"),
    Statement("CREATE INDEX alfred_inbox_consumers_by_stream ON alfred_inbox_consumers (stream)"),
    Statement("CREATE INDEX alfred_inbox_consumers_behind "
              "ON alfred_inbox_consumers (stream) WHERE is_following = 0"),

    Statement("CREATE TABLE alfred_inbox_threads ("
              "id text PRIMARY KEY, inbox text NOT NULL "
              "REFERENCES alfred_inbox_inboxes (id) ON DELETE CASCADE, "
              "group_key text NOT NULL, is_open integer NOT NULL, revision integer NOT NULL, "
              "last_place integer NOT NULL, flushed_place integer NOT NULL, "
              "opened_ms integer NOT NULL, flush_ms integer, flush_set_ms integer)"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_threads_open "
              "ON alfred_inbox_threads (inbox, group_key) WHERE is_open = 1"),
    Statement("CREATE INDEX alfred_inbox_threads_waiting "
              "ON alfred_inbox_threads (flush_ms) WHERE flush_ms IS NOT NULL"),
    // What retention removed is still a place to read on from and to ack up to.
    Statement("CREATE TABLE alfred_inbox_past_entries ("
              "id text PRIMARY KEY, inbox text NOT NULL "
              "REFERENCES alfred_inbox_inboxes (id) ON DELETE CASCADE, "
              "sequence integer NOT NULL)"),

    Statement("CREATE TABLE alfred_inbox_targets ("
              "id text PRIMARY KEY, agent text NOT NULL "
              "REFERENCES alfred_inbox_agents (id) ON DELETE CASCADE, "
              "kind text NOT NULL, address text NOT NULL, config text NOT NULL, "
              "secret text NOT NULL, lease_ms integer NOT NULL, min_unacked integer NOT NULL, "
              "status text NOT NULL, reason text, created_ms integer NOT NULL, "
              "updated_ms integer NOT NULL, UNIQUE (agent, kind, address))"),
    Statement("CREATE TABLE alfred_inbox_dispatch ("
              "target text PRIMARY KEY REFERENCES alfred_inbox_targets (id) ON DELETE CASCADE, "
              "pending integer NOT NULL, due_ms integer, set_ms integer NOT NULL, "
              "lease_until_ms integer, attempts integer NOT NULL, flight text, "
              "flight_until_ms integer, told_sequence integer NOT NULL, told_key text NOT NULL)"),
    Statement("CREATE INDEX alfred_inbox_dispatch_due "
              "ON alfred_inbox_dispatch (due_ms) WHERE due_ms IS NOT NULL"),
    Statement("CREATE TABLE alfred_inbox_activations ("
              "id text PRIMARY KEY, agent text NOT NULL "
              "REFERENCES alfred_inbox_agents (id) ON DELETE CASCADE, "
              "target text NOT NULL, kind text NOT NULL, unacked integer NOT NULL, "
              "latest_entry text NOT NULL, attempt integer NOT NULL, status text NOT NULL, "
              "error text, created_ms integer NOT NULL, finished_ms integer)"),
    Statement("CREATE INDEX alfred_inbox_activations_by_agent "
              "ON alfred_inbox_activations (agent, created_ms)"),

    Statement("CREATE TABLE alfred_inbox_timers ("
              "id text PRIMARY KEY, agent text NOT NULL "
              "REFERENCES alfred_inbox_agents (id) ON DELETE CASCADE, "
              "kind text NOT NULL, rule text NOT NULL, zone text NOT NULL, "
              "message text NOT NULL, sender text NOT NULL, status text NOT NULL, "
              "next_ms integer, last_ms integer, created_ms integer NOT NULL, "
              "updated_ms integer NOT NULL)"),
    Statement("CREATE INDEX alfred_inbox_timers_due "
              "ON alfred_inbox_timers (next_ms) WHERE next_ms IS NOT NULL"),
    Statement("CREATE INDEX alfred_inbox_timers_by_agent ON alfred_inbox_timers (agent)"),

    Statement("CREATE TABLE alfred_inbox_deliveries ("
              "id text PRIMARY KEY, source text, handle text NOT NULL, operation text NOT NULL, "
              "input text NOT NULL, status text NOT NULL, error text, attempt integer NOT NULL, "
              "created_ms integer NOT NULL, finished_ms integer)"),
    Statement("CREATE INDEX alfred_inbox_deliveries_by_time "
              "ON alfred_inbox_deliveries (created_ms)"),
    Statement("CREATE TABLE alfred_inbox_dead ("
              "id text PRIMARY KEY, subscription text NOT NULL "
              "REFERENCES alfred_inbox_subscriptions (id) ON DELETE CASCADE, "
              "event text NOT NULL REFERENCES alfred_inbox_events (id) ON DELETE CASCADE, "
              "reason text NOT NULL, created_ms integer NOT NULL, "
              "UNIQUE (subscription, event))"),
};

constexpr std::array kFirstForms{
    Statement("CREATE TABLE alfred_inbox_commits ("
              "id text PRIMARY KEY, consumer text NOT NULL "
              "REFERENCES alfred_inbox_consumers (id) ON DELETE CASCADE, "
              "kind text NOT NULL, place integer NOT NULL, committed_ms integer NOT NULL)"),
    Statement("CREATE INDEX alfred_inbox_commits_by_consumer "
              "ON alfred_inbox_commits (consumer, committed_ms)"),
    Statement("CREATE TABLE alfred_inbox_items ("
              "id text PRIMARY KEY, inbox text NOT NULL "
              "REFERENCES alfred_inbox_inboxes (id) ON DELETE CASCADE, "
              "event text NOT NULL REFERENCES alfred_inbox_events (id) ON DELETE CASCADE, "
              "subscription text, created_ms integer NOT NULL, acked_ms integer, "
              "thread text REFERENCES alfred_inbox_threads (id) ON DELETE CASCADE, "
              "thread_place integer, acked_revision integer, UNIQUE (inbox, event))"),
    Statement("CREATE INDEX alfred_inbox_items_by_event ON alfred_inbox_items (event)"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_items_by_thread "
              "ON alfred_inbox_items (thread, thread_place) WHERE thread IS NOT NULL"),
    Statement("CREATE INDEX alfred_inbox_items_acked "
              "ON alfred_inbox_items (acked_ms) WHERE acked_ms IS NOT NULL"),
    Statement("CREATE TABLE alfred_inbox_entries ("
              "id text PRIMARY KEY, inbox text NOT NULL "
              "REFERENCES alfred_inbox_inboxes (id) ON DELETE CASCADE, "
              "sequence integer NOT NULL UNIQUE, kind text NOT NULL, "
              "item text REFERENCES alfred_inbox_items (id) ON DELETE CASCADE, "
              "thread text REFERENCES alfred_inbox_threads (id) ON DELETE CASCADE, "
              "revision integer, through_place integer, created_ms integer NOT NULL, "
              "acked_ms integer, is_superseded integer NOT NULL)"),
    Statement("CREATE INDEX alfred_inbox_entries_by_inbox "
              "ON alfred_inbox_entries (inbox, sequence)"),
    Statement("CREATE INDEX alfred_inbox_entries_unacked "
              "ON alfred_inbox_entries (inbox, sequence) WHERE acked_ms IS NULL"),
    Statement("CREATE INDEX alfred_inbox_entries_by_item ON alfred_inbox_entries (item)"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_entries_by_thread "
              "ON alfred_inbox_entries (thread, revision) WHERE thread IS NOT NULL"),
};
constexpr auto kTables = joined(kSteady, kFirstForms);

// Rows that come with every event lie in the order of their ids, which are near one another,
// without a second tree beside them; an entry is found by its id or by its inbox and sequence, and
// by nothing else. An item never goes without its entry (R2), so entries do not refer to items.
constexpr std::array kFewerTrees{
    Statement("CREATE TABLE alfred_inbox_entries_2 ("
              "id text PRIMARY KEY, inbox text NOT NULL "
              "REFERENCES alfred_inbox_inboxes (id) ON DELETE CASCADE, "
              "sequence integer NOT NULL, kind text NOT NULL, item text, "
              "thread text REFERENCES alfred_inbox_threads (id) ON DELETE CASCADE, "
              "revision integer, through_place integer, created_ms integer NOT NULL, "
              "acked_ms integer, is_superseded integer NOT NULL) WITHOUT ROWID"),
    Statement("INSERT INTO alfred_inbox_entries_2 SELECT id, inbox, sequence, kind, item, thread, "
              "revision, through_place, created_ms, acked_ms, is_superseded "
              "FROM alfred_inbox_entries ORDER BY id"),
    Statement("DROP TABLE alfred_inbox_entries"),
    Statement("ALTER TABLE alfred_inbox_entries_2 RENAME TO alfred_inbox_entries"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_entries_by_inbox "
              "ON alfred_inbox_entries (inbox, sequence)"),
    Statement("CREATE INDEX alfred_inbox_entries_unacked "
              "ON alfred_inbox_entries (inbox, sequence) WHERE acked_ms IS NULL"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_entries_by_thread "
              "ON alfred_inbox_entries (thread, revision) WHERE thread IS NOT NULL"),

    Statement(
        "CREATE TABLE alfred_inbox_items_2 ("
        "id text PRIMARY KEY, inbox text NOT NULL "
        "REFERENCES alfred_inbox_inboxes (id) ON DELETE CASCADE, "
        "event text NOT NULL, subscription text, created_ms integer NOT NULL, acked_ms integer, "
        "thread text REFERENCES alfred_inbox_threads (id) ON DELETE CASCADE, "
        "thread_place integer, acked_revision integer, UNIQUE (inbox, event)) WITHOUT ROWID"),
    Statement("INSERT INTO alfred_inbox_items_2 SELECT id, inbox, event, subscription, created_ms, "
              "acked_ms, thread, thread_place, acked_revision FROM alfred_inbox_items ORDER BY id"),
    Statement("DROP TABLE alfred_inbox_items"),
    Statement("ALTER TABLE alfred_inbox_items_2 RENAME TO alfred_inbox_items"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_items_by_thread "
              "ON alfred_inbox_items (thread, thread_place) WHERE thread IS NOT NULL"),
    Statement("CREATE INDEX alfred_inbox_items_acked "
              "ON alfred_inbox_items (acked_ms) WHERE acked_ms IS NOT NULL"),

    Statement("CREATE TABLE alfred_inbox_commits_2 ("
              "id text PRIMARY KEY, consumer text NOT NULL "
              "REFERENCES alfred_inbox_consumers (id) ON DELETE CASCADE, "
              "kind text NOT NULL, place integer NOT NULL, committed_ms integer NOT NULL) "
              "WITHOUT ROWID"),
    Statement("INSERT INTO alfred_inbox_commits_2 SELECT id, consumer, kind, place, committed_ms "
              "FROM alfred_inbox_commits ORDER BY id"),
    Statement("DROP TABLE alfred_inbox_commits"),
    Statement("ALTER TABLE alfred_inbox_commits_2 RENAME TO alfred_inbox_commits"),
    Statement("CREATE INDEX alfred_inbox_commits_by_consumer "
              "ON alfred_inbox_commits (consumer, committed_ms)"),
};
constexpr std::array kCountedTargets{
    Statement("INSERT INTO alfred_inbox_counters (name, value) VALUES ('targets', 0)")};
constexpr std::array kMigrations{Migration{1, kTables}, Migration{2, kFewerTrees},
                                 Migration{3, kCountedTargets}};

constexpr std::array kNewestForms{
    Statement("CREATE TABLE alfred_inbox_entries ("
              "id text PRIMARY KEY, inbox text NOT NULL "
              "REFERENCES alfred_inbox_inboxes (id) ON DELETE CASCADE, "
              "sequence integer NOT NULL, kind text NOT NULL, item text, "
              "thread text REFERENCES alfred_inbox_threads (id) ON DELETE CASCADE, "
              "revision integer, through_place integer, created_ms integer NOT NULL, "
              "acked_ms integer, is_superseded integer NOT NULL) WITHOUT ROWID"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_entries_by_inbox "
              "ON alfred_inbox_entries (inbox, sequence)"),
    Statement("CREATE INDEX alfred_inbox_entries_unacked "
              "ON alfred_inbox_entries (inbox, sequence) WHERE acked_ms IS NULL"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_entries_by_thread "
              "ON alfred_inbox_entries (thread, revision) WHERE thread IS NOT NULL"),
    Statement(
        "CREATE TABLE alfred_inbox_items ("
        "id text PRIMARY KEY, inbox text NOT NULL "
        "REFERENCES alfred_inbox_inboxes (id) ON DELETE CASCADE, "
        "event text NOT NULL, subscription text, created_ms integer NOT NULL, acked_ms integer, "
        "thread text REFERENCES alfred_inbox_threads (id) ON DELETE CASCADE, "
        "thread_place integer, acked_revision integer, UNIQUE (inbox, event)) WITHOUT ROWID"),
    Statement("CREATE UNIQUE INDEX alfred_inbox_items_by_thread "
              "ON alfred_inbox_items (thread, thread_place) WHERE thread IS NOT NULL"),
    Statement("CREATE INDEX alfred_inbox_items_acked "
              "ON alfred_inbox_items (acked_ms) WHERE acked_ms IS NOT NULL"),
    Statement("CREATE TABLE alfred_inbox_commits ("
              "id text PRIMARY KEY, consumer text NOT NULL "
              "REFERENCES alfred_inbox_consumers (id) ON DELETE CASCADE, "
              "kind text NOT NULL, place integer NOT NULL, committed_ms integer NOT NULL) "
              "WITHOUT ROWID"),
    Statement("CREATE INDEX alfred_inbox_commits_by_consumer "
              "ON alfred_inbox_commits (consumer, committed_ms)"),
};
constexpr auto kNewest = joined(joined(kSteady, kNewestForms), kCountedTargets);

}  // namespace

StateTables inbox_tables() { return {"inbox", kMigrations, kNewest}; }

}  // namespace alfred::inbox
