#include "inbox/flow/intents.h"

#include <algorithm>

namespace alfred::inbox {
namespace {

constexpr Statement kRaise(
    "UPDATE alfred_inbox_dispatch SET pending = pending + :entries, set_ms = :now, "
    "due_ms = CASE WHEN lease_until_ms > :now THEN lease_until_ms "
    "WHEN attempts > 0 AND due_ms IS NOT NULL THEN due_ms "
    "WHEN pending + :entries >= :many THEN :now "
    "WHEN due_ms IS NOT NULL THEN due_ms ELSE :soon END WHERE target = :target");
// What kRaise does where the time stays as it is. It says so without naming the time, whose index
// would be written anew.
constexpr Statement kRaiseAgain(
    "UPDATE alfred_inbox_dispatch SET pending = pending + :entries, set_ms = :now "
    "WHERE target = :target AND due_ms IS NOT NULL "
    "AND (lease_until_ms IS NULL OR lease_until_ms <= :now) "
    "AND (attempts > 0 OR pending + :entries < :many)");
constexpr Statement kTargets("SELECT id, status FROM alfred_inbox_targets WHERE agent = :agent");
constexpr Statement kNewest(
    "SELECT max(sequence) FROM alfred_inbox_entries "
    "WHERE inbox = :inbox AND acked_ms IS NULL AND is_superseded = 0");
// An attempt that is under way goes on counting: who makes it is believed at its end.
constexpr Statement kQuiet(
    "UPDATE alfred_inbox_dispatch SET pending = 0, due_ms = NULL, lease_until_ms = NULL, "
    "attempts = CASE WHEN flight_until_ms IS NULL THEN 0 ELSE attempts END "
    "WHERE target = :target "
    "AND (pending > 0 OR attempts > 0 OR due_ms IS NOT NULL OR lease_until_ms IS NOT NULL)");
constexpr Statement kOnceMore(
    "UPDATE alfred_inbox_dispatch SET due_ms = :now, set_ms = :now, lease_until_ms = NULL "
    "WHERE told_sequence < :newest AND lease_until_ms IS NOT NULL AND target = :target");

constexpr Statement kInbox("SELECT id FROM alfred_inbox_inboxes WHERE agent = :agent");
constexpr Statement kOwed(
    "UPDATE alfred_inbox_dispatch SET due_ms = :now, set_ms = :now WHERE due_ms IS NULL "
    "AND told_sequence < :newest AND target = :target");

}  // namespace

// Asked for before what is done to them, and sorted here: SQLite would put them into a table of its
// own for either.
TargetIds target_ids(Sql& sql, std::string_view agent, bool only_active) {
  TargetIds out;
  for (const Row& row : sql.all(kTargets, {{"agent", text_value(agent)}}))
    if (!only_active || text_at(row, 1) == "active") out.push_back(text_at(row, 0));
  std::sort(out.begin(), out.end());
  return out;
}

bool raise_intents(Sql& sql, std::string_view agent, std::int64_t entries) {
  if (entries == 0) return false;
  const TargetIds targets = target_ids(sql, agent, true);
  raise_intents_of(sql, targets, entries);
  return !targets.empty();
}

void raise_intents_of(Sql& sql, const TargetIds& active, std::int64_t entries) {
  if (entries == 0) return;
  for (const std::string& target : active) {
    if (sql.change(kRaiseAgain, {{"entries", entries},
                                 {"now", sql.now_ms()},
                                 {"many", kWakeAtOnce},
                                 {"target", target}}) > 0)
      continue;
    sql.change(kRaise, {{"entries", entries},
                        {"now", sql.now_ms()},
                        {"many", kWakeAtOnce},
                        {"soon", sql.now_ms() + kWakeWindowMs},
                        {"target", target}});
  }
}

void settle_intents(Sql& sql, const AgentPage& agent) {
  const std::optional<Row> newest = sql.first(kNewest, {{"inbox", agent.inbox}});
  if (!newest || is_null_at(*newest, 0)) {
    for (const std::string& target : agent.targets) sql.change(kQuiet, {{"target", target}});
    return;
  }
  for (const std::string& target : agent.active)
    sql.change(kOnceMore,
               {{"now", sql.now_ms()}, {"newest", number_at(*newest, 0)}, {"target", target}});
}

std::int64_t newest_unacked(Sql& sql, std::string_view agent) {
  const std::optional<Row> inbox = sql.first(kInbox, {{"agent", text_value(agent)}});
  if (!inbox) return 0;
  const std::optional<Row> newest = sql.first(kNewest, {{"inbox", text_at(*inbox, 0)}});
  return newest && !is_null_at(*newest, 0) ? number_at(*newest, 0) : 0;
}

void raise_owed(Sql& sql, std::string_view agent) {
  const std::int64_t newest = newest_unacked(sql, agent);
  if (newest == 0) return;
  for (const std::string& target : target_ids(sql, agent, true))
    sql.change(kOwed, {{"now", sql.now_ms()}, {"newest", newest}, {"target", target}});
}

}  // namespace alfred::inbox
