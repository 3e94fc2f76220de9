// Deliveries: replies that go out through a handle {provider, surface, targetRef, …}, which an
// event brought along.
//
// R1 an attempt is recorded before it is made; one that fails stays, with its reason.
//    One that is over is never made again: asked to be finished, it says what it said.
// R2 targetRef is the provider's own and kept verbatim.
// R3 the provider that is built in is `alfred`, its surface `agent`: send_message puts a message into the inbox of
//    the agent that targetRef names. A provider that is not there fails, and that is recorded.
#pragma once

#include "inbox/store/sql.h"

namespace alfred::inbox {

inline constexpr std::int64_t kSendingMs = 60'000;  // an attempt that takes longer was cut off

struct Delivery {
  std::string provider, surface, target_ref, operation;
  Json handle, input;
};

// {handle | provider, surface, targetRef} with {kind, payload} or {operation, input}.
Result<Delivery> read_delivery(const Json& request);
Json begin_delivery(Sql& sql, const Delivery& delivery);
Result<Json> finish_delivery(Sql& sql, const std::string& id, const Delivery& delivery);
// Finishes at most so many that were cut off between their record and their end: how many.
std::int64_t settle_deliveries(Sql& sql, std::int64_t most);
Result<Json> delivery_actions(const Json& request);

}  // namespace alfred::inbox
