#include "inbox/wake/dispatch.h"

#include <algorithm>

#include "inbox/flow/read.h"
#include "inbox/registry/agents.h"

namespace alfred::inbox {
namespace {

constexpr std::int64_t kEntriesSent = 20;

// A clock that was set back makes a wake-up early rather than late. Writers that waited for one
// another, or run on two machines, may differ by a little: that is no clock that was set back.
constexpr std::int64_t kSetBackMs = 10'000;
constexpr Statement kDue(
    "SELECT target, agent FROM (SELECT d.target AS target, t.agent AS agent, d.due_ms AS due_ms, "
    "row_number() OVER (PARTITION BY t.agent ORDER BY d.due_ms, d.target) AS turn "
    "FROM alfred_inbox_dispatch d JOIN alfred_inbox_targets t ON t.id = d.target "
    "WHERE d.due_ms IS NOT NULL AND (d.due_ms <= :now OR d.set_ms > :back) "
    "AND CASE WHEN d.attempts > 0 THEN 1 ELSE 0 END = :failed "
    "AND t.status = 'active' AND ((t.kind = 'webhook' AND :webhook = 1) "
    "OR (t.kind = 'terminal' AND :terminal = 1) OR (t.kind = 'session' AND :session = 1) "
    "OR (t.kind = 'mcp' AND :mcp = 1)) AND (:agent = '' OR t.agent = :agent)) AS due "
    "WHERE turn <= :of_one ORDER BY turn, due_ms, target LIMIT :most");
constexpr Statement kTarget(
    "SELECT t.kind, t.agent, i.id, t.address, t.secret, t.config, t.min_unacked, d.pending, "
    "d.attempts, d.flight, d.flight_until_ms, d.due_ms, d.set_ms "
    "FROM alfred_inbox_targets t JOIN alfred_inbox_dispatch d ON d.target = t.id "
    "JOIN alfred_inbox_inboxes i ON i.agent = t.agent "
    "WHERE t.id = :id AND t.status = 'active'");
constexpr Statement kUnacked(
    "SELECT count(*), max(sequence) FROM alfred_inbox_entries "
    "WHERE inbox = :inbox AND acked_ms IS NULL AND is_superseded = 0");
constexpr Statement kEntryAt(
    "SELECT id FROM alfred_inbox_entries WHERE inbox = :inbox AND sequence = :sequence");
constexpr Statement kWebhook(
    "SELECT 1 FROM alfred_inbox_targets "
    "WHERE agent = :agent AND kind = 'webhook' AND status = 'active'");
constexpr Statement kNothing(
    "UPDATE alfred_inbox_dispatch SET due_ms = NULL, pending = 0, attempts = 0, flight = NULL, "
    "flight_until_ms = NULL, lease_until_ms = NULL WHERE target = :id");
constexpr Statement kNotNow("UPDATE alfred_inbox_dispatch SET due_ms = NULL WHERE target = :id");
constexpr Statement kAddActivation(
    "INSERT INTO alfred_inbox_activations (id, agent, target, kind, unacked, latest_entry, attempt, "
    "status, created_ms) VALUES (:id, :agent, :target, :kind, :unacked, :latest, 0, 'sending', "
    ":now) ON CONFLICT (id) DO NOTHING");
constexpr Statement kArrived(
    "SELECT 1 FROM alfred_inbox_activations a JOIN alfred_inbox_entries e "
    "ON e.id = a.latest_entry WHERE a.id = :id AND e.acked_ms IS NOT NULL");
constexpr Statement kAttempt(
    "UPDATE alfred_inbox_activations SET attempt = attempt + 1, status = 'sending', "
    "unacked = :unacked, latest_entry = :latest WHERE id = :id");
constexpr Statement kTake(
    "UPDATE alfred_inbox_dispatch SET flight = :flight, flight_until_ms = :until, due_ms = :until, "
    "set_ms = :now, attempts = attempts + 1 WHERE target = :id RETURNING attempts");
constexpr Statement kMine(
    "SELECT d.attempts, t.lease_ms FROM alfred_inbox_dispatch d "
    "JOIN alfred_inbox_targets t ON t.id = d.target WHERE d.target = :id AND d.flight = :flight "
    "AND d.flight_until_ms IS NOT NULL");
constexpr Statement kEnd(
    "UPDATE alfred_inbox_activations SET status = :status, error = :error, finished_ms = :now "
    "WHERE id = :id");
constexpr Statement kDelivered(
    "UPDATE alfred_inbox_dispatch SET flight = NULL, flight_until_ms = NULL, attempts = 0, "
    "pending = CASE WHEN pending > :pending THEN pending - :pending ELSE 0 END, due_ms = NULL, "
    "set_ms = :now, lease_until_ms = :until, told_sequence = :newest WHERE target = :id");
constexpr Statement kAfterLease(
    "UPDATE alfred_inbox_dispatch SET due_ms = lease_until_ms WHERE target = :id");
constexpr Statement kAgain(
    "UPDATE alfred_inbox_dispatch SET due_ms = :now, lease_until_ms = NULL WHERE target = :id");
constexpr Statement kLater(
    "UPDATE alfred_inbox_dispatch SET flight_until_ms = NULL, due_ms = :due, set_ms = :now "
    "WHERE target = :id");

bool is_free(const Row& row, std::int64_t now) {
  if (is_null_at(row, 11)) return false;
  const bool is_set_back = number_at(row, 12) > now + kSetBackMs;
  if (number_at(row, 11) > now && !is_set_back) return false;
  return is_null_at(row, 10) || number_at(row, 10) <= now || is_set_back;
}

// What the latest entry says, in a few words: its message, else its variant and native id.
std::string preview_of(const Json& entry) {
  const Json& item = entry.at("items").as_array().back();
  const Json& payload = item.at("rawPayload");
  const Json* const message =
      payload.is_object() ? payload.as_object().if_contains("message") : nullptr;
  if (message != nullptr && message->is_string()) return std::string(message->as_string());
  return std::string(item.at("eventVariant").as_string()) + " " +
         std::string(item.at("sourceNativeId").as_string());
}

void fill_entries(Sql& sql, WakeRequest& request, std::int64_t newest) {
  const Json* const mode = request.config.is_object()
                               ? request.config.as_object().if_contains("activationMode")
                               : nullptr;
  const bool with_items =
      request.kind == "session" ||
      (mode != nullptr && mode->is_string() && mode->as_string() == "activation_with_items");
  if (with_items) {
    const Result<Json> read = read_entries(sql, request.agent, {{}, false, kEntriesSent});
    if (read) request.entries = read->at("entries");
  }
  if (request.kind != "terminal") return;
  const Result<Json> all = entry_at(sql, request.agent, newest);
  if (all && all->is_object() && !all->at("items").as_array().empty())
    request.preview = preview_of(*all);
}

// R1. One whose entries were acked has arrived, whatever became of who made it.
std::string activation_for(Sql& sql, const Row& row, const WakeRequest& request) {
  std::string id = text_at(row, 9);
  if (!id.empty() && sql.first(kArrived, {{"id", id}})) id.clear();
  if (id.empty())
    id = sql.add<IdKind::activation>(kAddActivation, {{"agent", request.agent},
                                                      {"target", request.target},
                                                      {"kind", request.kind},
                                                      {"unacked", request.unacked},
                                                      {"latest", request.latest_entry},
                                                      {"now", sql.now_ms()}});
  sql.all(kAttempt, {{"unacked", request.unacked}, {"latest", request.latest_entry}, {"id", id}});
  return id;
}

// What was acked before the wake-up was over needs no lease. A session acks what it dealt with:
// what it left came later, and wakes it at once. What came while it was told is told at the end of
// the lease, or at once where the rest was acked meanwhile: the sequences say so, since an ack
// clears the count of what waits.
void settle_delivered(Sql& sql, const Flight& flight) {
  const WakeRequest& request = flight.request;
  const std::optional<Row> left = sql.first(kUnacked, {{"inbox", request.inbox}});
  if (!left || number_at(*left, 0) == 0) {
    sql.all(kNothing, {{"id", request.target}});
    return;
  }
  const bool has_newer = number_at(*left, 1) > flight.newest;
  if (request.kind == "session" || (has_newer && sql.first(kArrived, {{"id", request.activation}})))
    sql.all(kAgain, {{"now", sql.now_ms()}, {"id", request.target}});
  else if (has_newer)
    sql.all(kAfterLease, {{"id", request.target}});
}

}  // namespace

std::int64_t backoff_ms(std::int64_t attempts) {
  const std::int64_t doublings = std::clamp<std::int64_t>(attempts - 1, 0, 10);
  return std::min<std::int64_t>(5'000LL << doublings, 300'000);
}

std::vector<DueWake> due_targets(Sql& sql, const Wakers& wakers, std::int64_t most) {
  std::vector<DueWake> out;
  const auto has = [&](const char* kind) { return std::int64_t{wakers.of(kind) != nullptr}; };
  for (const bool has_failed : {false, true})
    for (const Row& row : sql.all(kDue, {{"now", sql.now_ms()},
                                         {"back", sql.now_ms() + kSetBackMs},
                                         {"failed", std::int64_t{has_failed}},
                                         {"webhook", has("webhook")},
                                         {"terminal", has("terminal")},
                                         {"session", has("session")},
                                         {"mcp", has("mcp")},
                                         {"agent", wakers.only_agent},
                                         {"of_one", kOfOneAgent},
                                         {"most", most}}))
      out.push_back({text_at(row, 0), text_at(row, 1), has_failed});
  return out;
}

std::optional<Flight> begin_wake(Sql& sql, const std::string& target, const Wakers& wakers) {
  const std::optional<Row> row = sql.first(kTarget, {{"id", target}});
  if (!row || !is_free(*row, sql.now_ms()) || wakers.of(text_at(*row, 0)) == nullptr)
    return std::nullopt;
  Flight out;
  WakeRequest& request = out.request;
  request.kind = text_at(*row, 0);
  request.target = target;
  request.agent = text_at(*row, 1);
  request.inbox = text_at(*row, 2);
  request.address = text_at(*row, 3);
  request.secret = text_at(*row, 4);
  request.config = json_at(*row, 5);
  request.at_ms = sql.now_ms();
  const std::optional<Row> unacked = sql.first(kUnacked, {{"inbox", request.inbox}});
  request.unacked = unacked ? number_at(*unacked, 0) : 0;
  if (request.unacked == 0) {
    sql.all(kNothing, {{"id", target}});
    return std::nullopt;
  }
  const bool is_outdone =
      request.kind == "terminal" && sql.first(kWebhook, {{"agent", request.agent}}).has_value();
  if (is_outdone || request.unacked < number_at(*row, 6)) {
    sql.all(kNotNow, {{"id", target}});
    return std::nullopt;
  }
  out.pending = number_at(*row, 7);
  out.newest = number_at(*unacked, 1);
  const std::optional<Row> latest =
      sql.first(kEntryAt, {{"inbox", text_at(*row, 2)}, {"sequence", out.newest}});
  request.latest_entry = latest ? text_at(*latest, 0) : "";
  fill_entries(sql, request, out.newest);
  request.activation = activation_for(sql, *row, request);
  out.attempt = sql.number(kTake, {{"flight", request.activation},
                                   {"until", sql.now_ms() + kFlightMs},
                                   {"now", sql.now_ms()},
                                   {"id", target}});
  return out;
}

bool finish_wake(Sql& sql, const Flight& flight, const WakeOutcome& outcome) {
  const WakeRequest& request = flight.request;
  const std::optional<Row> mine =
      sql.first(kMine, {{"id", request.target}, {"flight", request.activation}});
  if (!mine || number_at(*mine, 0) != flight.attempt) return false;
  using Kind = WakeOutcome::Kind;
  const std::string_view status = outcome.kind == Kind::delivered ? "delivered"
                                  : outcome.kind == Kind::busy    ? "deferred"
                                                                  : "failed";
  sql.all(kEnd, {{"status", text_value(status)},
                 {"error", outcome.reason.empty() ? Value() : Value(outcome.reason)},
                 {"now", sql.now_ms()},
                 {"id", request.activation}});
  if (outcome.kind == Kind::delivered) {
    sql.all(kDelivered, {{"pending", flight.pending},
                         {"until", sql.now_ms() + number_at(*mine, 1)},
                         {"now", sql.now_ms()},
                         {"newest", flight.newest},
                         {"id", request.target}});
    settle_delivered(sql, flight);
  } else if (outcome.kind == Kind::gone) {
    take_offline(sql, request.target, outcome.reason);
  } else {
    sql.all(kLater, {{"due", sql.now_ms() + backoff_ms(flight.attempt)},
                     {"now", sql.now_ms()},
                     {"id", request.target}});
  }
  return true;
}

}  // namespace alfred::inbox
