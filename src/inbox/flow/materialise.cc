#include "inbox/flow/materialise.h"

#include <fmt/format.h>

#include "inbox/flow/intents.h"

namespace alfred::inbox {
namespace {

constexpr Statement kInbox(
    "SELECT id, agent, digest_on, window_ms, max_items, max_age_ms FROM alfred_inbox_inboxes "
    "WHERE id = :id");
constexpr Statement kHas(
    "SELECT 1 FROM alfred_inbox_items WHERE inbox = :inbox AND event = :event");
constexpr Statement kAddItem(
    "INSERT INTO alfred_inbox_items (id, inbox, event, subscription, created_ms, thread, "
    "thread_place) VALUES (:id, :inbox, :event, :subscription, :now, :thread, :place) "
    "ON CONFLICT (id) DO NOTHING");
constexpr Statement kAddEntry(
    "INSERT INTO alfred_inbox_entries (id, inbox, sequence, kind, item, thread, revision, "
    "through_place, created_ms, is_superseded) VALUES (:id, :inbox, "
    "(SELECT value FROM alfred_inbox_counters WHERE name = 'sequence') + :more, :kind, :item, "
    ":thread, :revision, :through, :now, 0) ON CONFLICT (id) DO NOTHING");
constexpr Statement kOpenThread(
    "SELECT id, opened_ms, last_place, flushed_place FROM alfred_inbox_threads "
    "WHERE inbox = :inbox AND group_key = :key AND is_open = 1");
constexpr Statement kAddThread(
    "INSERT INTO alfred_inbox_threads (id, inbox, group_key, is_open, revision, last_place, "
    "flushed_place, opened_ms) VALUES (:id, :inbox, :key, 1, 0, 0, 0, :now) "
    "ON CONFLICT (id) DO NOTHING");
constexpr Statement kCloseThread("UPDATE alfred_inbox_threads SET is_open = 0 WHERE id = :id");
constexpr Statement kGrow(
    "UPDATE alfred_inbox_threads SET last_place = last_place + 1, flush_ms = :flush, "
    "flush_set_ms = :now WHERE id = :id RETURNING last_place - flushed_place, last_place");
constexpr Statement kFlushed(
    "UPDATE alfred_inbox_threads SET revision = revision + 1, flushed_place = :through, "
    "flush_ms = CASE WHEN last_place > :through THEN flush_ms ELSE NULL END "
    "WHERE id = :id RETURNING revision, inbox");
constexpr Statement kSupersede(
    "UPDATE alfred_inbox_entries SET is_superseded = 1 "
    "WHERE thread = :thread AND is_superseded = 0");
constexpr Statement kLastPlace("SELECT last_place FROM alfred_inbox_threads WHERE id = :id");
// A clock that was set back makes a window end early rather than never.
constexpr Statement kDue(
    "SELECT t.id, i.agent FROM alfred_inbox_threads t "
    "JOIN alfred_inbox_inboxes i ON i.id = t.inbox WHERE t.flush_ms IS NOT NULL "
    "AND (t.flush_ms <= :now OR t.flush_set_ms > :now) ORDER BY t.flush_ms, t.id LIMIT :most");

std::string text_in(const Json& body, std::string_view name) {
  const JsonObject* const object = body.if_object();
  const Json* const metadata = object == nullptr ? nullptr : object->if_contains("metadata");
  if (metadata == nullptr || !metadata->is_object()) return {};
  const Json* const value = metadata->as_object().if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::string group_of(const Inboxed& inbox, const NewItem& item) {
  const std::string resource = inbox.is_grouping ? text_in(item.body, "resourceRef") : "";
  if (resource.empty()) return {};
  const std::string family = text_in(item.body, "eventFamily");
  return fmt::format("{}::{}::{}", item.source, resource,
                     family.empty() ? item.variant : std::string_view(family));
}

// The open thread of a group, a new one where there is none or it takes no more (R5).
std::string thread_for(Sql& sql, const Inboxed& inbox, const std::string& key,
                       std::int64_t& entries) {
  const auto open = sql.first(kOpenThread, {{"inbox", inbox.id}, {"key", key}});
  if (open) {
    std::string id = text_at(*open, 0);
    if (sql.now_ms() - number_at(*open, 1) < inbox.max_age_ms &&
        number_at(*open, 2) < kMostOfThread)
      return id;
    if (number_at(*open, 2) > number_at(*open, 3)) {
      flush_thread(sql, id);
      ++entries;
    }
    sql.all(kCloseThread, {{"id", id}});
  }
  return sql.add<IdKind::digest_thread>(kAddThread,
                                        {{"inbox", inbox.id}, {"key", key}, {"now", sql.now_ms()}});
}

struct ItemPlace {
  Value thread, place;
};
std::string add_item(Sql& sql, const Inboxed& inbox, const NewItem& item, const ItemPlace& at) {
  return sql.add<IdKind::inbox_item>(
      kAddItem,
      {{"inbox", inbox.id},
       {"event", text_value(item.event)},
       {"subscription", item.subscription.empty() ? Value() : text_value(item.subscription)},
       {"now", sql.now_ms()},
       {"thread", at.thread},
       {"place", at.place}});
}

}  // namespace

Inboxed inbox_at(const Row& row, std::size_t at) {
  return {text_at(row, at),       text_at(row, at + 1),   number_at(row, at + 2) != 0,
          number_at(row, at + 3), number_at(row, at + 4), number_at(row, at + 5)};
}

Inboxed read_inbox(Sql& sql, std::string_view inbox) {
  const std::optional<Row> row = sql.first(kInbox, {{"id", text_value(inbox)}});
  return row ? inbox_at(*row, 0) : Inboxed();
}

Materialised materialise_item(Sql& sql, const Inboxed& inbox, const NewItem& item) {
  if (!item.is_first && sql.first(kHas, {{"inbox", inbox.id}, {"event", text_value(item.event)}}))
    return {};
  Materialised out;
  const std::string group = group_of(inbox, item);
  if (group.empty()) {
    out.item = add_item(sql, inbox, item, {});
    sql.add<IdKind::inbox_entry>(kAddEntry, {{"inbox", inbox.id},
                                             {"more", sql.next_sequence()},
                                             {"kind", text_value("item")},
                                             {"item", out.item},
                                             {"thread", Value()},
                                             {"revision", Value()},
                                             {"through", Value()},
                                             {"now", sql.now_ms()}});
    out.entries = 1;
    return out;
  }
  const std::string thread = thread_for(sql, inbox, group, out.entries);
  const std::optional<Row> grown = sql.first(
      kGrow, {{"flush", sql.now_ms() + inbox.window_ms}, {"now", sql.now_ms()}, {"id", thread}});
  if (!grown) return out;
  out.item = add_item(sql, inbox, item, {Value(thread), Value(number_at(*grown, 1))});
  if (number_at(*grown, 0) >= inbox.max_items || text_in(item.body, "flush") == "immediate") {
    flush_thread(sql, thread);
    ++out.entries;
  }
  return out;
}

std::string flush_thread(Sql& sql, std::string_view thread) {
  return write_snapshot(sql, thread, sql.number(kLastPlace, {{"id", text_value(thread)}}));
}

std::string write_snapshot(Sql& sql, std::string_view thread, std::int64_t through) {
  const std::optional<Row> row =
      sql.first(kFlushed, {{"through", through}, {"id", text_value(thread)}});
  if (!row) return {};
  sql.all(kSupersede, {{"thread", text_value(thread)}});
  return sql.add<IdKind::inbox_entry>(kAddEntry, {{"inbox", text_at(*row, 1)},
                                                  {"more", sql.next_sequence()},
                                                  {"kind", text_value("digest_snapshot")},
                                                  {"item", Value()},
                                                  {"thread", text_value(thread)},
                                                  {"revision", number_at(*row, 0)},
                                                  {"through", through},
                                                  {"now", sql.now_ms()}});
}

std::int64_t flush_due(Sql& sql, std::int64_t most) {
  const std::vector<Row> due = sql.all(kDue, {{"now", sql.now_ms()}, {"most", most}});
  for (const Row& row : due) {
    flush_thread(sql, text_at(row, 0));
    raise_intents(sql, text_at(row, 1), 1);
  }
  return std::ssize(due);
}

}  // namespace alfred::inbox
