#include "inbox/flow/append.h"

#include <fmt/format.h>

#include "inbox/fields.h"
#include "inbox/flow/intents.h"
#include "inbox/flow/materialise.h"
#include "inbox/handle.h"

namespace alfred::inbox {
namespace {

// Where the stream is, and the event if it is there.
constexpr Statement kKnown(
    "SELECT s.last_place, s.pumped, e.place FROM alfred_inbox_streams s "
    "LEFT JOIN alfred_inbox_events e ON e.stream = s.id AND e.native_id = :native "
    "AND e.variant = :variant WHERE s.id = :stream");
constexpr Statement kTakePlaces(
    "UPDATE alfred_inbox_streams SET last_place = :last, pumped = :pumped WHERE id = :stream");
constexpr Statement kAddEvent(
    "INSERT INTO alfred_inbox_events (id, stream, place, native_id, variant, occurred_ms, "
    "appended_ms, body) VALUES (:id, :stream, :place, :native, :variant, :occurred, :now, :body) "
    "ON CONFLICT (id) DO NOTHING");

}  // namespace

Result<NewEvent> read_event(const Json& request, std::int64_t now_ms) {
  Fields fields(request, {"sourceNativeId", "eventVariant", "occurredAt", "metadata", "rawPayload",
                          "providerRawPayload", "deliveryHandle"});
  NewEvent out;
  out.native_id = fields.text("sourceNativeId");
  out.variant = fields.text("eventVariant");
  out.occurred_ms = fields.maybe_instant("occurredAt").value_or(now_ms);
  JsonObject body{{"metadata", fields.object("metadata")},
                  {"rawPayload", fields.object("rawPayload")}};
  if (fields.has("providerRawPayload"))
    body["providerRawPayload"] = fields.object("providerRawPayload");
  if (fields.has("deliveryHandle")) body["deliveryHandle"] = read_handle(fields, "deliveryHandle");
  out.body = std::move(body);
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  if (out.native_id.size() > 1024 || out.variant.size() > 256)
    return fail(ErrorCode::limit,
                "sourceNativeId has at most 1024 bytes and eventVariant at most 256.",
                "sourceNativeId");
  out.text = write_json(out.body);
  if (out.text.size() > kMaxEventBytes)
    return fail(ErrorCode::limit,
                fmt::format("The event has {} bytes; at most {} are kept. Send less, or a link.",
                            out.text.size(), kMaxEventBytes),
                "rawPayload");
  return out;
}

std::optional<Known> find_event(Sql& sql, const std::string& stream, const NewEvent& event) {
  const std::optional<Row> row = sql.first(
      kKnown, {{"stream", stream}, {"native", event.native_id}, {"variant", event.variant}});
  if (!row) return std::nullopt;
  return Known{number_at(*row, 0), number_at(*row, 1), number_at(*row, 2)};
}

void take_places(Sql& sql, const std::string& stream, std::int64_t last, std::int64_t pumped) {
  sql.change(kTakePlaces, {{"last", last}, {"pumped", pumped}, {"stream", stream}});
}

std::string add_event(Sql& sql, const std::string& stream, std::int64_t place,
                      const NewEvent& event) {
  return sql.add<IdKind::stream_event>(kAddEvent, {{"stream", stream},
                                                   {"place", place},
                                                   {"native", event.native_id},
                                                   {"variant", event.variant},
                                                   {"occurred", event.occurred_ms},
                                                   {"now", sql.now_ms()},
                                                   {"body", event.text}});
}

// No subscription reads an agent's own source, so its stream is never behind.
Result<Json> send_direct(Sql& sql, const DirectMessage& message) {
  const SourceRow source = own_source(sql, message.kind, message.agent);
  NewEvent event{message.native_id, std::string(message.kind), sql.now_ms(), JsonObject()};
  event.body = JsonObject{{"metadata", JsonObject()}, {"rawPayload", message.payload}};
  event.text = write_json(event.body);
  const std::optional<Known> known = find_event(sql, source.stream, event);
  if (!known || known->place > 0) return Json();
  const std::int64_t place = known->last + 1;
  take_places(sql, source.stream, place, place);
  const std::string id = add_event(sql, source.stream, place, event);
  const Inboxed inbox = read_inbox(sql, message.inbox);
  const std::string item = materialise(sql, inbox, {id, "", event.body, "", "", true});
  const bool is_told = raise_intents(sql, message.agent, 1);
  return JsonObject{
      {"itemId", item}, {"inboxId", std::string(message.inbox)}, {"activated", is_told}};
}

}  // namespace alfred::inbox
