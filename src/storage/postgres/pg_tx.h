// A transaction on PostgreSQL: repeatable read, its own timeouts, the caller as app.tenant.
//
// R1 commands whose answer nobody waits for (BEGIN, SAVEPOINT, settings) travel with the next one.
// R2 an error of the database ends everything up to the innermost savepoint: later calls get it again.
// R3 a doomed transaction (a conflict with others, a lost connection) answers nothing more; whoever
//    began it decides whether it runs again.
// R4 a connection found dead before the first answer is replaced unnoticed: nothing was seen of it.
// R5 our own tables are in the schema alfred: names in statements of ours mean those, names in plans
//    never do.
// R6 rows that are inserted together travel together, some hundred at a time; in a database of ours those that
//    follow one another in one table, and whose keys are given, several to a statement. Where such
//    a statement fails or gives other rows, all is done again one by one, to say which.
// R7 deferred constraints are checked when a savepoint's part ends, so that its error is the part's own;
//    where writes before it were not checked yet, at COMMIT. Each row is checked once where
//    all constraints that may be deferred begin so.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "storage/postgres/pg_constraints.h"
#include "storage/postgres/pg_error.h"
#include "storage/postgres/pg_pool.h"
#include "storage/sql_builder.h"
#include "storage/store.h"

namespace alfred {

// What all transactions of a database share.
struct PgContext {
  PgPool& pool;
  PgConstraints& constraints;
  bool is_ours = false;
  int statement_timeout_ms = 30'000;
  int lock_timeout_ms = 5000;
};

class PgTx final : public Tx {
 public:
  enum class Mode : std::uint8_t { read, write };
  PgTx(PgContext& context, PgLease lease, Caller caller, Mode mode);
  PgTx(const PgTx&) = delete;
  PgTx& operator=(const PgTx&) = delete;
  ~PgTx() override;

  Result<std::vector<Row>> select(const SelectRows& plan) override;
  Result<void> scan(const SelectRows& plan,
                    const std::function<Result<bool>(const Row&)>& visit) override;
  Result<Row> insert(const InsertRow& plan) override;
  Result<std::vector<Row>> insert_all(std::span<InsertRow> plans, std::size_t& failed_at) override;
  Result<std::uint64_t> update(const UpdateRows& plan) override;
  Result<std::uint64_t> remove(const DeleteRows& plan) override;
  Result<std::vector<ActingLink>> acting_links(const Table& table) override;
  Result<std::uint64_t> count_acted_on(const ActingLink& link, const DeleteRows& going,
                                       const SelectRows* among) override;
  Result<std::optional<std::uint64_t>> touched_so_far(const ActingLink& link) override;
  Result<std::vector<Row>> run(const Statement& statement, Params params) override;
  Result<std::uint64_t> execute(const Statement& statement, Params params) override;
  Result<void> savepoint(const std::function<Result<void>()>& part) override;
  bool holds_state() const override { return context_.is_ours; }

  // For the database that began it.
  // `given`: the values that the command carries, for who has to say which one did not fit;
  // `right`: the one that it needs beside SELECT, as GRANT calls it.
  Result<PgRows> send(PgCommand command, const Table* table = nullptr,
                      std::span<const FieldValue> given = {}, std::string_view right = {});
  Result<PgRows> send_statement(const Statement& statement, Params params);
  PgResult<void> commit(std::vector<PgCommand> last);
  void roll_back();
  const std::optional<Error>& failure() const { return failure_; }
  bool is_begun() const { return is_begun_; }
  bool is_doomed() const { return is_doomed_; }
  bool is_lost() const { return is_lost_; }
  PgLease& lease() { return lease_; }

 private:
  // The answers of these, which follow what is queued. A fault's place counts from the first of
  // them.
  PgResult<std::vector<PgRows>> exchange(std::vector<PgCommand> commands);
  PgResult<PgRows> exchange(PgCommand command);
  Result<PgCommand> insert_command(const InsertRow& plan);
  Result<std::vector<Row>> insert_each(std::span<InsertRow> plans, std::size_t& failed_at);
  // Nothing: they have to go one by one, and nothing was done.
  Result<std::optional<std::vector<Row>>> insert_runs(std::span<InsertRow> plans);
  Result<PgCommand> run_command(std::span<InsertRow> plans,
                                const std::vector<const Field*>& fields);
  std::vector<PgCommand> begin_commands() const;
  void use_path(bool is_state);
  Result<PgRows> change(const Result<BuiltSql>& built, const Table& table,
                        std::span<const FieldValue> given, std::string_view right);
  Result<void> check_deferred();
  Result<bool> all_begin_deferred();
  Unexpected failed(const PgFault& fault, const Table* table, std::span<const FieldValue> given,
                    std::string_view right);
  void undo_savepoint(const std::string& name, bool was_state_path);
  Result<void> visit_all(const SelectRows& plan, const std::string& cursor,
                         const std::function<Result<bool>(const Row&)>& visit);

  PgContext& context_;
  PgLease lease_;
  const Caller caller_;
  const Mode mode_;
  std::vector<PgCommand> queue_;  // R1
  struct InsertText {             // of rows that have these columns
    const Table* table;
    std::vector<const Field*> given;
    std::vector<const Field*> returning;
    std::string sql;
    bool keeps_its_numbers;
    std::optional<SqlParameter> owner;
  };
  const InsertText* text_for(const InsertRow& plan) const;
  std::vector<InsertText> inserts_;
  struct RunText {  // of so many rows with values for these columns
    InsertRows plan;
    BuiltSql built;
  };
  std::vector<RunText> runs_;
  std::optional<Error> failure_;
  std::size_t depth_ = 0;             // of savepoints
  std::size_t cursors_ = 0;           // open at the moment
  std::size_t unchecked_writes_ = 0;  // whose deferred constraints nobody has looked at
  bool is_begun_ = false;
  bool is_doomed_ = false;
  bool is_lost_ = false;
  bool is_state_path_ = false;
};

}  // namespace alfred
