#include "inbox/flow/pump.h"

#include <set>

#include "inbox/flow/intents.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/subscriptions.h"

namespace alfred::inbox {
namespace {

constexpr std::int64_t kEventsOfBatch = 100;
constexpr std::int64_t kItemsOfBatch = 1'000;

constexpr Statement kStream(
    "SELECT t.pumped, t.last_place, s.id, s.host, h.host_type, s.source_key "
    "FROM alfred_inbox_streams t JOIN alfred_inbox_sources s ON s.id = t.source "
    "JOIN alfred_inbox_hosts h ON h.id = s.host WHERE t.id = :id");
constexpr Statement kEvents(
    "SELECT place, id, native_id, variant, body FROM alfred_inbox_events "
    "WHERE stream = :stream AND place > :after AND place <= :last ORDER BY place LIMIT :most");
constexpr Statement kPumped("UPDATE alfred_inbox_streams SET pumped = :place WHERE id = :id");
constexpr Statement kBehind(
    "SELECT c.id, c.place, c.stream, i.id, b.agent, b.filter_text "
    "FROM alfred_inbox_consumers c JOIN alfred_inbox_subscriptions b ON b.id = c.subscription "
    "JOIN alfred_inbox_inboxes i ON i.agent = b.agent "
    "WHERE c.subscription = :id AND c.is_following = 0");
constexpr Statement kReadOn(
    "UPDATE alfred_inbox_consumers SET place = :place, is_following = :follows, "
    "updated_ms = :now WHERE id = :id");
constexpr Statement kAddDead(
    "INSERT INTO alfred_inbox_dead (id, subscription, event, reason, created_ms) "
    "VALUES (:id, :subscription, :event, :reason, :now) ON CONFLICT (id) DO NOTHING RETURNING id");
constexpr Statement kHasDead(
    "SELECT 1 FROM alfred_inbox_dead WHERE subscription = :subscription AND event = :event");
constexpr Statement kStreamsBehind(
    "SELECT id FROM alfred_inbox_streams WHERE pumped < last_place ORDER BY id LIMIT :most");
constexpr Statement kSubscriptionsBehind(
    "SELECT subscription FROM alfred_inbox_consumers WHERE is_following = 0 "
    "ORDER BY subscription LIMIT :most");
constexpr Statement kDead(
    "SELECT d.id, d.subscription, d.event, d.reason, d.created_ms, e.place, e.native_id "
    "FROM alfred_inbox_dead d JOIN alfred_inbox_events e ON e.id = d.event "
    "ORDER BY d.created_ms DESC, d.id LIMIT :most");

struct StreamRow {
  std::string id, source, host, host_type, source_key;
  std::int64_t pumped = 0, last_place = 0;
};

std::optional<StreamRow> read_stream(Sql& sql, const std::string& stream) {
  const std::optional<Row> row = sql.first(kStream, {{"id", stream}});
  if (!row) return std::nullopt;
  return StreamRow{stream,           text_at(*row, 2),   text_at(*row, 3),  text_at(*row, 4),
                   text_at(*row, 5), number_at(*row, 0), number_at(*row, 1)};
}

// One event beside the readers of its batch.
class Batch {
 public:
  Batch(Sql& sql, const StreamRow& stream) : sql_(sql), stream_(stream) {}

  void take(const Row& event, std::span<const Reader> readers) {
    place_ = number_at(event, 0);
    const Json body = json_at(event, 4);
    const JsonObject& parts = body.as_object();
    const std::string variant = text_at(event, 3);
    const EventView view{parts.at("metadata"), parts.at("rawPayload"), variant, stream_.host_type,
                         stream_.source_key};
    const NewItem item{text_at(event, 1), "", body, stream_.source, variant};
    for (const Reader& reader : readers)
      if (place_ > reader.place) offer(reader, view, item);
    note_end(view);
    ++done_.events;
  }

  // After the last event: who is to be woken, and the commits of those who got something.
  Pumped finish() {
    for (const auto& [agent, entries] : woken_) raise_intents(sql_, agent, entries);
    for (const std::string& consumer : consumers_) note_commit(sql_, consumer, "commit", place_);
    return done_;
  }
  std::int64_t place() const { return place_; }
  bool is_full() const { return done_.items >= kItemsOfBatch; }

 private:
  void offer(const Reader& reader, const EventView& view, const NewItem& item) {
    const Result<bool> matches = reader.filter.matches(view);
    if (!matches) return bury(reader, item.event, matches.error().message);
    if (!*matches) return;
    ++done_.matched;
    auto inbox = inboxes_.find(reader.inbox);
    if (inbox == inboxes_.end())
      inbox = inboxes_.emplace(reader.inbox, read_inbox(sql_, reader.inbox)).first;
    const NewItem mine{item.event, reader.subscription, item.body, item.source, item.variant};
    const Materialised made = materialise_item(sql_, inbox->second, mine);
    consumers_.insert(reader.consumer);
    if (made.item.empty()) return;
    ++done_.items;
    woken_[reader.agent] += made.entries;
  }
  void bury(const Reader& reader, const std::string& event, const std::string& reason) {
    if (sql_.first(kHasDead, {{"subscription", reader.subscription}, {"event", event}})) return;
    sql_.add<IdKind::dead_letter>(kAddDead, {{"subscription", reader.subscription},
                                             {"event", event},
                                             {"reason", reason},
                                             {"now", sql_.now_ms()}});
  }
  // metadata {resourceRef, lifecycle: "terminal"}: what was tracked has ended.
  void note_end(const EventView& view) {
    const JsonObject* const metadata = view.metadata.if_object();
    if (metadata == nullptr) return;
    const Json* const state = metadata->if_contains("lifecycle");
    const Json* const resource = metadata->if_contains("resourceRef");
    if (state == nullptr || resource == nullptr || !state->is_string() || !resource->is_string())
      return;
    if (state->as_string() != "terminal") return;
    mark_terminal(sql_, {stream_.host, stream_.source, std::string(resource->as_string()), place_});
  }

  Sql& sql_;
  const StreamRow& stream_;
  std::int64_t place_ = 0;
  Pumped done_;
  std::map<std::string, Inboxed> inboxes_;
  std::map<std::string, std::int64_t> woken_;
  std::set<std::string> consumers_;
};

// Reads on from a place up to `last`, one batch; `done` gets where it ended.
Pumped run_batch(Sql& sql, const StreamRow& stream, std::span<const Reader> readers,
                 std::pair<std::int64_t, std::int64_t>& range) {
  Batch batch(sql, stream);
  for (const Row& event : sql.all(kEvents, {{"stream", stream.id},
                                            {"after", range.first},
                                            {"last", range.second},
                                            {"most", kEventsOfBatch}})) {
    batch.take(event, readers);
    range.first = batch.place();
    if (batch.is_full() || sql.has_failed()) break;
  }
  Pumped out = batch.finish();
  out.has_more = range.first < range.second && out.events > 0;
  return out;
}

}  // namespace

Pumped pump_stream(Sql& sql, ReaderBook& book, const std::string& stream) {
  const std::optional<StreamRow> row = read_stream(sql, stream);
  if (!row || row->pumped >= row->last_place) return {};
  const auto readers = book.followers(sql, stream);
  std::pair<std::int64_t, std::int64_t> range{row->pumped, row->last_place};
  const Pumped out = run_batch(sql, *row, *readers, range);
  if (out.events > 0) sql.all(kPumped, {{"place", range.first}, {"id", stream}});
  return out;
}

Pumped catch_up(Sql& sql, const std::string& subscription) {
  const std::optional<Row> row = sql.first(kBehind, {{"id", subscription}});
  if (!row) return {};
  hold_stream(sql, text_at(*row, 2));
  const std::optional<StreamRow> stream = read_stream(sql, text_at(*row, 2));
  Result<Filter> filter = Filter::compile(json_at(*row, 5));
  if (!stream || !filter) {
    if (!filter) sql.keep(filter.error());
    return {};
  }
  const Reader reader{subscription,     text_at(*row, 0),   text_at(*row, 3),
                      text_at(*row, 4), number_at(*row, 1), std::move(*filter)};
  std::pair<std::int64_t, std::int64_t> range{reader.place, stream->pumped};
  Pumped out = run_batch(sql, *stream, {&reader, 1}, range);
  const bool follows = range.first >= stream->pumped;
  sql.all(kReadOn, {{"place", range.first},
                    {"follows", std::int64_t{follows}},
                    {"now", sql.now_ms()},
                    {"id", reader.consumer}});
  if (follows) sql.next_number("subscriptions");
  out.has_more = !follows && out.events > 0;
  return out;
}

std::vector<std::string> streams_behind(Sql& sql, std::int64_t most) {
  std::vector<std::string> out;
  for (const Row& row : sql.all(kStreamsBehind, {{"most", most}})) out.push_back(text_at(row, 0));
  return out;
}

std::vector<std::string> subscriptions_behind(Sql& sql, std::int64_t most) {
  std::vector<std::string> out;
  for (const Row& row : sql.all(kSubscriptionsBehind, {{"most", most}}))
    out.push_back(text_at(row, 0));
  return out;
}

Json dead_letters(Sql& sql, std::int64_t most) {
  JsonArray out;
  for (const Row& row : sql.all(kDead, {{"most", most}}))
    out.push_back(JsonObject{{"deadLetterId", text_at(row, 0)},
                             {"subscriptionId", text_at(row, 1)},
                             {"streamEventId", text_at(row, 2)},
                             {"reason", text_at(row, 3)},
                             {"createdAt", time_at(row, 4)},
                             {"offset", number_at(row, 5)},
                             {"sourceNativeId", text_at(row, 6)}});
  return JsonObject{{"dead", std::move(out)}};
}

}  // namespace alfred::inbox
