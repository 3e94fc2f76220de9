// The inbox of a server: its database, what is due in it, and the door that routes use.
//
// R1 what could not be done is in the log and is tried again.
#pragma once

#include <memory>
#include <optional>

#include "inbox/inbox_runner.h"
#include "inbox/open_inbox.h"
#include "inbox/source/exec_runner.h"
#include "surface/cli/command.h"
#include "surface/http/inbox/inbox_door.h"
#include "surface/http/watch/json_log.h"

namespace alfred::cli {

class ServedInbox {
 public:
  // --inbox-db, else inbox.db in the data folder. Warnings go to the error stream.
  static Result<std::unique_ptr<ServedInbox>> open(const Arguments& arguments,
                                                   const Streams& streams, const Clock& clock,
                                                   Random& random);

  // From here on what is due is done; is_ending: streams end then.
  // runs_programs: those of exec sources too.
  http::InboxDoor* start(http::JsonLog& log, std::function<bool()> is_ending, bool runs_programs);
  void stop() {
    programs_.reset();
    runner_.reset();
  }

 private:
  ServedInbox(OpenInbox opened, const Clock& clock) : opened_(std::move(opened)), clock_(clock) {}

  OpenInbox opened_;
  const Clock& clock_;
  std::optional<http::InboxDoor> door_;
  std::optional<InboxRunner> runner_;
  std::optional<ExecRunner> programs_;
};

}  // namespace alfred::cli
