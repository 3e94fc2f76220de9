// Sessions and turns as routes show them.
//
// R1 a session of somebody else looks unknown (G14).
// R2 asks that are out are shown as they were sent, from what is stored; looking moves nothing.
#pragma once

#include <memory>
#include <string>

#include "engine/session/session.h"
#include "surface/http/api/api.h"

namespace alfred::http {

// `interpreter` is who will answer; null: nobody moves it. Errors: session.
Result<std::unique_ptr<Session>> open_session(const Api& api, const std::string& id,
                                              const Interpreter* interpreter = nullptr);

Json session_json(const SessionRecord& record);

// {"id","session","number","status","message","reply",…,"asks":[…]}. An empty id: the last. Errors:
// turn_moved.
Result<Json> shown_turn(Session& session, const std::string& id = "");

// The id of an operation that is known by the caller's key; without one, a new one.
Result<OpId> op_of(const Api& api, const RouteCall& call);

}  // namespace alfred::http
