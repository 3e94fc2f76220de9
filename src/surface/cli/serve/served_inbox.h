// The inbox of a server: that of its place, the door that routes use, and what is due in it.
//
// R1 what could not be done is in the log and is tried again.
// R2 a session that a request is moving is busy, and woken after it.
// R3 whose session it is does not matter: a server wakes those of all users of its place.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "engine/reminders/session_waker.h"
#include "inbox/inbox_runner.h"
#include "inbox/source/exec_runner.h"
#include "surface/http/api/api.h"
#include "surface/http/inbox/inbox_door.h"

namespace alfred::cli {

class ServedInbox {
 public:
  // is_ending: streams end then.
  ServedInbox(RecordPlace place, const Clock& clock, Random& random,
              std::function<bool()> is_ending);
  ServedInbox(const ServedInbox&) = delete;
  ServedInbox& operator=(const ServedInbox&) = delete;
  ~ServedInbox() { stop(); }

  http::InboxDoor& door() { return door_; }
  Inbox& inbox() { return inbox_; }

  struct Work {
    bool wakes_sessions = true;
    bool runs_programs = false;  // those of exec sources
  };
  // From here on what is due is done, until stop().
  void start(http::Api& api, Work work);
  void stop();

 private:
  SessionWakerWorld waker_world(http::Api& api);

  RecordPlace place_;
  const Clock& clock_;
  Random& random_;
  Inbox inbox_;
  http::InboxDoor door_;
  std::atomic<bool> is_over_{false};
  std::optional<SessionWaker> session_;
  std::optional<InboxRunner> runner_;
  std::optional<ExecRunner> programs_;
};

}  // namespace alfred::cli
