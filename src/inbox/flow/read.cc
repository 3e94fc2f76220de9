#include "inbox/flow/read.h"

#include "inbox/fields.h"
#include "inbox/flow/ack.h"
#include "inbox/registry/agents.h"

namespace alfred::inbox {
namespace {

// An entry, and its item where it holds one.
constexpr Statement kEntries(
    "SELECT e.id, e.inbox, e.sequence, e.kind, e.thread, e.revision, e.through_place, "
    "e.created_ms, e.acked_ms, t.group_key, i.id, s.source, v.native_id, v.variant, v.occurred_ms, "
    "v.body, i.acked_ms, i.subscription, v.id FROM alfred_inbox_entries e "
    "LEFT JOIN alfred_inbox_threads t ON t.id = e.thread "
    "LEFT JOIN alfred_inbox_items i ON i.id = e.item "
    "LEFT JOIN alfred_inbox_events v ON v.id = i.event "
    "LEFT JOIN alfred_inbox_streams s ON s.id = v.stream "
    "WHERE e.inbox = (SELECT b.id FROM alfred_inbox_inboxes b WHERE b.agent = :agent) "
    "AND e.sequence > :after AND e.is_superseded = 0 AND e.acked_ms IS NULL "
    "ORDER BY e.sequence LIMIT :most");
constexpr Statement kAllEntries(
    "SELECT e.id, e.inbox, e.sequence, e.kind, e.thread, e.revision, e.through_place, "
    "e.created_ms, e.acked_ms, t.group_key, i.id, s.source, v.native_id, v.variant, v.occurred_ms, "
    "v.body, i.acked_ms, i.subscription, v.id FROM alfred_inbox_entries e "
    "LEFT JOIN alfred_inbox_threads t ON t.id = e.thread "
    "LEFT JOIN alfred_inbox_items i ON i.id = e.item "
    "LEFT JOIN alfred_inbox_events v ON v.id = i.event "
    "LEFT JOIN alfred_inbox_streams s ON s.id = v.stream "
    "WHERE e.inbox = (SELECT b.id FROM alfred_inbox_inboxes b WHERE b.agent = :agent) "
    "AND e.sequence > :after AND e.is_superseded = 0 ORDER BY e.sequence LIMIT :most");
constexpr std::size_t kItemOfEntry = 10;  // where its columns begin
constexpr Statement kThreadItems(
    "SELECT i.id, s.source, v.native_id, v.variant, v.occurred_ms, v.body, i.acked_ms, "
    "i.subscription, v.id FROM alfred_inbox_items i JOIN alfred_inbox_events v ON v.id = i.event "
    "JOIN alfred_inbox_streams s ON s.id = v.stream WHERE i.thread = :thread "
    "AND i.thread_place <= :through "
    "AND (i.acked_revision IS NULL OR i.acked_revision >= :revision) "
    "ORDER BY i.thread_place");
constexpr Statement kCounts(
    "SELECT count(*), count(acked_ms) FROM alfred_inbox_items WHERE inbox = :inbox");
constexpr Statement kNewest("SELECT max(sequence) FROM alfred_inbox_entries WHERE inbox = :inbox");
constexpr Statement kPolicy(
    "SELECT digest_on, window_ms, max_items, max_age_ms FROM alfred_inbox_inboxes "
    "WHERE id = :inbox");
constexpr Statement kSetPolicy(
    "UPDATE alfred_inbox_inboxes SET digest_on = :is_on, window_ms = :window, "
    "max_items = :items, max_age_ms = :age WHERE id = :inbox");

// Its columns begin there: as kThreadItems has them.
Json item_json(const Row& row, std::size_t at = 0) {
  Json body = json_at(row, at + 5);
  JsonObject out{{"itemId", text_at(row, at)},
                 {"sourceId", text_at(row, at + 1)},
                 {"sourceNativeId", text_at(row, at + 2)},
                 {"eventVariant", text_at(row, at + 3)},
                 {"occurredAt", time_at(row, at + 4)},
                 {"ackedAt", time_at(row, at + 6)},
                 {"subscriptionId", maybe_at(row, at + 7)},
                 {"streamEventId", text_at(row, at + 8)}};
  if (JsonObject* const object = body.if_object())
    for (auto& member : *object) out[member.key()] = std::move(member.value());
  return out;
}

Json entry_json(Sql& sql, const Row& row, std::string_view agent) {
  JsonObject out{{"entryId", text_at(row, 0)},    {"inboxId", text_at(row, 1)},
                 {"agentId", std::string(agent)}, {"sequence", number_at(row, 2)},
                 {"kind", text_at(row, 3)},       {"createdAt", time_at(row, 7)},
                 {"ackedAt", time_at(row, 8)}};
  JsonArray items;
  if (is_null_at(row, 4)) {
    if (!is_null_at(row, kItemOfEntry + 8)) items.push_back(item_json(row, kItemOfEntry));
  } else {
    const Value thread(text_at(row, 4));
    const Value through(number_at(row, 6));
    const Value revision(number_at(row, 5));
    for (const Row& item :
         sql.all(kThreadItems, {{"thread", thread}, {"through", through}, {"revision", revision}}))
      items.push_back(item_json(item));
    out["threadId"] = text_at(row, 4);
    out["revision"] = number_at(row, 5);
    out["groupKey"] = text_at(row, 9);
  }
  out["count"] = std::ssize(items);
  out["items"] = std::move(items);
  return out;
}

Json policy_json(const Row& row) {
  return JsonObject{{"enabled", number_at(row, 0) != 0},
                    {"windowMs", number_at(row, 1)},
                    {"maxItems", number_at(row, 2)},
                    {"maxThreadAgeMs", number_at(row, 3)}};
}

}  // namespace

Result<Json> read_entries(Sql& sql, std::string_view agent, const ReadEntries& read) {
  std::int64_t after = 0;
  if (!read.after_entry.empty()) {
    const Result<std::string> inbox = inbox_of(sql, agent);
    if (!inbox) return Unexpected(inbox.error());
    const Result<std::int64_t> sequence = sequence_of(sql, *inbox, read.after_entry);
    if (!sequence) return Unexpected(sequence.error());
    after = *sequence;
  }
  const std::vector<Row> rows =
      sql.all(read.with_acked ? kAllEntries : kEntries,
              {{"agent", text_value(agent)}, {"after", after}, {"most", row_limit(read.most)}});
  if (rows.empty())  // or there is no such agent
    if (const Result<std::string> inbox = inbox_of(sql, agent); !inbox)
      return Unexpected(inbox.error());
  return page_json("entries", read.most, rows,
                   [&](const Row& row) { return entry_json(sql, row, agent); });
}

Result<Json> entry_at(Sql& sql, std::string_view agent, std::int64_t sequence) {
  const std::optional<Row> row =
      sql.first(kAllEntries,
                {{"agent", text_value(agent)}, {"after", sequence - 1}, {"most", std::int64_t{1}}});
  return row ? entry_json(sql, *row, agent) : Json();
}

Result<Json> newest_entry(Sql& sql, std::string_view agent) {
  const Result<std::string> inbox = inbox_of(sql, agent);
  if (!inbox) return Unexpected(inbox.error());
  const std::optional<Row> row = sql.first(kNewest, {{"inbox", *inbox}});
  return JsonObject{{"sequence", row && !is_null_at(*row, 0) ? number_at(*row, 0) : 0}};
}

Result<Json> inbox_details(Sql& sql, std::string_view agent) {
  const Result<std::string> inbox = inbox_of(sql, agent);
  if (!inbox) return Unexpected(inbox.error());
  Result<Json> out = agent_details(sql, agent);
  const std::optional<Row> counts = sql.first(kCounts, {{"inbox", *inbox}});
  if (!out || !counts) return out;
  const std::int64_t total = number_at(*counts, 0);
  const std::int64_t acked = number_at(*counts, 1);
  out->as_object()["itemCounts"] =
      JsonObject{{"total", total}, {"acked", acked}, {"unacked", total - acked}};
  return out;
}

Result<Json> inbox_policy(Sql& sql, std::string_view agent) {
  const Result<std::string> inbox = inbox_of(sql, agent);
  if (!inbox) return Unexpected(inbox.error());
  const std::optional<Row> row = sql.first(kPolicy, {{"inbox", *inbox}});
  return row ? policy_json(*row) : Json();
}

Result<Json> set_inbox_policy(Sql& sql, std::string_view agent, const Json& request) {
  Fields fields(request, {"enabled", "windowMs", "maxItems", "maxThreadAgeMs"});
  const Result<std::string> inbox = inbox_of(sql, agent);
  if (!inbox) return Unexpected(inbox.error());
  const std::optional<Row> row = sql.first(kPolicy, {{"inbox", *inbox}});
  if (!row) return Json();
  constexpr std::int64_t kYearMs = 365LL * 86'400'000;
  const bool is_on = fields.maybe_flag("enabled").value_or(number_at(*row, 0) != 0);
  const auto window = fields.maybe_number("windowMs", 0, 86'400'000).value_or(number_at(*row, 1));
  const auto items = fields.maybe_number("maxItems", 1, 10'000).value_or(number_at(*row, 2));
  const auto age = fields.maybe_number("maxThreadAgeMs", 0, kYearMs).value_or(number_at(*row, 3));
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  sql.all(kSetPolicy, {{"is_on", std::int64_t{is_on}},
                       {"window", window},
                       {"items", items},
                       {"age", age},
                       {"inbox", *inbox}});
  sql.renew("subscriptions");
  return inbox_policy(sql, agent);
}

}  // namespace alfred::inbox
