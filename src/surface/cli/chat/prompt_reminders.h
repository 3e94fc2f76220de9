// What comes in by itself while a person is at the prompt: reminders, and whatever else wakes a
// session.
//
// R1 as long as it lives, what is due in the place's inbox is done: timers, digests, wake-ups.
// R2 what a wake-up came to is shown once, at the prompt; what came while no prompt was there is shown at the next.
// R3 who holds it moves the session's turns alone.
//    Where nobody is at a prompt it is shown before the next message and after the last, which
//    waits for what is about to come to the session.
// R4 a wake-up that is under way when the program is left is told as it came in, at the next start.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "engine/reminders/session_waker.h"
#include "inbox/inbox_runner.h"
#include "surface/cli/chat/dialogue.h"

namespace alfred::cli {

class PromptReminders {
 public:
  PromptReminders(Dialogue& dialogue, const Config& config, const Environment& environment);
  PromptReminders(const PromptReminders&) = delete;
  PromptReminders& operator=(const PromptReminders&) = delete;
  ~PromptReminders();

  // Whether there is something to show, and showing it, on the thread of the dialogue.
  bool has_news();
  void show();
  // Shows what is about to come to the session, which takes some seconds at most.
  void finish();
  std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

 private:
  SessionWakerWorld waker_world();
  Result<std::shared_ptr<Interpreter>> interpreter();
  std::string user() const;
  // Whether something has come in for the session that it was not woken for yet.
  bool is_about_to_come();

  Dialogue& dialogue_;
  const Config& config_;
  const Environment& environment_;
  RecordPlace place_;
  Inbox inbox_;
  std::mutex mutex_;
  std::atomic<bool> is_over_{false};
  std::shared_ptr<Interpreter> interpreter_;
  SessionWaker session_;
  std::vector<WakeUp> news_;
  std::unique_ptr<InboxRunner> runner_;
};

// Whether anything of this place is due or was not shown: a look that costs next to nothing.
bool has_due_reminders(const RecordPlace& place, Ports& ports);

}  // namespace alfred::cli
