// SqliteTx: what a closure may do, on one connection inside one transaction.
//
// R1 when SQLite itself took the transaction back (a full disk, an interrupted change), everything after it
//    is refused with the same error, so that a closure cannot go on in a half.
// R2 a savepoint whose part leaves a link to nothing, where there was none before, is undone as a conflict.
// R3 in a read nothing writes.
// R4 an error of the database is given again to all that follows, until the savepoint it was in ends.
// R5 a savepoint is set when something in its part is about to write: one that only reads costs SQLite nothing.
#pragma once

#include <optional>
#include <vector>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/insert_shapes.h"
#include "storage/store.h"

namespace alfred {

struct TxRights {
  bool is_read = false;
  bool holds_rows = true;
  bool holds_state = false;
};

class SqliteTx final : public Tx {
 public:
  SqliteTx(SqliteConnection& connection, const Caller& caller, TxRights rights)
      : connection_(connection),
        caller_(caller),
        rights_(rights),
        inserts_(connection, caller),
        was_begun_(connection.is_in_transaction()) {}

  Result<std::vector<Row>> select(const SelectRows& plan) override;
  Result<void> scan(const SelectRows& plan,
                    const std::function<Result<bool>(const Row&)>& visit) override;
  Result<std::uint64_t> count(const SelectRows& plan) override;
  Result<void> scan_noted(const SelectRows& plan, const NotedFn& visit) override;
  Result<Row> insert(const InsertRow& plan) override;
  Result<std::vector<Row>> insert_all(std::span<InsertRow> plans, std::size_t& failed_at) override;
  bool refuses_bad_links(const Table& table, const Field& link, const Table& target) override;
  Result<std::uint64_t> update(const UpdateRows& plan) override;
  Result<std::uint64_t> remove(const DeleteRows& plan) override;
  Result<std::vector<ActingLink>> acting_links(const Table& table) override;
  Result<std::uint64_t> count_acted_on(const ActingLink& link, const DeleteRows& going,
                                       const SelectRows* among) override;
  Result<std::vector<Row>> run(const Statement& statement, Params params) override;
  Result<std::uint64_t> execute(const Statement& statement, Params params) override;
  Result<void> savepoint(const std::function<Result<void>()>& part) override;
  bool holds_state() const override { return rights_.holds_state; }

  // A part that is all there is in the transaction: as a savepoint, but when it fails the caller
  // takes back the transaction.
  Result<void> whole(const std::function<Result<void>()>& part);

  // Whoever writes comes by here first, also who writes on the connection beside this (R1, R3, R5).
  Result<void> may_write();

  // Set when SQLite took the transaction back.
  const std::optional<Error>& lost() const { return lost_; }

 private:
  Result<void> check() const;
  Result<void> set_savepoints();
  Result<void> run_part(const std::function<Result<void>()>& part);
  bool may_be_kept(const SelectRows& plan) const;
  Result<void> compare(const SelectRows& plan, const KeptRows::Entries& kept);
  Result<InsertShapes::Shape*> shape_of(const InsertRow& plan);
  Result<Row> insert_taking(InsertRow& plan);
  std::size_t run_at(std::span<InsertRow> plans);
  Result<void> insert_run(std::span<InsertRow> plans, std::vector<Row>& rows);
  Result<LentStatement> start(const Result<BuiltSql>& built);
  Result<LentStatement> start(const Statement& text, Params params);
  Result<std::uint64_t> number_of(const Result<BuiltSql>& built, const Table& table);
  Result<std::uint64_t> change(const Result<BuiltSql>& built, const Table& table);
  Unexpected failed(Error error);

  SqliteConnection& connection_;
  const Caller& caller_;
  TxRights rights_;
  InsertShapes inserts_;
  bool was_begun_;           // the transaction, before this; else the first savepoint begins it
  std::vector<bool> parts_;  // that are open, the outer ones first: whether their savepoint is set
  std::optional<Error> lost_;
  std::optional<Error> failure_;  // R4
};

}  // namespace alfred
