// The inbox that a command works on.
//
// R1 the database that was named: a file or a PostgreSQL database of ours. A file of another program is refused.
// R2 else that of the place which `alfred chat` and `alfred serve` use when nothing is named: its reminders are there.
#pragma once

#include <memory>
#include <string>

#include "inbox/open_inbox.h"
#include "surface/cli/named_place.h"

namespace alfred::cli {

class NamedInbox {
 public:
  // What opening has to say goes to the error stream, a line each.
  static Result<std::unique_ptr<NamedInbox>> open(const std::string& database,
                                                  const Streams& streams,
                                                  IfAbsent if_absent = IfAbsent::make);
  NamedInbox(const NamedInbox&) = delete;
  NamedInbox& operator=(const NamedInbox&) = delete;

  Inbox& inbox() { return named_ ? named_->inbox() : *of_place_; }
  const Clock& clock() const { return ports_.clock; }

 private:
  NamedInbox() = default;

  Ports ports_;
  std::optional<OpenInbox> named_;
  RecordPlace place_;
  std::unique_ptr<Inbox> of_place_;
};

}  // namespace alfred::cli
