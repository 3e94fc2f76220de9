#include "storage/sqlite/tx.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"

namespace alfred {
namespace {

Row row_of(const LentStatement& statement) {
  Row row;
  const int count = sqlite3_column_count(statement.get());
  for (int i = 0; i < count; ++i) row.push_back(statement.cell(i));
  return row;
}

// The cell as LentStatement::cell() has it. A text goes where the text of the row before was, so
// that a scan takes no memory for each row.
void read_cell(const LentStatement& statement, int column, const Field* field, Value& out) {
  const bool is_read_as_another =
      field != nullptr &&
      ((field->link && field->type == FieldType::integer) || field->time_form != TimeForm::ours);
  if (sqlite3_column_type(statement.get(), column) != SQLITE_TEXT || is_read_as_another) {
    out = statement.cell(column, field);
    return;
  }
  const auto* const bytes =
      reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement.get(), column));
  if (!std::holds_alternative<std::string>(out)) out.emplace<std::string>();
  auto& text = std::get<std::string>(out);
  text.assign(bytes, size);
  if (!is_utf8(text)) out = Bytes{std::move(text)};
}

// Rows of a table that follow one another are inserted by one statement where there are many: a
// statement for so many rows is dear to prepare.
constexpr std::size_t kManyRows = 100;
constexpr std::size_t kLeastRun = 6;
constexpr std::size_t kLongestRun = 32;

std::string name_of_part(std::size_t depth) { return "part_" + std::to_string(depth + 1); }

#ifdef NDEBUG
constexpr bool kComparesKeptRows = false;
#else
constexpr bool kComparesKeptRows = true;
#endif

}  // namespace

Unexpected SqliteTx::failed(Error error) {
  if (!lost_ && !connection_.is_in_transaction()) lost_ = error;
  if (!failure_) failure_ = error;
  return Unexpected(std::move(error));
}

Result<void> SqliteTx::check() const {
  if (lost_) return Unexpected(*lost_);
  if (failure_) return Unexpected(*failure_);
  return {};
}

Result<void> SqliteTx::may_write() {
  if (Result<void> may = check(); !may) return may;
  if (rights_.is_read) return fail(ErrorCode::bug, "A read tried to write.");
  // What is written after SQLite took the transaction back would be committed by itself.
  const bool has_begun = was_begun_ || (!parts_.empty() && parts_.front());
  if (has_begun && !connection_.is_in_transaction())
    return failed(Error{ErrorCode::storage, "The transaction was taken back.", {}, {}, {}});
  return set_savepoints();
}

Result<void> SqliteTx::set_savepoints() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i]) continue;
    Result<void> set = connection_.execute_kept(("SAVEPOINT " + name_of_part(i)).c_str());
    if (!set) return failed(std::move(set).error());
    parts_[i] = true;
  }
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
  if (Result<void> may = check(); !may) return may;
  const Result<BuiltSql> built = build_sql(Dialect::sqlite, caller_, plan);
  Result<LentStatement> statement = start(built);
  if (!statement) return Unexpected(std::move(statement).error());
  Row row = connection_.take_spare_row();
  row.resize(plan.fields.size());
  Result<bool> goes_on = true;
  while (goes_on && *goes_on) {
    Result<bool> has_row = statement->step(plan.table);
    if (!has_row) return failed(std::move(has_row).error());
    if (!*has_row) break;
    for (std::size_t i = 0; i < row.size(); ++i)
      read_cell(*statement, static_cast<int>(i), plan.fields[i], row[i]);
    goes_on = visit(row);
  }
  connection_.give_spare_row(std::move(row));
  if (!goes_on) return Unexpected(std::move(goes_on).error());
  return {};
}

Result<std::uint64_t> SqliteTx::count(const SelectRows& plan) {
  const auto counted = [&] {
    return number_of(count_sql(Dialect::sqlite, caller_, plan), *plan.table);
  };
  if (!may_be_kept(plan)) return counted();
  if (Result<void> may = check(); !may) return Unexpected(std::move(may).error());
  const Result<std::optional<std::size_t>> kept =
      connection_.kept().count(connection_, caller_, plan);
  if (!kept) return failed(kept.error());
  if (!*kept) return counted();
  if constexpr (kComparesKeptRows) {
    Result<std::uint64_t> there = counted();
    if (!there) return there;
    if (*there != **kept)
      return fail(ErrorCode::bug, "There are not as many rows as were kept.", plan.table->name);
  }
  return **kept;
}

// All that the caller has in a table, read by the connection that is told of what changes: a
// reader's is not.
bool SqliteTx::may_be_kept(const SelectRows& plan) const {
  return !rights_.is_read && rights_.holds_rows && plan.where.kind == Condition::Kind::all &&
         plan.where.parts.empty() && plan.after.empty() && !plan.limit && !plan.is_for_update;
}

Result<void> SqliteTx::scan_noted(const SelectRows& plan, const NotedFn& visit) {
  if (!may_be_kept(plan)) return Tx::scan_noted(plan, visit);
  if (Result<void> may = check(); !may) return may;
  const Result<KeptRows::Plan*> kept = connection_.kept().find(connection_, caller_, plan);
  if (!kept) return failed(kept.error());
  if (*kept == nullptr) return Tx::scan_noted(plan, visit);
  if (Result<void> same = compare(plan, (*kept)->rows); !same) return same;
  for (KeptRows::Entry& entry : (*kept)->rows) {
    NotePlaces notes{entry.note, (*kept)->note};
    Result<bool> goes_on = visit(entry.row, &notes);
    if (!goes_on) return Unexpected(std::move(goes_on).error());
    if (!*goes_on) return {};
  }
  return {};
}

// Where no order is asked for, any will do.
Result<void> SqliteTx::compare(const SelectRows& plan, const KeptRows::Entries& kept) {
  if constexpr (kComparesKeptRows) {
    std::vector<Row> ours;
    for (const KeptRows::Entry& entry : kept) ours.push_back(entry.row);
    Result<std::vector<Row>> theirs = select(plan);
    if (!theirs) return Unexpected(theirs.error());
    if (plan.order.empty()) {
      std::sort(ours.begin(), ours.end());
      std::sort(theirs->begin(), theirs->end());
    }
    if (ours != *theirs)
      return fail(ErrorCode::bug, "Rows that were kept are not those of the database.",
                  plan.table->name);
  }
  return {};
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
  InsertRow copy = plan;
  return insert_taking(copy);
}

Result<std::vector<Row>> SqliteTx::insert_all(std::span<InsertRow> plans, std::size_t& failed_at) {
  std::vector<Row> rows;
  rows.reserve(plans.size());
  for (failed_at = 0; failed_at < plans.size(); failed_at = rows.size()) {
    const bool are_many = plans.size() >= kManyRows;
    const std::size_t run = are_many ? run_at(plans.subspan(failed_at)) : 1;
    if (run >= kLeastRun) {
      const Result<void> done = insert_run(plans.subspan(failed_at, run), rows);
      failed_at = rows.size();
      if (!done) return Unexpected(done.error());
      continue;
    }
    Result<Row> row = insert_taking(plans[failed_at]);
    if (!row) return Unexpected(std::move(row).error());
    rows.push_back(std::move(*row));
  }
  return rows;
}

Result<InsertShapes::Shape*> SqliteTx::shape_of(const InsertRow& plan) {
  if (Result<void> may = may_write(); !may) return Unexpected(std::move(may).error());
  if (!rights_.holds_rows) return fail(ErrorCode::storage, "This store holds no users' rows.");
  InsertShapes::Shape* shape = inserts_.find(plan);
  if (shape == nullptr) {
    Result<InsertShapes::Shape*> added = inserts_.add(plan);
    if (!added) {  // a plan that cannot be built has not touched the database
      const bool is_built = build_sql(Dialect::sqlite, caller_, plan).has_value();
      return is_built ? failed(std::move(added).error()) : Unexpected(std::move(added).error());
    }
    shape = *added;
  }
  if (Result<void> fits = InsertShapes::check(plan); !fits)
    return Unexpected(std::move(fits).error());
  return shape;
}

Result<Row> SqliteTx::insert_taking(InsertRow& plan) {
  const Result<InsertShapes::Shape*> shape = shape_of(plan);
  if (!shape) return Unexpected(shape.error());
  Result<Row> row = inserts_.insert(**shape, plan);
  if (!row) return failed(std::move(row).error());
  return row;
}

// How many of these, from the first on, one statement can insert.
std::size_t SqliteTx::run_at(std::span<InsertRow> plans) {
  if (!may_write() || !rights_.holds_rows) return 0;
  std::size_t run = 0;
  for (; run < plans.size() && run < kLongestRun; ++run) {
    const InsertRow& plan = plans[run];
    if (plan.table != plans[0].table || plan.returning != plans[0].returning) break;
    const InsertShapes::Shape* shape = inserts_.find(plan);
    if (shape == nullptr) {
      const Result<InsertShapes::Shape*> added = inserts_.add(plan);
      if (!added) break;  // whoever inserts it says why
      shape = *added;
    }
    if (!shape->is_plain || !InsertShapes::is_known_and_fits(*shape, plan)) break;
  }
  return run;
}

Result<void> SqliteTx::insert_run(std::span<InsertRow> plans, std::vector<Row>& rows) {
  const std::size_t first = rows.size();
  for (InsertRow& plan : plans) {
    Result<InsertShapes::Shape*> shape = inserts_.find(plan);
    if (*shape == nullptr) shape = inserts_.add(plan);  // others took its place
    if (!shape) return failed(std::move(shape).error());
    rows.push_back(InsertShapes::take_row(**shape, plan));
  }
  const std::span<const Row> run = std::span<const Row>(rows).subspan(first);
  Result<void> together = inserts_.insert_known(*plans[0].table, plans[0].returning, run);
  if (together) return inserts_.check_last(*inserts_.find(plans.back()), run.back());
  if (!connection_.is_in_transaction()) {  // it was broken off, and all before it with it
    rows.resize(first);
    return failed(std::move(together).error());
  }
  // None of them is stored: one by one, to know which one cannot be.
  for (std::size_t at = 0; at < run.size(); ++at) {
    Result<void> done =
        inserts_.insert_known(*plans[0].table, plans[0].returning, run.subspan(at, 1));
    if (done) continue;
    rows.resize(first + at);
    return failed(std::move(done).error());
  }
  return {};
}

// A foreign key knows nothing of owners; and how texts compare there is the other column's affair,
// which makes no difference to uuids and integers.
bool SqliteTx::refuses_bad_links(const Table& table, const Field& link, const Table& target) {
  if (!target.owner.empty() || target.key.size() != 1 || connection_.has_unresolved_links())
    return false;
  const Field* const key = target.find(target.key.front());
  if (key == nullptr || (key->type != FieldType::uuid && key->type != FieldType::integer))
    return false;
  const Result<const TableForm*> form = connection_.form_of(table.name);
  if (!form) return false;
  return std::any_of((*form)->links.begin(), (*form)->links.end(), [&](const LinkForm& one) {
    return one.column == link.name && one.table == target.name && one.target == key->name;
  });
}

Result<std::uint64_t> SqliteTx::change(const Result<BuiltSql>& built, const Table& table) {
  if (Result<void> may = may_write(); !may) return Unexpected(std::move(may).error());
  Result<LentStatement> statement = start(built);
  if (!statement) return Unexpected(std::move(statement).error());
  Result<bool> has_row = statement->step(&table);
  if (!has_row) return failed(std::move(has_row).error());
  return static_cast<std::uint64_t>(sqlite3_changes64(connection_.handle()));
}

Result<std::uint64_t> SqliteTx::update(const UpdateRows& plan) {
  if (Result<void> may = may_write(); !may) return Unexpected(std::move(may).error());
  const Result<const TableForm*> form = connection_.form_of(plan.table->name);
  if (!form) return failed(form.error());
  Result<BuiltSql> built = build_sql(Dialect::sqlite, caller_, plan);
  if (built && (*form)->replaces_rows) built->text = sparing_rows(built->text);
  return change(built, *plan.table);
}

Result<std::uint64_t> SqliteTx::remove(const DeleteRows& plan) {
  return change(build_sql(Dialect::sqlite, caller_, plan), *plan.table);
}

Result<LentStatement> SqliteTx::start(const Statement& text, Params params) {
  if (Result<void> may = check(); !may) return Unexpected(std::move(may).error());
  if (!rights_.holds_state)
    return fail(ErrorCode::storage, "This database is not ours and holds no records of ours.");
  Result<LentStatement> statement = connection_.prepare_fixed(text);
  if (!statement) return failed(std::move(statement).error());
  if (sqlite3_stmt_readonly(statement->get()) == 0)
    if (Result<void> may = may_write(); !may) return Unexpected(std::move(may).error());
  if (Result<void> bound = statement->bind_named(params); !bound)
    return failed(std::move(bound).error());
  return statement;
}

Result<std::uint64_t> SqliteTx::execute(const Statement& text, Params params) {
  Result<LentStatement> statement = start(text, params);
  if (!statement) return Unexpected(std::move(statement).error());
  const Result<bool> has_row = statement->step();
  if (!has_row) return failed(has_row.error());
  if (*has_row) return fail(ErrorCode::bug, "A statement of ours gave rows that nobody wanted.");
  return static_cast<std::uint64_t>(sqlite3_changes64(connection_.handle()));
}

Result<std::vector<Row>> SqliteTx::run(const Statement& text, Params params) {
  Result<LentStatement> statement = start(text, params);
  if (!statement) return Unexpected(std::move(statement).error());
  std::vector<Row> rows;
  for (;;) {
    Result<bool> has_row = statement->step();
    if (!has_row) return failed(std::move(has_row).error());
    if (!*has_row) return rows;
    rows.push_back(row_of(*statement));
  }
}

Result<void> SqliteTx::run_part(const std::function<Result<void>()>& part) {
  const bool was_resolved = !connection_.has_unresolved_links();
  Result<void> done = part();
  if (done && failure_) done = Unexpected(*failure_);
  failure_.reset();
  if (done && was_resolved && connection_.has_unresolved_links())
    done = Unexpected(connection_.error(SQLITE_CONSTRAINT_FOREIGNKEY));
  return done;
}

Result<void> SqliteTx::whole(const std::function<Result<void>()>& part) {
  if (Result<void> may = check(); !may) return may;
  Result<void> done = run_part(part);
  if (!done && !lost_ && !connection_.is_in_transaction()) lost_ = done.error();
  return done;
}

Result<void> SqliteTx::savepoint(const std::function<Result<void>()>& part) {
  if (Result<void> may = check(); !may) return may;
  const std::int64_t changes = sqlite3_total_changes64(connection_.handle());
  const std::size_t depth = parts_.size();
  const std::string name = name_of_part(depth);
  parts_.push_back(false);
  Result<void> done = run_part(part);
  const bool has_changed = sqlite3_total_changes64(connection_.handle()) != changes;
  const bool is_set = parts_[depth];
  parts_.resize(depth);  // and what a part inside left when it threw
  ALFRED_CHECK(is_set || !has_changed, "nothing writes before its savepoint is set");
  if (is_set && !done && connection_.is_in_transaction()) {
    if (has_changed) connection_.kept().undone();
    const Result<void> undone = connection_.execute_kept(("ROLLBACK TO " + name).c_str());
    if (!undone) lost_ = undone.error();
  }
  if (is_set && connection_.is_in_transaction()) {
    Result<void> released = connection_.execute_kept(("RELEASE " + name).c_str());
    if (!released && done) done = std::move(released);
  }
  if (!done && !lost_ && !connection_.is_in_transaction()) lost_ = done.error();
  return done;
}

}  // namespace alfred
