// Sessions as routes show them.
//
// R1 a session of somebody else looks unknown (G14).
// R2 a key is of one request of a caller, method, address and body; with another it is refused (G13).
#pragma once

#include <memory>
#include <string>

#include "engine/session/shown_turn.h"
#include "surface/http/api/api.h"

namespace alfred::http {

// `interpreter` is who will answer; null: nobody moves it. Errors: session.
Result<std::unique_ptr<Session>> open_session(const Api& api, const std::string& id,
                                              const Interpreter* interpreter = nullptr);

Json session_json(const SessionRecord& record);

// The caller's Idempotency-Key, which is this request's from now on (R2); empty: there is none. To
// be called when the request is known to be a good one. Errors: request, op_reused.
Result<std::string> own_key(const Api& api, const RouteCall& call);
// The id of an operation that is known by that key; without one, a new one.
Result<OpId> op_of(const Api& api, const RouteCall& call);

}  // namespace alfred::http
