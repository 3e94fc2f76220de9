// An inbox on its own database: a file of ours, or a PostgreSQL database of ours.
//
// R1 the database is made where there is none and it may be; an older one is migrated, a newer one refused. A file of
//    another program is refused and stays as it is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inbox/inbox.h"
#include "storage/own_database.h"

namespace alfred {

class OpenInbox {
 public:
  // database: as --db takes it (storage/open_store.h).
  static Result<OpenInbox> open(const std::string& database, const Clock& clock, Random& random,
                                std::vector<std::string>* warnings = nullptr,
                                IfAbsent if_absent = IfAbsent::make);
  Inbox& inbox() { return *inbox_; }

 private:
  OpenInbox() = default;
  std::unique_ptr<RecordStore> store_;
  std::unique_ptr<Inbox> inbox_;
};

}  // namespace alfred
