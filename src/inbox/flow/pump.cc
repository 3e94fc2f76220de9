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
    "SELECT c.id, c.place, c.stream, b.filter_text, i.id, i.agent, i.digest_on, i.window_ms, "
    "i.max_items, i.max_age_ms FROM alfred_inbox_consumers c JOIN alfred_inbox_subscriptions b ON b.id = c.subscription "
    "JOIN alfred_inbox_inboxes i ON i.agent = b.agent "
    "WHERE c.subscription = :id AND c.is_following = 0");
constexpr Statement kReadOn(
    "UPDATE alfred_inbox_consumers SET place = :place, is_following = :follows, "
    "updated_ms = :now WHERE id = :id");
constexpr Statement kAddDead(
    "INSERT INTO alfred_inbox_dead (id, subscription, event, reason, created_ms) "
    "VALUES (:id, :subscription, :event, :reason, :now) ON CONFLICT (id) DO NOTHING");
constexpr Statement kHasDead(
    "SELECT 1 FROM alfred_inbox_dead WHERE subscription = :subscription AND event = :event");
constexpr Statement kStreamsBehind(
    "SELECT id FROM alfred_inbox_streams WHERE pumped < last_place AND id > :after "
    "ORDER BY id LIMIT :most");
constexpr Statement kSubscriptionsBehind(
    "SELECT subscription FROM alfred_inbox_consumers WHERE is_following = 0 "
    "AND subscription > :after ORDER BY subscription LIMIT :most");
constexpr Statement kDead(
    "SELECT d.id, d.subscription, d.event, d.reason, d.created_ms, e.place, e.native_id "
    "FROM alfred_inbox_dead d JOIN alfred_inbox_events e ON e.id = d.event "
    "WHERE (d.created_ms, d.id) < (:after_ms, :after) "
    "ORDER BY d.created_ms DESC, d.id DESC LIMIT :most");
constexpr Statement kDeadMade("SELECT created_ms FROM alfred_inbox_dead WHERE id = :id");

std::vector<std::string> texts_of(const std::vector<Row>& rows) {
  std::vector<std::string> out;
  out.reserve(rows.size());
  for (const Row& row : rows) out.push_back(text_at(row, 0));
  return out;
}

std::optional<SourceRow> read_stream(Sql& sql, const std::string& stream) {
  const std::optional<Row> row = sql.first(kStream, {{"id", stream}});
  if (!row) return std::nullopt;
  SourceRow out;
  out.stream = stream;
  out.pumped = number_at(*row, 0);
  out.last_place = number_at(*row, 1);
  out.id = text_at(*row, 2);
  out.host = text_at(*row, 3);
  out.host_type = text_at(*row, 4);
  out.key = text_at(*row, 5);
  return out;
}

struct EventRow {
  std::int64_t place;
  std::string_view id, variant;
  const Json& body;
  bool is_new = false;  // appended in this transaction
};

// One event beside the readers of its batch.
class Batch {
 public:
  Batch(Sql& sql, const SourceRow& source, std::string_view only = {})
      : sql_(sql), source_(source), only_(only) {}

  void take(const EventRow& event, std::span<const Reader> readers) {
    place_ = event.place;
    served_.clear();
    const JsonObject& parts = event.body.as_object();
    const EventView view{parts.at("metadata"), parts.at("rawPayload"), event.variant,
                         source_.host_type, source_.key};
    for (const Reader& reader : readers)
      if (place_ > reader.place) offer(reader, view, event);
    note_end(view);
    ++done_.events;
  }

  // After the last event: who is to be woken, and the commits of those who got something.
  Pumped finish(const KnownAgents* agents = nullptr) {
    for (const auto& [agent, entries] : woken_) raise(agents, agent, entries);
    for (const std::string_view consumer : consumers_)
      note_commit(sql_, consumer, "commit", place_);
    return done_;
  }
  std::int64_t place() const { return place_; }
  bool is_full() const { return done_.items >= kItemsOfBatch; }

 private:
  void raise(const KnownAgents* agents, std::string_view agent, std::int64_t entries) {
    if (agents == nullptr) {
      raise_intents(sql_, agent, entries);
      return;
    }
    const Result<AgentBook::Page> page = agents->book.agent(sql_, agent, agents->generation);
    if (page) raise_intents_of(sql_, (*page)->active, entries);
  }
  void offer(const Reader& reader, const EventView& view, const EventRow& event) {
    const Result<bool> matches =
        reader.filter ? reader.filter->matches(view) : Unexpected(reader.filter.error());
    if (!matches) return bury(reader, event.id, matches.error().message);
    if (!*matches) return;
    ++done_.matched;
    consumers_.insert(reader.consumer);
    // Of a new event only this batch can have made an item.
    if (event.is_new && !served_.insert(reader.inbox.id).second) return;
    const Materialised made = materialise_item(
        sql_, reader.inbox,
        {event.id, reader.subscription, event.body, source_.id, event.variant, event.is_new});
    if (made.item.empty()) return;
    ++done_.items;
    woken_[reader.inbox.agent] += made.entries;
  }
  void bury(const Reader& reader, std::string_view event, const std::string& reason) {
    if (sql_.first(kHasDead, {{"subscription", reader.subscription}, {"event", text_value(event)}}))
      return;
    sql_.add<IdKind::dead_letter>(kAddDead, {{"subscription", reader.subscription},
                                             {"event", text_value(event)},
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
    mark_terminal(sql_, {source_.host, source_.id, std::string(resource->as_string()), place_,
                         std::string(only_)});
  }

  Sql& sql_;
  const SourceRow& source_;
  std::string_view only_;  // who catches up; empty: the events are new to all who follow
  std::int64_t place_ = 0;
  Pumped done_;
  // Texts of the readers, which outlive the batch.
  std::map<std::string_view, std::int64_t> woken_;
  std::set<std::string_view> consumers_;
  std::set<std::string_view> served_;  // inboxes, of one event
};

// Reads on from a place up to `last`, one batch; `done` gets where it ended.
Pumped run_batch(Sql& sql, const SourceRow& source, std::span<const Reader> readers,
                 std::pair<std::int64_t, std::int64_t>& range, std::string_view only = {}) {
  Batch batch(sql, source, only);
  for (const Row& row : sql.all(kEvents, {{"stream", source.stream},
                                          {"after", range.first},
                                          {"last", range.second},
                                          {"most", kEventsOfBatch}})) {
    const std::string id = text_at(row, 1);
    const std::string variant = text_at(row, 3);
    const Json body = json_at(row, 4);
    batch.take({number_at(row, 0), id, variant, body}, readers);
    range.first = batch.place();
    if (batch.is_full() || sql.has_failed()) break;
  }
  Pumped out = batch.finish();
  out.has_more = range.first < range.second && out.events > 0;
  return out;
}

}  // namespace

Pumped pump_stream(Sql& sql, ReaderBook& book, const std::string& stream) {
  const std::optional<SourceRow> row = read_stream(sql, stream);
  if (!row || row->pumped >= row->last_place) return {};
  // Nobody reads a source that was removed.
  const Result<ReaderBook::Page> page = book.source(sql, row->id);
  std::pair<std::int64_t, std::int64_t> range{row->pumped, row->last_place};
  const Pumped out =
      run_batch(sql, *row, page ? std::span((*page)->readers) : std::span<const Reader>(), range);
  if (out.events > 0) sql.all(kPumped, {{"place", range.first}, {"id", stream}});
  return out;
}

Pumped pump_new(Sql& sql, const KnownAgents& agents, const Followed& followed,
                std::span<const FreshEvent> events) {
  Batch batch(sql, followed.source);
  for (const FreshEvent& one : events) {
    if (sql.has_failed()) break;
    batch.take({one.place, one.id, one.event->variant, one.event->body, true}, followed.readers);
  }
  return batch.finish(&agents);
}

Pumped catch_up(Sql& sql, const std::string& subscription) {
  const std::optional<Row> row = sql.first(kBehind, {{"id", subscription}});
  if (!row) return {};
  hold_stream(sql, text_at(*row, 2));
  const std::optional<SourceRow> stream = read_stream(sql, text_at(*row, 2));
  if (!stream) return {};
  const Reader reader{subscription, text_at(*row, 0), inbox_at(*row, 4), number_at(*row, 1),
                      kept_filter(*row, 3)};
  std::pair<std::int64_t, std::int64_t> range{reader.place, stream->pumped};
  Pumped out = run_batch(sql, *stream, {&reader, 1}, range, subscription);
  const bool follows = range.first >= stream->pumped;
  sql.all(kReadOn, {{"place", range.first},
                    {"follows", std::int64_t{follows}},
                    {"now", sql.now_ms()},
                    {"id", reader.consumer}});
  if (follows) sql.renew("subscriptions");
  out.has_more = !follows && out.events > 0;
  return out;
}

std::vector<std::string> streams_behind(Sql& sql, const std::string& after, std::int64_t most) {
  return texts_of(sql.all(kStreamsBehind, {{"after", after}, {"most", most}}));
}

std::vector<std::string> subscriptions_behind(Sql& sql, const std::string& after,
                                              std::int64_t most) {
  return texts_of(sql.all(kSubscriptionsBehind, {{"after", after}, {"most", most}}));
}

Result<Json> dead_letters(Sql& sql, const ListPage& page) {
  Result<PageStart> from = page_start<IdKind::dead_letter>(sql, "dead letter", page, kDeadMade);
  if (!from) return Unexpected(from.error());
  if (page.after.empty()) from->after_ms = std::numeric_limits<std::int64_t>::max();
  const std::vector<Row> rows = sql.all(
      kDead,
      {{"after_ms", from->after_ms}, {"after", from->after}, {"most", row_limit(page.most)}});
  return page_json("dead", page.most, rows, [](const Row& row) -> Json {
    return JsonObject{{"deadLetterId", text_at(row, 0)},  {"subscriptionId", text_at(row, 1)},
                      {"streamEventId", text_at(row, 2)}, {"reason", text_at(row, 3)},
                      {"createdAt", time_at(row, 4)},     {"offset", number_at(row, 5)},
                      {"sourceNativeId", text_at(row, 6)}};
  });
}

}  // namespace alfred::inbox
