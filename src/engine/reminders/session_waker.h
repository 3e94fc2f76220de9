// SessionWaker: what came in for a session becomes a turn in it.
//
// R1 the unacked entries are the turn's message, as refs (contracts/wake_up.h); they are acked when the turn is over.
// R2 an activation is one turn, by its key: who tries again after a crash goes on with the turn there is.
// R3 a session in which a turn is running is busy, and tried again soon. One that is no more is gone.
// R4 where nobody answers, or the turn was given up, the user is told what came in, as it came in: a
//    reminder is not lost because a model is not there.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/reminders/wake_ups.h"
#include "engine/session/run_turn.h"
#include "inbox/inbox.h"

namespace alfred {

struct SessionWakerWorld {
  RecordPlace place;
  const Clock& clock;
  Random& random;
  Inbox& inbox;  // on the place's state
  // Who answers such turns.
  std::function<Result<std::shared_ptr<Interpreter>>()> interpreter{};
  // Keeps the session for a turn until what it gives goes away; null: somebody has it.
  std::function<std::shared_ptr<void>(const std::string& session)> take{};
  std::vector<std::string> secrets{};
  std::string zone{};  // of the user's clock; empty: as the session has it
  SessionTuning tuning{};
};

class SessionWaker final : public Waker {
 public:
  explicit SessionWaker(SessionWakerWorld world) : world_(std::move(world)) {}
  WakeOutcome wake(const WakeRequest& request) override;

 private:
  Result<std::unique_ptr<Session>> open(const std::string& session, const std::string& user,
                                        const Interpreter& interpreter);
  Result<WakeUp> write_down(const WakeRequest& request, const std::string& user,
                            const Session& session);
  Result<std::string> run(Session& session, Interpreter& interpreter, const WakeUp& wake_up);
  Result<void> end(const WakeRequest& request, const WakeUp& wake_up, const std::string& reply);

  SessionWakerWorld world_;
};

}  // namespace alfred
