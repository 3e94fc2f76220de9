// Activations: waking the targets that are due, one at a time each.
//
// R1 an attempt is recorded before it is made, under an activation's id; the same id is used until it arrives, so
//    that a receiver can tell a repeated wake-up from a new one. One whose latest entry is acked
//    has arrived.
// R2 while an attempt runs its target is not offered again; one whose process died is offered again when its time
//    is over, and what such a process says later is not believed.
// R3 nothing unacked: no wake-up. Fewer than minUnackedItems: it waits for more.
// R4 a failure is tried again after 5, 10, 20 … 300 s; a busy pane as well; a target that is gone goes offline.
// R5 after a wake-up the lease holds others back; what comes in it, or while the wake-up was made, wakes at its end;
//    at once where what was told is acked by then.
// R6 an active webhook wins over terminals; when it goes, they are told what is unacked.
#pragma once

#include <optional>

#include "inbox/store/sql.h"
#include "inbox/wake/due_wake.h"
#include "inbox/wake/waker.h"

namespace alfred::inbox {

inline constexpr std::int64_t kFlightMs = 120'000;

struct Flight {
  WakeRequest request;
  std::int64_t attempt = 0, pending = 0, newest = 0;
};

// Of the kinds that somebody here wakes: the first of each agent, then the second of each, up to
// kOfOneAgent; at most so many whose last attempt went well, and after them as many whose last
// attempt did not, so that neither hides the other.
inline constexpr std::int64_t kOfOneAgent = 4;
std::vector<DueWake> due_targets(Sql& sql, const Wakers& wakers, std::int64_t most);
// Takes a target for an attempt; nothing when there is no need.
std::optional<Flight> begin_wake(Sql& sql, const std::string& target, const Wakers& wakers);
// Whether it was believed (R2).
bool finish_wake(Sql& sql, const Flight& flight, const WakeOutcome& outcome);
std::int64_t backoff_ms(std::int64_t attempts);

}  // namespace alfred::inbox
