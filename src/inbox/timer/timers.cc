#include "inbox/timer/timers.h"

#include "base/time/clock.h"
#include "inbox/fields.h"
#include "inbox/flow/append.h"
#include "inbox/registry/agents.h"
#include "inbox/timer/timer_rule.h"

namespace alfred::inbox {
namespace {

constexpr Statement kAdd(
    "INSERT INTO alfred_inbox_timers (id, agent, kind, rule, zone, message, sender, status, "
    "next_ms, created_ms, updated_ms) VALUES (:id, :agent, :kind, :rule, :zone, :message, :sender, "
    "'active', :next, :now, :now) ON CONFLICT (id) DO NOTHING");
constexpr Statement kOne(
    "SELECT id, agent, kind, rule, zone, message, sender, status, next_ms, last_ms, created_ms "
    "FROM alfred_inbox_timers WHERE id = :id");
constexpr Statement kList(
    "SELECT id, agent, kind, rule, zone, message, sender, status, next_ms, last_ms, created_ms "
    "FROM alfred_inbox_timers WHERE (:agent = '' OR agent = :agent) "
    "AND (created_ms, id) > (:after_ms, :after) ORDER BY created_ms, id LIMIT :most");
constexpr Statement kMade("SELECT created_ms FROM alfred_inbox_timers WHERE id = :id");
constexpr Statement kDue(
    "SELECT id, agent, kind, rule, zone, message, sender, status, next_ms, last_ms, created_ms "
    "FROM alfred_inbox_timers WHERE next_ms <= :now ORDER BY next_ms, id LIMIT :most");
constexpr Statement kFired(
    "UPDATE alfred_inbox_timers SET next_ms = :next, last_ms = :last, status = :status, "
    "updated_ms = :now WHERE id = :id");
constexpr Statement kSet(
    "UPDATE alfred_inbox_timers SET next_ms = :next, status = :status, updated_ms = :now "
    "WHERE id = :id");
constexpr Statement kRemove("DELETE FROM alfred_inbox_timers WHERE id = :id RETURNING id");

Json timer_json(const Row& row) {
  JsonObject out{{"scheduleId", text_at(row, 0)},  {"agentId", text_at(row, 1)},
                 {"mode", text_at(row, 2)},        {"timezone", text_at(row, 4)},
                 {"message", text_at(row, 5)},     {"sender", text_at(row, 6)},
                 {"status", text_at(row, 7)},      {"nextFireAt", time_at(row, 8)},
                 {"lastFiredAt", time_at(row, 9)}, {"createdAt", time_at(row, 10)}};
  if (text_at(row, 2) == "every")
    out["everyMs"] = std::atoll(text_at(row, 3).c_str());
  else
    out[text_at(row, 2)] = text_at(row, 3);
  return out;
}

TimerRule rule_of(const Row& row) { return {text_at(row, 2), text_at(row, 3), text_at(row, 4)}; }

Result<Row> find_timer(Sql& sql, std::string_view timer) {
  const Result<std::string> id = id_text<IdKind::timer_schedule>(timer);
  if (!id) return Unexpected(id.error());
  std::optional<Row> row = sql.first(kOne, {{"id", *id}});
  if (!row) return no_record("timer", *id, "List timers first.");
  return std::move(*row);
}

Json shown(Sql& sql, const std::string& id) {
  const std::optional<Row> row = sql.first(kOne, {{"id", id}});
  return row ? timer_json(*row) : Json();
}

struct Due {
  std::int64_t nominal = 0, missed = 0;
  std::optional<std::int64_t> next;
};

// Of a timer that is due: which occurrence it fires for, and when it is next (R2).
Result<Due> due_of(const Row& row, std::int64_t now) {
  const Result<TimerTimes> times = TimerTimes::of(rule_of(row));
  if (!times) return Unexpected(times.error());
  Due out{number_at(row, 8), 0, std::nullopt};
  if (const std::int64_t period = times->period_ms(); period > 0) {
    out.missed = (now - out.nominal) / period;
    out.nominal += out.missed * period;
  }
  for (;;) {
    out.next = times->next(out.nominal, out.nominal);
    if (!out.next || *out.next > now) return out;
    if (out.missed >= kMostMissed) break;
    out.nominal = *out.next;
    ++out.missed;
  }
  out.next = times->next(now, out.nominal);
  return out;
}

void fire(Sql& sql, const Row& row) {
  const std::string id = text_at(row, 0);
  const std::string agent = text_at(row, 1);
  const Result<Due> due = due_of(row, sql.now_ms());
  if (!due) {  // its zone went away: it is kept, and says so by its status
    sql.all(
        kSet,
        {{"next", Value()}, {"status", text_value("failed")}, {"now", sql.now_ms()}, {"id", id}});
    return;
  }
  const std::string nominal = rfc3339_utc(due->nominal);
  const Result<std::string> inbox = inbox_of(sql, agent);
  if (!inbox) return sql.keep(inbox.error());
  const Result<Json> sent = send_direct(sql, {agent, *inbox, "timer", id + "@" + nominal,
                                              JsonObject{{"message", text_at(row, 5)},
                                                         {"sender", text_at(row, 6)},
                                                         {"scheduleId", id},
                                                         {"nominalAt", nominal},
                                                         {"missed", due->missed}}});
  if (!sent) return sql.keep(sent.error());
  sql.all(kFired, {{"next", maybe_value(due->next)},
                   {"last", due->nominal},
                   {"status", text_value(due->next ? "active" : "done")},
                   {"now", sql.now_ms()},
                   {"id", id}});
}

}  // namespace

Result<Json> add_timer(Sql& sql, const Json& request) {
  Fields fields(request, {"agentId", "message", "at", "every", "cron", "timezone", "sender"});
  const std::string agent_id = fields.text("agentId");
  const std::string message = fields.text("message");
  const std::string sender = fields.maybe_text("sender").value_or("timer");
  const Result<TimerRule> rule = read_rule(fields);
  if (!rule) return Unexpected(rule.error());
  if (message.size() > 65'536)
    return fail(ErrorCode::limit, "A timer's message has at most 65536 bytes.", "message");
  const Result<std::string> agent = find_online_agent(sql, agent_id);
  if (!agent) return Unexpected(agent.error());
  // An instant that is past fires at once.
  const std::int64_t after = rule->kind == "at" ? INT64_MIN : sql.now_ms();
  const Result<TimerTimes> times = TimerTimes::of(*rule);
  if (!times) return Unexpected(times.error());
  const std::optional<std::int64_t> next = times->next(after, sql.now_ms());
  if (!next)
    return fail(ErrorCode::value, "This rule never fires. Give days that exist.", rule->kind);
  const std::string id = sql.add<IdKind::timer_schedule>(kAdd, {{"agent", *agent},
                                                                {"kind", rule->kind},
                                                                {"rule", rule->rule},
                                                                {"zone", rule->zone},
                                                                {"message", message},
                                                                {"sender", sender},
                                                                {"next", *next},
                                                                {"now", sql.now_ms()}});
  return shown(sql, id);
}

Result<Json> list_timers(Sql& sql, std::string_view agent, const ListPage& page) {
  const Result<PageStart> from = page_start<IdKind::timer_schedule>(sql, "timer", page, kMade);
  if (!from) return Unexpected(from.error());
  const std::vector<Row> rows = sql.all(kList, {{"agent", text_value(agent)},
                                                {"after_ms", from->after_ms},
                                                {"after", from->after},
                                                {"most", row_limit(page.most)}});
  return page_json("timers", page.most, rows, timer_json);
}

Result<Json> pause_timer(Sql& sql, std::string_view timer) {
  const Result<Row> row = find_timer(sql, timer);
  if (!row) return Unexpected(row.error());
  if (text_at(*row, 7) != "active")
    return JsonObject{{"updated", false}, {"timer", timer_json(*row)}};
  const std::string id = text_at(*row, 0);
  sql.all(kSet,
          {{"next", Value()}, {"status", text_value("paused")}, {"now", sql.now_ms()}, {"id", id}});
  return JsonObject{{"updated", true}, {"timer", shown(sql, id)}};
}

Result<Json> resume_timer(Sql& sql, std::string_view timer) {
  const Result<Row> row = find_timer(sql, timer);
  if (!row) return Unexpected(row.error());
  if (text_at(*row, 7) != "paused")
    return JsonObject{{"updated", false}, {"timer", timer_json(*row)}};
  const std::string id = text_at(*row, 0);
  const TimerRule rule = rule_of(*row);
  // Phase: when it last fired, else when it was made. What a pause passed over is not made up for.
  const std::int64_t phase = is_null_at(*row, 9) ? number_at(*row, 10) : number_at(*row, 9);
  const Result<TimerTimes> times = TimerTimes::of(rule);
  if (!times) return Unexpected(times.error());
  const auto next = times->next(rule.kind == "at" ? INT64_MIN : sql.now_ms(), phase);
  sql.all(kSet, {{"next", maybe_value(next)},
                 {"status", text_value("active")},
                 {"now", sql.now_ms()},
                 {"id", id}});
  return JsonObject{{"updated", true}, {"timer", shown(sql, id)}};
}

Result<Json> remove_timer(Sql& sql, std::string_view timer) {
  const Result<Row> row = find_timer(sql, timer);
  if (!row) return Unexpected(row.error());
  sql.all(kRemove, {{"id", text_at(*row, 0)}});
  return JsonObject{{"removed", true}, {"scheduleId", text_at(*row, 0)}};
}

std::int64_t fire_due(Sql& sql, std::int64_t most) {
  const std::vector<Row> due = sql.all(kDue, {{"now", sql.now_ms()}, {"most", most}});
  for (const Row& row : due) fire(sql, row);
  return std::ssize(due);
}

}  // namespace alfred::inbox
