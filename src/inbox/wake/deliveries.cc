#include "inbox/wake/deliveries.h"

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "inbox/fields.h"
#include "inbox/flow/append.h"
#include "inbox/handle.h"
#include "inbox/registry/agents.h"

namespace alfred::inbox {
namespace {

constexpr Statement kAdd(
    "INSERT INTO alfred_inbox_deliveries (id, handle, operation, input, status, attempt, "
    "created_ms) VALUES (:id, :handle, :operation, :input, 'sending', 1, :now) "
    "ON CONFLICT (id) DO NOTHING");
constexpr Statement kEnd(
    "UPDATE alfred_inbox_deliveries SET status = :status, error = :error, finished_ms = :now "
    "WHERE id = :id");

constexpr Statement kOne(
    "SELECT id, handle, operation, input, status, error FROM alfred_inbox_deliveries WHERE id = :id");
constexpr Statement kSending(
    "SELECT id, handle, operation, input FROM alfred_inbox_deliveries WHERE status = 'sending' "
    "AND created_ms <= :before ORDER BY created_ms, id LIMIT :most");

Json delivery_json(const std::string& id, const Delivery& delivery, std::string_view status,
                   const std::string& error) {
  return JsonObject{{"deliveryId", id},
                    {"status", status},
                    {"operation", delivery.operation},
                    {"handle", delivery.handle},
                    {"note", error.empty() ? Json() : Json(error)}};
}

void read_parts(Delivery& delivery) {
  delivery.provider = handle_part(delivery.handle, "provider");
  delivery.surface = handle_part(delivery.handle, "surface");
  delivery.target_ref = handle_part(delivery.handle, "targetRef");
}

// id, handle, operation, input: as it was asked for.
Delivery delivery_at(const Row& row) {
  Delivery out;
  out.handle = json_at(row, 1);
  out.operation = text_at(row, 2);
  out.input = json_at(row, 3);
  read_parts(out);
  return out;
}

bool is_known(const Delivery& delivery) {
  return delivery.provider == "alfred" && delivery.surface == "agent";
}

// Whole, or by its parts.
Json asked_handle(Fields& fields) {
  if (fields.has("handle")) return read_handle(fields, "handle");
  JsonObject handle;
  for (const char* const part : kHandleParts) handle[part] = fields.text(part);
  return handle;
}

// Puts the message into the other agent's inbox; the error is why not.
Result<void> send_to_agent(Sql& sql, const std::string& id, const Delivery& delivery) {
  Fields input(delivery.input, {"message", "text", "sender"});
  const std::string message = input.has("text") ? input.text("text") : input.text("message");
  const std::string sender = input.maybe_text("sender").value_or("delivery");
  if (Result<void> good = input.check(); !good) return good;
  const Result<std::string> inbox = inbox_of(sql, delivery.target_ref);
  if (!inbox) return Unexpected(inbox.error());
  const Result<Json> sent =
      send_direct(sql, {delivery.target_ref, *inbox, "direct_message", id,
                        JsonObject{{"message", message}, {"sender", sender}}});
  if (!sent) return Unexpected(sent.error());
  return {};
}

}  // namespace

Result<Delivery> read_delivery(const Json& request) {
  Fields fields(request, {"handle", "provider", "surface", "targetRef", "kind", "payload",
                          "operation", "input"});
  Delivery out;
  out.handle = asked_handle(fields);
  read_parts(out);
  out.operation = fields.has("operation") ? fields.text("operation") : "send_message";
  out.input = fields.has("input") ? fields.object("input") : fields.object("payload");
  fields.maybe_text("kind");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  return out;
}

Json begin_delivery(Sql& sql, const Delivery& delivery) {
  const std::string id = sql.add<IdKind::delivery>(kAdd, {{"handle", write_json(delivery.handle)},
                                                          {"operation", delivery.operation},
                                                          {"input", write_json(delivery.input)},
                                                          {"now", sql.now_ms()}});
  return JsonObject{{"deliveryId", id}};
}

Result<Json> finish_delivery(Sql& sql, const std::string& id, const Delivery& delivery) {
  const std::optional<Row> known = sql.first(kOne, {{"id", id}});
  if (known && text_at(*known, 4) != "sending")
    return delivery_json(id, delivery_at(*known), text_at(*known, 4), text_at(*known, 5));
  std::string error;
  if (!is_known(delivery))
    error = fmt::format("There is nothing here that delivers to {} {}.",
                        quoted_text(delivery.provider), quoted_text(delivery.surface));
  else if (delivery.operation != "send_message")
    error = fmt::format("There is no operation {} here; send_message is.",
                        quoted_text(delivery.operation));
  else if (const auto sent = sql.part([&] { return send_to_agent(sql, id, delivery); }); !sent)
    error = sent.error().message;
  sql.all(kEnd, {{"status", text_value(error.empty() ? "delivered" : "failed")},
                 {"error", error.empty() ? Value() : Value(error)},
                 {"now", sql.now_ms()},
                 {"id", id}});
  return delivery_json(id, delivery, error.empty() ? "delivered" : "failed", error);
}

std::int64_t settle_deliveries(Sql& sql, std::int64_t most) {
  const std::vector<Row> left =
      sql.all(kSending, {{"before", sql.now_ms() - kSendingMs}, {"most", most}});
  for (const Row& row : left)
    if (const auto done = finish_delivery(sql, text_at(row, 0), delivery_at(row)); !done)
      sql.keep(done.error());
  return std::ssize(left);
}

Result<Json> delivery_actions(const Json& request) {
  Result<Delivery> delivery = read_delivery(request);
  if (!delivery) return Unexpected(delivery.error());
  JsonArray operations;
  if (is_known(*delivery))
    operations.push_back(JsonObject{
        {"name", "send_message"}, {"input", JsonObject{{"message", "text"}, {"sender", "text?"}}}});
  return JsonObject{
      {"sourceId", nullptr}, {"handle", delivery->handle}, {"operations", std::move(operations)}};
}

}  // namespace alfred::inbox
