#include "storage/sqlite/tx.h"

#include <sqlite3.h>

#include <utility>

#include <fmt/format.h>

namespace alfred {
namespace {

Row row_of(const LentStatement& statement) {
  Row row;
  const int count = sqlite3_column_count(statement.get());
  for (int i = 0; i < count; ++i) row.push_back(statement.cell(i));
  return row;
}

}  // namespace

Unexpected SqliteTx::failed(Error error) {
  if (!lost_ && !connection_.is_in_transaction()) lost_ = error;
  if (!failure_) failure_ = error;
  return Unexpected(std::move(error));
}

Result<void> SqliteTx::check(bool is_write) const {
  if (lost_) return Unexpected(*lost_);
  if (failure_) return Unexpected(*failure_);
  if (is_write && rights_.is_read) return fail(ErrorCode::bug, "A read tried to write.");
  return {};
}

Result<LentStatement> SqliteTx::start(const Result<BuiltSql>& built) {
  if (!rights_.holds_rows) return fail(ErrorCode::storage, "This store holds no users' rows.");
  if (!built) return Unexpected(built.error());
  Result<LentStatement> statement = connection_.prepare(built->text);
  if (!statement) return failed(std::move(statement).error());
  if (Result<void> bound = statement->bind_all(built->parameters); !bound)
    return failed(std::move(bound).error());
  return statement;
}

Result<void> SqliteTx::scan(const SelectRows& plan,
                            const std::function<Result<bool>(const Row&)>& visit) {
  if (Result<void> may = check(false); !may) return may;
  const Result<BuiltSql> built = build_sql(Dialect::sqlite, caller_, plan);
  Result<LentStatement> statement = start(built);
  if (!statement) return Unexpected(std::move(statement).error());
  for (;;) {
    Result<bool> has_row = statement->step(plan.table);
    if (!has_row) return failed(std::move(has_row).error());
    if (!*has_row) return {};
    Result<bool> goes_on = visit(row_of(*statement, plan.fields));
    if (!goes_on) return Unexpected(std::move(goes_on).error());
    if (!*goes_on) return {};
  }
}

Result<std::vector<Row>> SqliteTx::select(const SelectRows& plan) {
  std::vector<Row> rows;
  Result<void> scanned = scan(plan, [&](const Row& row) -> Result<bool> {
    rows.push_back(row);
    return true;
  });
  if (!scanned) return Unexpected(std::move(scanned).error());
  return rows;
}

Result<Row> SqliteTx::insert(const InsertRow& plan) {
  if (Result<void> may = check(true); !may) return Unexpected(std::move(may).error());
  if (!rights_.holds_rows) return fail(ErrorCode::storage, "This store holds no users' rows.");
  InsertShapes::Shape* shape = inserts_.find(plan);
  if (shape == nullptr) {
    const Result<BuiltSql> built = build_sql(Dialect::sqlite, caller_, plan);
    if (!built) return Unexpected(built.error());
    Result<InsertShapes::Shape*> added = inserts_.add(plan);
    if (!added) return failed(std::move(added).error());
    shape = *added;
  }
  if (Result<void> fits = InsertShapes::check(plan); !fits)
    return Unexpected(std::move(fits).error());
  Result<Row> row = inserts_.insert(*shape, plan);
  if (!row) return failed(std::move(row).error());
  return row;
}

Result<std::uint64_t> SqliteTx::change(const Result<BuiltSql>& built, const Table& table) {
  if (Result<void> may = check(true); !may) return Unexpected(std::move(may).error());
  Result<LentStatement> statement = start(built);
  if (!statement) return Unexpected(std::move(statement).error());
  Result<bool> has_row = statement->step(&table);
  if (!has_row) return failed(std::move(has_row).error());
  return static_cast<std::uint64_t>(sqlite3_changes64(connection_.handle()));
}

Result<std::uint64_t> SqliteTx::update(const UpdateRows& plan) {
  return change(build_sql(Dialect::sqlite, caller_, plan), *plan.table);
}

Result<std::uint64_t> SqliteTx::remove(const DeleteRows& plan) {
  return change(build_sql(Dialect::sqlite, caller_, plan), *plan.table);
}

Result<std::vector<Row>> SqliteTx::run(const Statement& text, Params params) {
  if (Result<void> may = check(false); !may) return Unexpected(std::move(may).error());
  if (!rights_.holds_state)
    return fail(ErrorCode::storage, "This database is not ours and holds no records of ours.");
  Result<LentStatement> statement = connection_.prepare(text.text());
  if (!statement) return failed(std::move(statement).error());
  if (rights_.is_read && sqlite3_stmt_readonly(statement->get()) == 0)
    return fail(ErrorCode::bug, "A read tried to write.");
  if (Result<void> bound = statement->bind_named(params); !bound)
    return failed(std::move(bound).error());
  std::vector<Row> rows;
  for (;;) {
    Result<bool> has_row = statement->step();
    if (!has_row) return failed(std::move(has_row).error());
    if (!*has_row) return rows;
    rows.push_back(row_of(*statement));
  }
}

Result<void> SqliteTx::savepoint(const std::function<Result<void>()>& part) {
  if (Result<void> may = check(false); !may) return may;
  const bool was_resolved = !connection_.has_unresolved_links();
  const std::string name = fmt::format("part_{}", ++depth_);
  Result<void> done = connection_.execute_kept(("SAVEPOINT " + name).c_str());
  if (done) {
    done = part();
    if (done && failure_) done = Unexpected(*failure_);
    failure_.reset();
    if (done && was_resolved && connection_.has_unresolved_links())
      done = Unexpected(connection_.error(SQLITE_CONSTRAINT_FOREIGNKEY));
    if (!done && connection_.is_in_transaction()) {
      const Result<void> undone = connection_.execute_kept(("ROLLBACK TO " + name).c_str());
      if (!undone) lost_ = undone.error();
    }
    if (connection_.is_in_transaction()) {
      Result<void> released = connection_.execute_kept(("RELEASE " + name).c_str());
      if (!released && done) done = std::move(released);
    }
  }
  --depth_;
  if (!done && !lost_ && !connection_.is_in_transaction()) lost_ = done.error();
  return done;
}

}  // namespace alfred
