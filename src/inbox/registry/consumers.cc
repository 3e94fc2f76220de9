// Consumers: where a subscription stands in its stream, and when its time is over.
#include <fmt/format.h>
#include <algorithm>

#include "inbox/fields.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/start_position.h"
#include "inbox/registry/subscriptions.h"

namespace alfred::inbox {
namespace {

constexpr Statement kConsumer(
    "SELECT c.id, c.place, c.is_following, s.last_place, s.pumped, s.id, b.source "
    "FROM alfred_inbox_consumers c JOIN alfred_inbox_streams s ON s.id = c.stream "
    "JOIN alfred_inbox_subscriptions b ON b.id = c.subscription WHERE c.subscription = :id");
constexpr Statement kMove(
    "UPDATE alfred_inbox_consumers SET place = :place, is_following = :follows, "
    "updated_ms = :now WHERE id = :id");
constexpr Statement kNote(
    "INSERT INTO alfred_inbox_commits (id, consumer, kind, place, committed_ms) "
    "VALUES (:id, :consumer, :kind, :place, :now) ON CONFLICT (id) DO NOTHING");
constexpr Statement kLastNote(
    "SELECT id, kind, place, committed_ms FROM alfred_inbox_commits WHERE consumer = :id "
    "ORDER BY committed_ms DESC, place DESC, id DESC LIMIT 1");
constexpr Statement kTracking(
    "SELECT b.id, b.cleanup, b.source, b.retire_ms, c.place FROM alfred_inbox_subscriptions b "
    "JOIN alfred_inbox_sources s ON s.id = b.source "
    "JOIN alfred_inbox_consumers c ON c.subscription = b.id WHERE b.tracked_ref = :resource "
    "AND s.host = :host AND (:only = '' OR b.id = :only)");
constexpr Statement kRetire(
    "UPDATE alfred_inbox_subscriptions SET retire_ms = :at, "
    "retire_place = coalesce(retire_place, :place) WHERE id = :id");
constexpr Statement kRetired(
    "SELECT b.id FROM alfred_inbox_subscriptions b "
    "JOIN alfred_inbox_consumers c ON c.subscription = b.id "
    "JOIN alfred_inbox_streams s ON s.id = c.stream "
    "WHERE b.retire_ms <= :now AND (b.retire_place IS NULL OR c.place >= b.retire_place "
    "OR (c.is_following = 1 AND s.pumped >= b.retire_place)) ORDER BY b.retire_ms LIMIT :most");

struct ConsumerRow {
  std::string id, stream, source;
  std::int64_t place = 0, last_place = 0, pumped = 0;
};

Result<ConsumerRow> find_consumer(Sql& sql, std::string_view subscription) {
  const Result<std::string> id = id_text<IdKind::subscription>(subscription);
  if (!id) return Unexpected(id.error());
  const std::optional<Row> row = sql.first(kConsumer, {{"id", *id}});
  if (!row) return no_record("subscription", *id, "List subscriptions first.");
  ConsumerRow out{text_at(*row, 0),   text_at(*row, 5),   text_at(*row, 6),
                  number_at(*row, 1), number_at(*row, 3), number_at(*row, 4)};
  if (number_at(*row, 2) != 0) out.place = std::max(out.place, out.pumped);
  return out;
}

void move_to(Sql& sql, const ConsumerRow& consumer, std::int64_t place, std::string_view kind) {
  hold_stream(sql, consumer.stream);
  sql.all(kMove, {{"place", place},
                  {"follows", std::int64_t{place >= consumer.pumped}},
                  {"now", sql.now_ms()},
                  {"id", consumer.id}});
  note_commit(sql, consumer.id, kind, place);
  sql.renew("subscriptions");
}

Json last_commit(Sql& sql, const std::string& consumer) {
  const std::optional<Row> row = sql.first(kLastNote, {{"id", consumer}});
  if (!row) return {};
  return JsonObject{{"commitId", text_at(*row, 0)},
                    {"kind", text_at(*row, 1)},
                    {"offset", number_at(*row, 2)},
                    {"committedAt", time_at(*row, 3)}};
}

}  // namespace

void note_commit(Sql& sql, std::string_view consumer, std::string_view kind, std::int64_t place) {
  sql.add<IdKind::consumer_commit>(kNote, {{"consumer", text_value(consumer)},
                                           {"kind", text_value(kind)},
                                           {"place", place},
                                           {"now", sql.now_ms()}});
}

Result<Json> lag_of(Sql& sql, std::string_view subscription) {
  const Result<ConsumerRow> consumer = find_consumer(sql, subscription);
  if (!consumer) return Unexpected(consumer.error());
  return JsonObject{{"subscriptionId", std::string(subscription)},
                    {"consumer", JsonObject{{"consumerId", consumer->id},
                                            {"streamId", consumer->stream},
                                            {"committedOffset", consumer->place},
                                            {"nextOffset", consumer->place + 1},
                                            {"lastCommit", last_commit(sql, consumer->id)}}},
                    {"latestOffset", consumer->last_place},
                    {"lag", consumer->last_place - consumer->place}};
}

Result<Json> reset_consumer(Sql& sql, std::string_view subscription, const Json& request) {
  const Result<ConsumerRow> consumer = find_consumer(sql, subscription);
  if (!consumer) return Unexpected(consumer.error());
  Fields fields(request, {"startPolicy", "startOffset", "startTime"});
  if (!fields.has("startPolicy"))
    fields.refuse(ErrorCode::schema,
                  "startPolicy is needed: where the consumer is to go is never guessed.",
                  "startPolicy", {"latest", "earliest", "at_offset", "at_time"});
  const StartPosition start = read_start(fields);
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  const Result<SourceRow> source = find_source(sql, consumer->source);
  if (!source) return Unexpected(source.error());
  const Result<std::int64_t> place = place_of(sql, *source, start);
  if (!place) return Unexpected(place.error());
  move_to(sql, *consumer, *place, "reset");
  return subscription_details(sql, subscription);
}

Result<Json> commit_offset(Sql& sql, std::string_view subscription, const Json& request) {
  const Result<ConsumerRow> consumer = find_consumer(sql, subscription);
  if (!consumer) return Unexpected(consumer.error());
  Fields fields(request, {"offset"});
  const auto place = fields.maybe_number("offset", 0, INT64_MAX);
  if (!place) fields.refuse(ErrorCode::schema, "offset is needed.", "offset");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  if (*place < consumer->place || *place > consumer->last_place)
    return fail(ErrorCode::offset,
                fmt::format("This consumer stands at {} and its stream ends at {}: a commit lies "
                            "between them. Use reset to go back.",
                            consumer->place, consumer->last_place),
                "offset");
  move_to(sql, *consumer, *place, "commit");
  return lag_of(sql, subscription);
}

void mark_terminal(Sql& sql, const TerminalSignal& signal) {
  for (const Row& row :
       sql.all(kTracking,
               {{"resource", signal.resource}, {"host", signal.host}, {"only", signal.only}})) {
    const bool is_same = text_at(row, 2) == signal.source;
    if (is_same && number_at(row, 4) >= signal.place) continue;
    const Json cleanup = json_at(row, 1);
    if (!std::string_view(cleanup.at("mode").as_string()).starts_with("on_terminal")) continue;
    const Json* const grace = cleanup.as_object().if_contains("gracePeriodSecs");
    std::int64_t at =
        sql.now_ms() + (grace != nullptr && grace->is_int64() ? grace->as_int64() : 0) * 1000;
    if (!is_null_at(row, 3)) at = std::min(at, number_at(row, 3));
    sql.all(
        kRetire,
        {{"at", at}, {"place", is_same ? Value(signal.place) : Value()}, {"id", text_at(row, 0)}});
  }
}

std::int64_t retire_due(Sql& sql, std::int64_t most) {
  const std::vector<Row> rows = sql.all(kRetired, {{"now", sql.now_ms()}, {"most", most}});
  for (const Row& row : rows)
    if (const Result<Json> removed = remove_subscription(sql, text_at(row, 0)); !removed)
      sql.keep(removed.error());
  return std::ssize(rows);
}

}  // namespace alfred::inbox
