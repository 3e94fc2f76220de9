// Timers: messages that an agent gets later. at (an instant), every (60 s or more), cron (cron.h).
//
// R1 an occurrence is one for (schedule, nominal time): its event is keyed so, and fires with the schedule's next
//    time in one transaction.
// R2 overdue: `at` fires once; `every` and `cron` fire once, for the last occurrence that is due, with the number
//    of those before it (`missed`), and keep their phase.
// R3 what waits costs an index entry, however far away it is.
#pragma once

#include "inbox/store/page.h"

namespace alfred::inbox {

inline constexpr std::int64_t kMostMissed = 1'000;  // counted one by one; more are not counted

Result<Json> add_timer(Sql& sql, const Json& request);
// Agent empty: of all agents.
Result<Json> list_timers(Sql& sql, std::string_view agent, const ListPage& page);
Result<Json> pause_timer(Sql& sql, std::string_view timer);
Result<Json> resume_timer(Sql& sql, std::string_view timer);
Result<Json> remove_timer(Sql& sql, std::string_view timer);
// Fires at most so many that are due: how many.
std::int64_t fire_due(Sql& sql, std::int64_t most);

}  // namespace alfred::inbox
