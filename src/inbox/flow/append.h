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

struct Appended {
  bool is_new = false;
  std::int64_t place = 0;
  std::string event;
  bool is_pumped = false;  // its stream counts it as read: the caller brings it to the followers
};

Result<NewEvent> read_event(const Json& request, std::int64_t now_ms);
// pumps: the caller brings the event to the followers at once, where the stream is not behind.
Appended append_event(Sql& sql, const std::string& stream, const NewEvent& event, bool pumps);
// A text into one inbox, from the inbox's own source of this kind, without a subscription.
struct DirectMessage {
  std::string_view agent, inbox, kind;
  std::string native_id;  // what makes it one
  JsonObject payload;
};
Result<Json> send_direct(Sql& sql, const DirectMessage& message);

}  // namespace alfred::inbox
