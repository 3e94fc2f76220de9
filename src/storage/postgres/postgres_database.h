// A PostgreSQL database as a store: users' rows, and our own records where it is ours.
//
// R1 a write runs again after a conflict with others (at most five times, then `conflict`) and after
//    a connection that was lost before COMMIT, always under its op.
// R2 a commit whose answer was lost is looked up: by its op's row, or on a user's own database by the
//    transaction's id. Only what surely did not happen runs again.
// R3 ours: our tables are in the schema alfred. A user's own gets no table, except alfred_ops when asked.
// R4 connections are session-wide (settings, prepared statements): a pooler in transaction mode between
//    us and the server does not work.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "storage/open_store.h"
#include "storage/postgres/pg_ops.h"
#include "storage/write_health.h"

namespace alfred {

class PostgresDatabase final : public RecordStore, public StateStore {
 public:
  static Result<std::unique_ptr<PostgresDatabase>> open(const DatabaseUrl& url,
                                                        const StoreOptions& options);
  static Result<int> installed_version(const DatabaseUrl& url, std::string_view pack);

  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override;
  Result<void> read(const Caller& caller, const ReadFn& closure) override;
  Result<std::optional<std::string>> answer_of(OpId op) override;
  Result<Catalogue> catalogue() override;
  Result<QueryRows> query(const Caller& caller, std::string_view sql,
                          std::span<const Table* const> tables, std::size_t max_rows) override;
  StoreHealth health() const override { return health_.get(); }
  StateStore* state() override { return context_.is_ours ? this : nullptr; }

 private:
  struct Attempt {
    Result<std::string> answer;
    bool is_again = false;  // what happened lets it run once more
  };

  PostgresDatabase(const DatabaseUrl& url, const StoreOptions& options);
  bool is_kept(const WriteCall& call) const { return keeps_ops_ && call.op; }
  Result<void> prepare(const StoreOptions& options);
  Attempt attempt(const WriteCall& call, const WriteFn& closure);
  Attempt refused(PgTx& tx, const WriteCall& call, Error error);
  Attempt commit(PgTx& tx, const WriteCall& call, std::string answer);
  Attempt settled(PgTx& tx, const LostCommit& lost, const WriteCall& call, std::string answer);
  Result<std::optional<KeptOp>> find(std::string_view op);

  PgPool pool_;
  PgConstraints constraints_;
  PgContext context_;
  bool keeps_ops_ = false;
  KeptOps kept_ops_;
  WriteHealth health_;
};

}  // namespace alfred
