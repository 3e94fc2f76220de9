// Timers that wake a session, for a host that sets them in a transaction of its own.
//
// R1 the session's agent has the session's id; it and its target are made when they are not there.
// R2 the rows are written in the caller's transaction: they are there with what else it writes, or not at all.
// R3 its target has no lease: a reminder does not wait because another came before it.
#pragma once

#include "inbox/store/sql.h"

namespace alfred::inbox {

struct SessionTimer {
  std::string session;  // ses_…
  std::string message;
  std::int64_t at_ms = 0;
};

// Its id.
Result<std::string> add_session_timer(Sql& sql, const SessionTimer& timer);
// One that fired or is gone is fine.
Result<void> drop_session_timer(Sql& sql, std::string_view timer);

}  // namespace alfred::inbox
