// Reminders: a row whose pack declares an instant as its `timer` has a timer in the inbox, from the
// transaction that writes the row on.
//
// R1 made, moved and removed with the row: by every call that changes it, an undo too. On a database of ours in
//    the row's own transaction; on a user's own in the one of ours that keeps the call's answer.
// R2 it wakes the session it was made in. A row that is written outside of sessions wakes the user's last session;
//    where there is none, one is made.
// R3 an instant that is past makes none, but for one of the last minutes, which fires at once. A row whose
//    `timer_unless` is true has none.
// R4 its text is the row's label.
// R5 rows of ours that came without a call, such as those that a pack brings to try, get theirs with the first session
//    that begins after them: those of the user that are still to come, at most kMostAdopted of a
//    table.
#pragma once

#include <span>
#include <string>

#include "alfred/random.h"
#include "base/time/clock.h"
#include "pack/pack.h"
#include "records/record_context.h"
#include "storage/store.h"

namespace alfred {

inline constexpr std::size_t kMostAdopted = 200;
inline constexpr std::int64_t kReminderGraceMs = 10LL * 60'000;

struct ReminderWorld {
  const Pack& pack;
  std::string workspace;  // its name: a session's id, or a name
  std::string user;
  const Clock& clock;
  Random& random;
};

StateTables reminder_tables();

// Brings the timers in line with the rows, in a transaction on our own tables.
Result<void> keep_reminders(Tx& tx, const ReminderWorld& world, std::span<const RowEffect> effects);
// R5, in the transaction that makes the session whose id is the world's workspace.
Result<void> adopt_reminders(Tx& tx, const ReminderWorld& world, const Schema& schema);

}  // namespace alfred
