// Sessions as routes show them.
//
// R1 a session of somebody else looks unknown (G14).
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

// The id of an operation that is known by the caller's key; without one, a new one.
Result<OpId> op_of(const Api& api, const RouteCall& call);

}  // namespace alfred::http
