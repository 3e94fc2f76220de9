// What is kept to at this moment: a turn reads the user's profile when it begins, so that what it
// noted itself, or what was changed by hand since, would be seen in the next turn only.
#pragma once

#include "engine/session/session.h"

namespace alfred {

// The session's own, with what always holds as the profile says it now. Where there is no profile
// to look at, as they are.
Result<SessionConstraints> current_constraints(Session& session);

}  // namespace alfred
