#include "storage/sqlite/new_file.h"

#include <utility>

#include "base/files/file.h"
#include "storage/sqlite/own_file.h"
#include "storage/sqlite/sqlite_store.h"
#include "storage/sqlite/tx.h"

namespace alfred {
namespace {

class DatabaseInMemory final : public NewDatabase {
 public:
  explicit DatabaseInMemory(SqliteConnection& connection) : connection_(connection) {}

  Result<Catalogue> catalogue() override { return sqlite_catalogue(connection_); }
  Result<void> put(const Caller& caller, const ReadFn& rows) override {
    SqliteTx tx(connection_, caller,
                TxRights{.is_read = false, .holds_rows = true, .holds_state = true});
    return tx.savepoint([&] { return rows(tx); });
  }

 private:
  SqliteConnection& connection_;
};

Result<void> put_first_rows(SqliteConnection& connection, const StoreOptions& options) {
  if (!options.first_rows) return {};
  if (Result<void> begun = connection.execute("BEGIN"); !begun) return begun;
  DatabaseInMemory database(connection);
  if (Result<void> put = options.first_rows(database); !put) return put;
  return connection.execute("COMMIT");
}

}  // namespace

Result<void> make_own_file(const std::string& path, const StoreOptions& options) {
  Result<std::unique_ptr<SqliteConnection>> connection = SqliteConnection::open(
      {":memory:", ConnectionOptions::Mode::create, {}, options.busy_timeout_ms, 0});
  if (!connection) return Unexpected(std::move(connection).error());
  if (Result<void> made = migrate(**connection, path, options); !made) return made;
  if (Result<void> put = put_first_rows(**connection, options); !put) return put;
  Result<std::string> image = (*connection)->image();
  if (!image) return Unexpected(std::move(image).error());
  // Bytes 18 and 19 say how the file is written and read: 2 stands for a log (WAL).
  image->replace(18, 2, 2, '\2');
  return write_file_atomically(path, *image);
}

}  // namespace alfred
