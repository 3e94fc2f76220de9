#include "inbox/flow/intents.h"

namespace alfred::inbox {
namespace {

constexpr Statement kRaise(
    "UPDATE alfred_inbox_dispatch SET pending = pending + :entries, set_ms = :now, "
    "due_ms = CASE WHEN lease_until_ms > :now THEN lease_until_ms "
    "WHEN attempts > 0 AND due_ms IS NOT NULL THEN due_ms "
    "WHEN pending + :entries >= :many THEN :now "
    "WHEN due_ms IS NOT NULL THEN due_ms ELSE :soon END "
    "WHERE target IN (SELECT id FROM alfred_inbox_targets "
    "WHERE agent = :agent AND status = 'active')");
constexpr Statement kNewest(
    "SELECT max(sequence) FROM alfred_inbox_entries "
    "WHERE inbox = :inbox AND acked_ms IS NULL AND is_superseded = 0");
// An attempt that is under way goes on counting: who makes it is believed at its end.
constexpr Statement kQuiet(
    "UPDATE alfred_inbox_dispatch SET pending = 0, due_ms = NULL, lease_until_ms = NULL, "
    "attempts = CASE WHEN flight_until_ms IS NULL THEN 0 ELSE attempts END "
    "WHERE target IN (SELECT id FROM alfred_inbox_targets WHERE agent = :agent) "
    "AND (pending > 0 OR attempts > 0 OR due_ms IS NOT NULL OR lease_until_ms IS NOT NULL)");
constexpr Statement kOnceMore(
    "UPDATE alfred_inbox_dispatch SET due_ms = :now, set_ms = :now, lease_until_ms = NULL "
    "WHERE told_sequence < :newest AND lease_until_ms IS NOT NULL AND target IN "
    "(SELECT id FROM alfred_inbox_targets WHERE agent = :agent AND status = 'active')");

}  // namespace

void raise_intents(Sql& sql, std::string_view agent, std::int64_t entries) {
  if (entries == 0) return;
  sql.all(kRaise, {{"entries", entries},
                   {"now", sql.now_ms()},
                   {"many", kWakeAtOnce},
                   {"soon", sql.now_ms() + kWakeWindowMs},
                   {"agent", text_value(agent)}});
}

void settle_intents(Sql& sql, std::string_view agent, std::string_view inbox) {
  const std::optional<Row> newest = sql.first(kNewest, {{"inbox", text_value(inbox)}});
  if (!newest || is_null_at(*newest, 0)) {
    sql.all(kQuiet, {{"agent", text_value(agent)}});
    return;
  }
  sql.all(kOnceMore,
          {{"now", sql.now_ms()}, {"newest", number_at(*newest, 0)}, {"agent", text_value(agent)}});
}

}  // namespace alfred::inbox
