// SqliteStore: both ports on one SQLite file. See store.h for what they promise and writer.h,
// readers.h, query.h, catalogue.cc for how.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "storage/open_store.h"
#include "storage/sqlite/database_file.h"
#include "storage/sqlite/readers.h"
#include "storage/sqlite/writer.h"

namespace alfred {

class SqliteStore final : public RecordStore, public StateStore {
 public:
  enum class Holds : std::uint8_t { rows_and_state, state };
  static Result<std::unique_ptr<SqliteStore>> open(const std::string& path, Holds holds,
                                                   const StoreOptions& options);

  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override;
  Result<void> read(const Caller& caller, const ReadFn& closure) override;
  Result<void> read_briefly(const Caller& caller, const ReadFn& closure) override;
  Result<std::optional<std::string>> answer_of(OpId op) override;
  Result<Catalogue> catalogue() override;
  Result<QueryRows> query(const Caller& caller, std::string_view sql,
                          std::span<const Table* const> tables, std::size_t max_rows) override;
  StoreHealth health() const override { return writer_.health(); }
  StateStore* state() override { return file_.is_ours() ? this : nullptr; }

 private:
  SqliteStore(SqliteFile file, SqliteWriter::Keeps keeps, std::size_t readers)
      : file_(std::move(file)), keeps_(keeps), writer_(file_, keeps), readers_(file_, readers) {}

  SqliteFile file_;
  SqliteWriter::Keeps keeps_;
  SqliteWriter writer_;    // the last connection to close moves the log into the file
  SqliteReaders readers_;  // so these close first
};

Result<Catalogue> sqlite_catalogue(SqliteConnection& connection);

struct SqliteQuery {
  const Caller& caller;
  std::string_view sql;
  std::span<const Table* const> tables;
  std::size_t max_rows;
};
Result<QueryRows> run_sqlite_query(const SqliteFile& file, const SqliteQuery& query);

}  // namespace alfred
