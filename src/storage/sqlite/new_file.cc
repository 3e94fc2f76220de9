#include "storage/sqlite/new_file.h"

#include <future>
#include <utility>

#include <fmt/format.h>

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

using InMemory = Result<std::unique_ptr<SqliteConnection>>;

InMemory open_in_memory() {
  InMemory out = SqliteConnection::open({":memory:", ConnectionOptions::Mode::create, {}, 0, 0});
  if (!out) return out;
  const std::string pages = fmt::format("PRAGMA page_size={}", kPageBytes);
  if (Result<void> set = (*out)->execute(pages.c_str()); !set)
    return Unexpected(std::move(set).error());
  return out;
}

class TablesAhead final : public FileAhead {
 public:
  explicit TablesAhead(std::vector<StateTables> tables)
      : tables_(std::move(tables)),
        made_(std::async(std::launch::async, [this] { return make(); })) {}

  InMemory take() { return made_.valid() ? made_.get() : open_in_memory(); }

 private:
  InMemory make() const {
    StoreOptions options;
    options.is_ours = true;
    options.tables = tables_;
    InMemory connection = open_in_memory();
    if (!connection) return connection;
    if (Result<void> made = migrate(**connection, ":memory:", options); !made)
      return Unexpected(std::move(made).error());
    return connection;
  }

  std::vector<StateTables> tables_;
  std::future<InMemory> made_;  // after what it reads: it is waited for first
};

Result<void> put_first_rows(SqliteConnection& connection, const StoreOptions& options) {
  if (!options.first_rows) return {};
  if (Result<void> begun = connection.execute("BEGIN"); !begun) return begun;
  DatabaseInMemory database(connection);
  if (Result<void> put = options.first_rows(database); !put) return put;
  return connection.execute("COMMIT");
}

}  // namespace

std::shared_ptr<FileAhead> begin_own_file(std::vector<StateTables> tables) {
  return std::make_shared<TablesAhead>(std::move(tables));
}

Result<void> make_own_file(const std::string& path, const StoreOptions& options) {
  auto* const ahead = dynamic_cast<TablesAhead*>(options.ahead.get());
  InMemory connection = ahead == nullptr ? open_in_memory() : ahead->take();
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
