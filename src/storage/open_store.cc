#include "storage/open_store.h"

#include <utility>

#include "storage/postgres/postgres_database.h"
#include "storage/sqlite/sqlite_store.h"

namespace alfred {

Result<std::unique_ptr<RecordStore>> open_records(const DatabaseUrl& url,
                                                  const StoreOptions& options) {
  if (url.kind == DatabaseUrl::Kind::postgres) {
    Result<std::unique_ptr<PostgresDatabase>> database = PostgresDatabase::open(url, options);
    if (!database) return Unexpected(std::move(database).error());
    return std::unique_ptr<RecordStore>(std::move(*database));
  }
  Result<std::unique_ptr<SqliteStore>> store =
      SqliteStore::open(url.target, SqliteStore::Holds::rows_and_state, options);
  if (!store) return Unexpected(std::move(store).error());
  return std::unique_ptr<RecordStore>(std::move(*store));
}

Result<int> installed_version(const DatabaseUrl& url, std::string_view pack) {
  if (url.kind != DatabaseUrl::Kind::postgres) return 0;
  return PostgresDatabase::installed_version(url, pack);
}

Result<std::unique_ptr<StateStore>> open_state(const std::string& path,
                                               const StoreOptions& options) {
  StoreOptions ours = options;
  ours.is_ours = true;
  Result<std::unique_ptr<SqliteStore>> store =
      SqliteStore::open(path, SqliteStore::Holds::state, ours);
  if (!store) return Unexpected(std::move(store).error());
  return std::unique_ptr<StateStore>(std::move(*store));
}

}  // namespace alfred
