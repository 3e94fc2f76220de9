#include "storage/postgres/pg_tx.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "storage/postgres/pg_text.h"
#include "storage/postgres/portable_sql.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

constexpr int kRowsOfFetch = 256;
constexpr std::size_t kRowsOfInsert = 256;
constexpr const char* kCommit = "COMMIT";
constexpr const char* kBeginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
constexpr const char* kBeginWrite = "BEGIN ISOLATION LEVEL REPEATABLE READ";
constexpr const char* kSettings =
    "SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true), "
    "set_config('app.tenant', $3, true)";

PgParam text_param(std::string text) { return PgParam{std::move(text), 0}; }

bool has_nul(const PgCommand& command) {
  return std::any_of(command.params.begin(), command.params.end(), [](const PgParam& param) {
    return param.text && param.text->find('\0') != std::string::npos;
  });
}

Result<PgCommand> command_of_statement(const Statement& statement, Params params) {
  const NumberedSql numbered = numbered_parameters(statement.text());
  PgCommand command{numbered.text, {}, true};
  for (const std::string& name : numbered.names) {
    const auto given = std::find_if(params.begin(), params.end(),
                                    [&](const Param& param) { return param.name == name; });
    if (given == params.end())
      return fail(ErrorCode::bug, fmt::format("A statement was given no value for :{}.", name));
    command.params.push_back(typed_param(given->value));
  }
  return command;
}

}  // namespace

PgTx::PgTx(PgContext& context, PgLease lease, Caller caller, Mode mode)
    : context_(context), lease_(std::move(lease)), caller_(std::move(caller)), mode_(mode) {}

PgTx::~PgTx() { roll_back(); }

std::vector<PgCommand> PgTx::begin_commands() const {
  std::vector<PgCommand> commands;
  commands.push_back(plain_command(mode_ == Mode::read ? kBeginRead : kBeginWrite));
  PgCommand settings{kSettings, {}, true};
  settings.params.push_back(text_param(std::to_string(context_.statement_timeout_ms)));
  settings.params.push_back(text_param(std::to_string(context_.lock_timeout_ms)));
  settings.params.push_back(text_param(caller_.user.value_or("")));
  commands.push_back(std::move(settings));
  return commands;
}

PgResult<std::vector<PgRows>> PgTx::exchange(std::vector<PgCommand> commands) {
  const bool may_renew = !is_begun_ && commands.back().sql != kCommit;
  const std::size_t count = commands.size();
  std::move(commands.begin(), commands.end(), std::back_inserter(queue_));
  for (bool has_renewed = false;; has_renewed = true) {
    if (!is_begun_) {
      std::vector<PgCommand> begin = begin_commands();
      queue_.insert(queue_.begin(), begin.begin(), begin.end());
      is_begun_ = true;
    }
    const std::size_t before = queue_.size() - count;
    PgResult<std::vector<PgRows>> answers = lease_.session().run(queue_);
    const bool is_lost = !answers && answers.error().is_lost;
    if (is_lost && may_renew && !has_renewed && lease_.renew()) continue;
    queue_.clear();
    if (!answers) {
      PgFault& fault = answers.error();
      fault.at = fault.at < before ? 0 : fault.at - before;
      return answers;
    }
    answers->erase(answers->begin(), answers->begin() + static_cast<std::ptrdiff_t>(before));
    return answers;
  }
}

PgResult<PgRows> PgTx::exchange(PgCommand command) {
  std::vector<PgCommand> one;
  one.push_back(std::move(command));
  PgResult<std::vector<PgRows>> answers = exchange(std::move(one));
  if (!answers) return tl::unexpected(std::move(answers).error());
  return std::move(answers->front());
}

Unexpected PgTx::failed(const PgFault& fault, const Table* table) {
  is_lost_ = is_lost_ || fault.is_lost;
  is_doomed_ = is_doomed_ || fault.is_lost || is_rerun(fault);
  if (fault.state == "0A000") lease_.drop();
  FaultPlace place{table, {}};
  if (table != nullptr) place.columns = context_.constraints.columns_of(fault);
  failure_ = error_of(fault, place);
  return Unexpected(*failure_);
}

Result<PgRows> PgTx::send(PgCommand command, const Table* table) {
  if (failure_) return Unexpected(*failure_);
  if (has_nul(command))
    return fail(ErrorCode::value, "A text holds a zero byte, which no column takes. Leave it out.");
  PgResult<PgRows> rows = exchange(std::move(command));
  if (!rows) return failed(rows.error(), table);
  return std::move(*rows);
}

void PgTx::use_path(bool is_state) {
  if (is_state_path_ == is_state) return;
  is_state_path_ = is_state;
  queue_.push_back(PgCommand{"SELECT set_config('search_path', $1, true)",
                             {text_param(is_state ? "alfred" : lease_.session().search_path())},
                             true});
}

Result<std::vector<Row>> PgTx::select(const SelectRows& plan) {
  Result<BuiltSql> built = build_sql(Dialect::postgres, caller_, plan);
  if (!built) return Unexpected(std::move(built).error());
  use_path(false);
  Result<PgRows> rows = send(command_of(*built), plan.table);
  if (!rows) return Unexpected(std::move(rows).error());
  return rows_of(*rows, plan.fields);
}

Result<void> PgTx::scan(const SelectRows& plan,
                        const std::function<Result<bool>(const Row&)>& visit) {
  Result<BuiltSql> built = build_sql(Dialect::postgres, caller_, plan);
  if (!built) return Unexpected(std::move(built).error());
  use_path(false);
  const std::string cursor = fmt::format("alfred_scan_{}", ++cursors_);
  PgCommand declare = command_of(*built);
  declare.sql = fmt::format("DECLARE {} NO SCROLL CURSOR FOR {}", cursor, declare.sql);
  declare.is_prepared = false;
  Result<void> done;
  if (Result<PgRows> declared = send(std::move(declare), plan.table); !declared) {
    done = Unexpected(std::move(declared).error());
  } else {
    done = visit_all(plan, cursor, visit);
  }
  --cursors_;
  if (!failure_) queue_.push_back(plain_command("CLOSE " + cursor));
  return done;
}

Result<void> PgTx::visit_all(const SelectRows& plan, const std::string& cursor,
                             const std::function<Result<bool>(const Row&)>& visit) {
  for (;;) {
    Result<PgRows> rows =
        send(plain_command(fmt::format("FETCH {} FROM {}", kRowsOfFetch, cursor)), plan.table);
    if (!rows) return Unexpected(std::move(rows).error());
    for (const Row& row : rows_of(*rows, plan.fields)) {
      const Result<bool> goes_on = visit(row);
      if (!goes_on) return Unexpected(goes_on.error());
      if (!*goes_on) return {};
    }
    if (rows->size() < static_cast<std::size_t>(kRowsOfFetch)) return {};
  }
}

Result<PgRows> PgTx::change(const Result<BuiltSql>& built, const Table& table) {
  if (mode_ == Mode::read) return fail(ErrorCode::bug, "A read tried to write.");
  if (!built) return Unexpected(built.error());
  use_path(false);
  ++unchecked_writes_;
  return send(command_of(*built), &table);
}

Result<Row> PgTx::insert(const InsertRow& plan) {
  Result<PgRows> rows = change(build_sql(Dialect::postgres, caller_, plan), *plan.table);
  if (!rows) return Unexpected(std::move(rows).error());
  std::vector<Row> stored = rows_of(*rows, plan.returning);
  return stored.empty() ? Row() : std::move(stored.front());
}

// The text of a row's insert is that of the row before it, where both have the same columns.
Result<PgCommand> PgTx::insert_command(const InsertRow& plan) {
  const auto is_given = [](const Field* field, const FieldValue& one) {
    return field == one.field;
  };
  const bool is_alike = last_insert_ && last_insert_->table == plan.table &&
                        last_insert_->returning == plan.returning &&
                        std::equal(last_insert_->given.begin(), last_insert_->given.end(),
                                   plan.values.begin(), plan.values.end(), is_given);
  if (!is_alike) {
    Result<BuiltSql> built = build_sql(Dialect::postgres, caller_, plan);
    if (!built) return Unexpected(std::move(built).error());
    PgCommand command = command_of(*built);
    last_insert_.emplace(InsertText{plan.table, {}, plan.returning, std::move(built->text), {}});
    for (const FieldValue& one : plan.values) last_insert_->given.push_back(one.field);
    if (built->parameters.size() > plan.values.size())
      last_insert_->owner = std::move(built->parameters.front());
    return command;
  }
  BuiltSql built{last_insert_->sql, {}, 0};
  if (last_insert_->owner) built.parameters.push_back(*last_insert_->owner);
  for (const FieldValue& one : plan.values) {
    if (Result<void> fits = check_parameter(one.field, one.value); !fits)
      return Unexpected(std::move(fits).error());
    built.parameters.push_back(
        {one.field, parameter_value(Dialect::postgres, *one.field, one.value)});
  }
  return command_of(built);
}

Result<std::vector<Row>> PgTx::insert_all(std::span<const InsertRow> plans,
                                          std::size_t& failed_at) {
  std::vector<Row> rows;
  for (failed_at = 0; failed_at < plans.size();) {
    if (mode_ == Mode::read) return fail(ErrorCode::bug, "A read tried to write.");
    if (failure_) return Unexpected(*failure_);
    const std::size_t first = failed_at;
    std::vector<PgCommand> commands;
    for (; failed_at < plans.size() && commands.size() < kRowsOfInsert; ++failed_at) {
      Result<PgCommand> command = insert_command(plans[failed_at]);
      if (!command) return Unexpected(std::move(command).error());
      commands.push_back(std::move(*command));
    }
    use_path(false);
    unchecked_writes_ += commands.size();
    PgResult<std::vector<PgRows>> answers = exchange(std::move(commands));
    if (!answers) {
      failed_at = first + answers.error().at;
      return failed(answers.error(), plans[failed_at].table);
    }
    for (std::size_t i = 0; i < answers->size(); ++i) {
      std::vector<Row> stored = rows_of((*answers)[i], plans[first + i].returning);
      rows.push_back(stored.empty() ? Row() : std::move(stored.front()));
    }
  }
  return rows;
}

Result<std::uint64_t> PgTx::update(const UpdateRows& plan) {
  Result<PgRows> rows = change(build_sql(Dialect::postgres, caller_, plan), *plan.table);
  if (!rows) return Unexpected(std::move(rows).error());
  return rows->changed();
}

Result<std::uint64_t> PgTx::remove(const DeleteRows& plan) {
  Result<PgRows> rows = change(build_sql(Dialect::postgres, caller_, plan), *plan.table);
  if (!rows) return Unexpected(std::move(rows).error());
  return rows->changed();
}

Result<std::vector<Row>> PgTx::run(const Statement& statement, Params params) {
  if (!context_.is_ours) return fail(ErrorCode::storage, "This database holds no records of ours.");
  Result<PgCommand> command = command_of_statement(statement, params);
  if (!command) return Unexpected(std::move(command).error());
  use_path(true);
  Result<PgRows> rows = send(std::move(*command));
  if (!rows) return Unexpected(std::move(rows).error());
  return rows_by_type(*rows, false);
}

Result<void> PgTx::savepoint(const std::function<Result<void>()>& part) {
  if (failure_) return Unexpected(*failure_);
  const std::string name = fmt::format("alfred_{}", ++depth_);
  const std::string begin = "SAVEPOINT " + name;
  const bool was_state_path = is_state_path_;
  const std::size_t writes_before = unchecked_writes_;
  queue_.push_back(plain_command(begin));
  Result<void> done = part();
  if (done && failure_) done = Unexpected(*failure_);
  if (done && writes_before == 0 && unchecked_writes_ > 0) done = check_deferred();
  --depth_;
  if (is_doomed_) return Unexpected(*failure_);
  if (!queue_.empty() && queue_.back().sql == begin) {
    queue_.pop_back();
  } else if (done) {
    queue_.push_back(plain_command("RELEASE SAVEPOINT " + name));
  } else {
    undo_savepoint(name, was_state_path);
  }
  if (!done) unchecked_writes_ = writes_before;
  return done;
}

// Checks now and takes the change of mode back, so that later parts may again defer.
Result<void> PgTx::check_deferred() {
  queue_.push_back(plain_command("SAVEPOINT alfred_check"));
  queue_.push_back(plain_command("SET CONSTRAINTS ALL IMMEDIATE"));
  queue_.push_back(plain_command("ROLLBACK TO SAVEPOINT alfred_check"));
  Result<PgRows> checked = send(plain_command("RELEASE SAVEPOINT alfred_check"));
  if (!checked) return Unexpected(std::move(checked).error());
  unchecked_writes_ = 0;
  return {};
}

void PgTx::undo_savepoint(const std::string& name, bool was_state_path) {
  queue_.push_back(plain_command("ROLLBACK TO SAVEPOINT " + name));
  queue_.push_back(plain_command("RELEASE SAVEPOINT " + name));
  failure_.reset();
  is_state_path_ = was_state_path;
}

PgResult<void> PgTx::commit(std::vector<PgCommand> last) {
  if (!is_begun_ && last.empty()) return {};
  for (PgCommand& command : last) queue_.push_back(std::move(command));
  PgResult<PgRows> done = exchange(plain_command(kCommit));
  if (!done) {
    is_lost_ = done.error().is_lost;
    return tl::unexpected(std::move(done).error());
  }
  is_begun_ = false;
  if (done->tag() == kCommit) return {};
  PgFault fault;
  fault.message = "COMMIT answered " + done->tag();
  return tl::unexpected(std::move(fault));
}

void PgTx::roll_back() {
  queue_.clear();
  if (!std::exchange(is_begun_, false) || is_lost_) return;
  if (!lease_.session().run(plain_command("ROLLBACK"))) lease_.drop();
}

}  // namespace alfred
