// What a session knows, as people look at it: refs, labels and where they come from; never a key.
#pragma once

#include "engine/session/session.h"

namespace alfred::http {

// {"entities":[…],"artifacts":[…]}: what is in play; with everything, what is archived or deleted
// too.
Json working_set_json(const SessionState& state, const TurnWorld& world, bool with_archived);
JsonArray batches_json(const SessionState& state);
// All of it: {"turn","working_set","constraints","steps","batches","pending"?,"ledger"?}.
Json known_json(const SessionState& state, const TurnWorld& world);

}  // namespace alfred::http
