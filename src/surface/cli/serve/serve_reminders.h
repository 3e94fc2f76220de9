// The wake-ups of a server's sessions: what is due in the place's inbox is done as long as it
// lives.
//
// R1 a session that a request is moving is busy, and woken after it.
// R2 whose session it is does not matter: a server wakes those of all users of its place.
#pragma once

#include <atomic>

#include "engine/reminders/due_runner.h"
#include "engine/reminders/session_waker.h"
#include "inbox/wake/tmux.h"
#include "inbox/wake/webhook.h"
#include "surface/http/api/api.h"

namespace alfred::cli {

class ServeReminders {
 public:
  explicit ServeReminders(http::Api& api);
  ServeReminders(const ServeReminders&) = delete;
  ServeReminders& operator=(const ServeReminders&) = delete;
  ~ServeReminders();

 private:
  SessionWakerWorld waker_world();

  http::Api& api_;
  RecordPlace place_;
  Inbox inbox_;
  std::atomic<bool> is_over_{false};
  SessionWaker session_;
  WebhookWaker webhook_;
  TmuxWaker terminal_;
  DueRunner runner_;
};

}  // namespace alfred::cli
