#include "inbox/open_inbox.h"

#include "inbox/store/tables.h"
#include "storage/open_store.h"

namespace alfred {

Result<OpenInbox> OpenInbox::open(const std::string& database, const Clock& clock, Random& random,
                                  std::vector<std::string>* warnings, IfAbsent if_absent) {
  const Result<DatabaseUrl> url = parse_database_url(database);
  if (!url) return Unexpected(url.error());
  if (const Result<void> good = check_own_database(*url, if_absent); !good)
    return Unexpected(good.error());
  const StateTables tables[] = {inbox::inbox_tables()};
  StoreOptions options;
  options.is_ours = true;
  options.tables = tables;
  options.warnings = warnings;
  Result<std::unique_ptr<RecordStore>> store = open_records(*url, options);
  if (!store) return Unexpected(store.error());
  OpenInbox out;
  out.store_ = std::move(*store);
  out.inbox_ = std::make_unique<Inbox>(*out.store_->state(), clock, random);
  return out;
}

}  // namespace alfred
