// A turn as its caller sees it, who may have to answer its asks.
//
// R1 asks that are out are shown as they were sent, from what is stored; looking moves nothing.
#pragma once

#include <string>

#include "engine/session/session.h"

namespace alfred {

// {"id","session","number","status","message","reply",…,"asks":[…]}; the status is `waiting` while
// asks are out. An empty id: the last. Errors: session.
Result<Json> shown_turn(Session& session, const std::string& id = "");

// So many of its turns after this number, in order, without their asks; each has the status that
// shown_turn() gives it.
Result<JsonArray> shown_turns(Session& session, std::int64_t after, std::int64_t limit);

// Whether this very answer was taken before: who lost our answer to it sends it again.
bool was_given(Session& session, const std::string& turn, const Answer& answer);

}  // namespace alfred
