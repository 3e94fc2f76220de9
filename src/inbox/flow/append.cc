#include "inbox/flow/append.h"

#include <fmt/format.h>

#include "inbox/fields.h"
#include "inbox/flow/intents.h"
#include "inbox/flow/materialise.h"

namespace alfred::inbox {
namespace {

// Where the stream is, and the event if it is there.
constexpr Statement kKnown(
    "SELECT s.last_place, s.pumped, e.place, e.id FROM alfred_inbox_streams s "
    "LEFT JOIN alfred_inbox_events e ON e.stream = s.id AND e.native_id = :native "
    "AND e.variant = :variant WHERE s.id = :stream");
constexpr Statement kTakePlace(
    "UPDATE alfred_inbox_streams SET last_place = :place, pumped = :pumped WHERE id = :stream");
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
  if (fields.has("deliveryHandle")) body["deliveryHandle"] = fields.object("deliveryHandle");
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

Appended append_event(Sql& sql, const std::string& stream, const NewEvent& event, bool pumps) {
  const std::optional<Row> known = sql.first(
      kKnown, {{"stream", stream}, {"native", event.native_id}, {"variant", event.variant}});
  if (!known) return {};
  if (!is_null_at(*known, 2)) return {false, number_at(*known, 2), text_at(*known, 3)};
  const std::int64_t last = number_at(*known, 0);
  const std::int64_t pumped = number_at(*known, 1);
  const std::int64_t place = last + 1;
  const bool is_pumped = pumps && pumped == last;  // a stream that is not behind stays so
  sql.change(kTakePlace,
             {{"place", place}, {"pumped", is_pumped ? place : pumped}, {"stream", stream}});
  std::string id = sql.add<IdKind::stream_event>(kAddEvent, {{"stream", stream},
                                                             {"place", place},
                                                             {"native", event.native_id},
                                                             {"variant", event.variant},
                                                             {"occurred", event.occurred_ms},
                                                             {"now", sql.now_ms()},
                                                             {"body", event.text}});
  return {true, place, std::move(id), is_pumped};
}

// No subscription reads an agent's own source, so its stream is never behind.
Result<Json> send_direct(Sql& sql, const DirectMessage& message) {
  const SourceRow source = own_source(sql, message.kind, message.agent);
  NewEvent event{message.native_id, std::string(message.kind), sql.now_ms(), JsonObject()};
  event.body = JsonObject{{"metadata", JsonObject()}, {"rawPayload", message.payload}};
  event.text = write_json(event.body);
  const Appended appended = append_event(sql, source.stream, event, true);
  if (!appended.is_new) return Json();
  const Inboxed inbox = read_inbox(sql, message.inbox);
  const std::string item = materialise(sql, inbox, {appended.event, "", event.body, "", "", true});
  raise_intents(sql, message.agent, 1);
  return JsonObject{{"itemId", item}, {"inboxId", std::string(message.inbox)}, {"activated", true}};
}

}  // namespace alfred::inbox
