// Events into streams.
//
// R1 an event is one for (stream, native id, variant); a repeat is `deduped`, gives the stored offset and burns none.
// R2 offsets of a stream are 1, 2, 3 … without gaps.
// R3 an event is at most 256 KiB; native ids are kept as they are.
#pragma once

#include "inbox/registry/sources.h"
#include "inbox/store/sql.h"

namespace alfred::inbox {

inline constexpr std::size_t kMaxEventBytes = 256 * 1024;

struct NewEvent {
  std::string native_id;
  std::string variant;
  std::int64_t occurred_ms = 0;
  Json body = JsonObject();  // {metadata, rawPayload, providerRawPayload?, deliveryHandle?}
  std::string text{};        // the body as it is kept
};

// How far a stream is, and the event's place in it, 0 where it is new.
struct Known {
  std::int64_t last = 0, pumped = 0, place = 0;
};

Result<NewEvent> read_event(const Json& request, std::int64_t now_ms);
// Nothing: there is no such stream.
std::optional<Known> find_event(Sql& sql, const std::string& stream, const NewEvent& event);
// Before events are added: how far the stream is with them, and how far it counts as read.
void take_places(Sql& sql, const std::string& stream, std::int64_t last, std::int64_t pumped);
std::string add_event(Sql& sql, const std::string& stream, std::int64_t place,
                      const NewEvent& event);  // its id
// A text into one inbox, from the inbox's own source of this kind, without a subscription.
struct DirectMessage {
  std::string_view agent, inbox, kind;
  std::string native_id;  // what makes it one
  JsonObject payload;
};
Result<Json> send_direct(Sql& sql, const DirectMessage& message);

}  // namespace alfred::inbox
