// An inbox on its own database: a file of ours, or a PostgreSQL database of ours.
//
// R1 the database is made where there is none; an older one is migrated, a newer one refused.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inbox/inbox.h"

namespace alfred {

class OpenInbox {
 public:
  // database: as --db takes it (storage/open_store.h).
  static Result<OpenInbox> open(const std::string& database, const Clock& clock, Random& random,
                                std::vector<std::string>* warnings = nullptr);
  Inbox& inbox() { return *inbox_; }

 private:
  OpenInbox() = default;
  std::unique_ptr<RecordStore> store_;
  std::unique_ptr<Inbox> inbox_;
};

}  // namespace alfred
