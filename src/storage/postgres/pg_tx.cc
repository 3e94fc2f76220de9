#include "storage/postgres/pg_tx.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "storage/postgres/pg_text.h"
#include "storage/postgres/portable_sql.h"

namespace alfred {
namespace {

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

Unexpected PgTx::failed(const PgFault& fault, const Table* table, std::span<const FieldValue> given,
                        std::string_view right) {
  is_lost_ = is_lost_ || fault.is_lost;
  is_doomed_ = is_doomed_ || fault.is_lost || is_rerun(fault);
  if (fault.state == "0A000") lease_.drop();
  FaultPlace place{
      .table = table, .given = given, .right = right, .is_write = mode_ == Mode::write};
  if (table != nullptr) place.columns = context_.constraints.columns_of(fault);
  if (table != nullptr) place.rule = context_.constraints.rule_of(fault);
  failure_ = error_of(fault, place);
  return Unexpected(*failure_);
}

Result<PgRows> PgTx::send(PgCommand command, const Table* table, std::span<const FieldValue> given,
                          std::string_view right) {
  if (failure_) return Unexpected(*failure_);
  if (has_nul(command))
    return fail(ErrorCode::value, "A text holds a zero byte, which no column takes. Leave it out.");
  PgResult<PgRows> rows = exchange(std::move(command));
  if (!rows) return failed(rows.error(), table, given, right);
  return std::move(*rows);
}

void PgTx::use_path(bool is_state) {
  if (is_state_path_ == is_state) return;
  is_state_path_ = is_state;
  queue_.push_back(PgCommand{"SELECT set_config('search_path', $1, true)",
                             {text_param(is_state ? "alfred" : lease_.session().search_path())},
                             true});
}

Result<PgRows> PgTx::send_statement(const Statement& statement, Params params) {
  if (!context_.is_ours) return fail(ErrorCode::storage, "This database holds no records of ours.");
  Result<PgCommand> command = command_of_statement(statement, params);
  if (!command) return Unexpected(std::move(command).error());
  use_path(true);
  return send(std::move(*command));
}

Result<std::vector<Row>> PgTx::run(const Statement& statement, Params params) {
  Result<PgRows> rows = send_statement(statement, params);
  if (!rows) return Unexpected(std::move(rows).error());
  return rows_by_type(*rows, false);
}

Result<std::uint64_t> PgTx::execute(const Statement& statement, Params params) {
  Result<PgRows> rows = send_statement(statement, params);
  if (!rows) return Unexpected(std::move(rows).error());
  return rows->changed();
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

// Checks now. Where all that may be deferred begins so, what was checked is not checked again by
// COMMIT, and is deferred again; else the change of mode is taken back with a savepoint.
Result<void> PgTx::check_deferred() {
  const Result<bool> all = all_begin_deferred();
  if (!all) return Unexpected(all.error());
  if (!*all) queue_.push_back(plain_command("SAVEPOINT alfred_check"));
  queue_.push_back(plain_command("SET CONSTRAINTS ALL IMMEDIATE"));
  if (!*all) queue_.push_back(plain_command("ROLLBACK TO SAVEPOINT alfred_check"));
  Result<PgRows> checked =
      send(plain_command(*all ? "SET CONSTRAINTS ALL DEFERRED" : "RELEASE SAVEPOINT alfred_check"));
  if (!checked) return Unexpected(std::move(checked).error());
  unchecked_writes_ = 0;
  return {};
}

Result<bool> PgTx::all_begin_deferred() {
  using Deferred = PgConstraints::Deferred;
  if (context_.constraints.deferred() == Deferred::unknown) {
    const Result<PgRows> found = send(plain_command(
        "SELECT 1 FROM pg_catalog.pg_constraint WHERE condeferrable AND NOT condeferred LIMIT 1"));
    if (!found) return Unexpected(found.error());
    context_.constraints.learn(found->size() == 0 ? Deferred::all : Deferred::not_all);
  }
  return context_.constraints.deferred() == Deferred::all;
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
