#include "storage/sqlite/sqlite_store.h"

#include <algorithm>
#include <utility>

#include "base/kept_moment.h"
#include "storage/sqlite/write_signs.h"

namespace alfred {

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::string& path, Holds holds,
                                                       const StoreOptions& options) {
  Result<SqliteFile> file =
      options.is_ours ? SqliteFile::own(path, options) : SqliteFile::existing(path, options);
  if (!file) return Unexpected(std::move(file).error());
  const SqliteWriter::Keeps keeps{.rows = holds == Holds::rows_and_state,
                                  .state = options.is_ours,
                                  .ops = options.is_ours || options.allows_op_table,
                                  .kept = options.ops};
  return std::unique_ptr<SqliteStore>(
      new SqliteStore(std::move(*file), keeps, std::max<std::size_t>(options.pool, 1)));
}

Result<std::string> SqliteStore::write(const WriteCall& call, const WriteFn& closure) {
  end_kept_moment();
  struct Noted {
    Noted() = default;
    Noted(const Noted&) = delete;
    Noted& operator=(const Noted&) = delete;
    ~Noted() { note_sqlite_write(); }
  };
  const Noted noted;
  return writer_.write(call, closure);
}

Result<void> SqliteStore::read(const Caller& caller, const ReadFn& closure) {
  return readers_.read([&](SqliteConnection& connection) {
    SqliteTx tx(connection, caller,
                TxRights{.is_read = true, .holds_rows = keeps_.rows, .holds_state = keeps_.state});
    return closure(tx);
  });
}

Result<void> SqliteStore::read_briefly(const Caller& caller, const ReadFn& closure) {
  std::optional<Result<void>> done = writer_.try_read([&](SqliteConnection& connection) {
    SqliteTx tx(connection, caller,
                TxRights{.is_read = true, .holds_rows = keeps_.rows, .holds_state = keeps_.state});
    return closure(tx);
  });
  return done ? std::move(*done) : read(caller, closure);
}

Result<std::optional<std::string>> SqliteStore::answer_of(OpId op) {
  std::optional<std::string> answer;
  if (!keeps_.state) return answer;
  Result<void> done = readers_.read([&](SqliteConnection& connection) -> Result<void> {
    Result<std::optional<KeptAnswer>> kept = kept_answer(connection, op);
    if (!kept) return Unexpected(std::move(kept).error());
    if (*kept) answer = std::move((*kept)->answer);
    return {};
  });
  if (!done) return Unexpected(std::move(done).error());
  return answer;
}

Result<Catalogue> SqliteStore::catalogue() {
  Catalogue catalogue;
  Result<void> done = readers_.read([&](SqliteConnection& connection) -> Result<void> {
    Result<Catalogue> found = sqlite_catalogue(connection);
    if (!found) return Unexpected(std::move(found).error());
    catalogue = std::move(*found);
    return {};
  });
  if (!done) return Unexpected(std::move(done).error());
  return catalogue;
}

Result<QueryRows> SqliteStore::query(const Caller& caller, std::string_view sql,
                                     std::span<const Table* const> tables, std::size_t max_rows) {
  if (!keeps_.rows) return fail(ErrorCode::storage, "This store holds no users' rows.");
  end_kept_moment();
  return run_sqlite_query(file_, {caller, sql, tables, max_rows});
}

}  // namespace alfred
