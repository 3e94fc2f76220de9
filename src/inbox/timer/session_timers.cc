#include "inbox/timer/session_timers.h"

#include "base/time/clock.h"
#include "inbox/registry/agents.h"
#include "inbox/timer/timers.h"

namespace alfred::inbox {

Result<std::string> add_session_timer(Sql& sql, const SessionTimer& timer) {
  const Result<Json> agent = register_agent(
      sql,
      JsonObject{{"agentId", timer.session}, {"sessionId", timer.session}, {"notifyLeaseMs", 0}});
  if (!agent) return Unexpected(agent.error());
  const Result<Json> made = add_timer(sql, JsonObject{{"agentId", timer.session},
                                                      {"message", timer.message},
                                                      {"at", rfc3339_utc(timer.at_ms)},
                                                      {"sender", "reminder"}});
  if (!made) return Unexpected(made.error());
  if (Result<void> good = sql.result(); !good) return Unexpected(good.error());
  return std::string(made->at("scheduleId").as_string());
}

Result<void> drop_session_timer(Sql& sql, std::string_view timer) {
  const Result<Json> removed = remove_timer(sql, timer);
  if (Result<void> good = sql.result(); !good) return good;
  if (!removed && removed.error().code != ErrorCode::record) return Unexpected(removed.error());
  return {};
}

}  // namespace alfred::inbox
