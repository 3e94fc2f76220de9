// Rows of one table by one statement, several at a time (pg_tx.h, R6).
#include <algorithm>
#include <array>
#include <utility>

#include "storage/postgres/pg_text.h"
#include "storage/postgres/pg_tx.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

constexpr std::size_t kLeastRun = 4;
constexpr std::size_t kLongestRun = 32;
constexpr std::size_t kRowsAtOnce = 256;
constexpr std::size_t kMostRunTexts = 16;

// Rows that one statement inserts, and the columns that any of them has a value for.
struct RowsOfRun {
  std::size_t count = 0;
  std::vector<const Field*> fields{};
};

// How many begin with rows of one table, and what these have values for. A column that only some of
// them have is empty in the others, where the database puts nothing in by itself.
RowsOfRun run_at(std::span<const InsertRow> plans) {
  const InsertRow& first = plans.front();
  const Table& table = *first.table;
  RowsOfRun run;
  std::vector<std::size_t> given(table.fields.size(), 0);
  for (const InsertRow& plan : plans.first(std::min(plans.size(), kLongestRun))) {
    if (plan.table != first.table || plan.returning != first.returning ||
        plan.keeps_its_numbers != first.keeps_its_numbers)
      break;
    for (const FieldValue& one : plan.values)
      ++given[static_cast<std::size_t>(one.field - table.fields.data())];
    ++run.count;
  }
  for (std::size_t at = 0; at < given.size(); ++at) {
    const Field& field = table.fields[at];
    const bool is_in_all = given[at] == run.count;
    const bool may_be_left_out = !is_in_all && !table.is_key(field.name) && field.is_nullable &&
                                 !field.has_default && !field.is_computed;
    if (given[at] > 0 ? !is_in_all && !may_be_left_out : table.is_key(field.name)) return {1, {}};
    if (given[at] > 0) run.fields.push_back(&field);
  }
  return run;
}

const Value* value_of(const InsertRow& plan, const Field& field) {
  const auto found = std::find_if(plan.values.begin(), plan.values.end(),
                                  [&](const FieldValue& one) { return one.field == &field; });
  return found == plan.values.end() ? nullptr : &found->value;
}

// Whether the row that came back has the key that was given.
bool is_row_of(const InsertRow& plan, const Row& row) {
  const std::vector<const Field*>& fields = plan.returning;
  for (std::size_t at = 0; at < fields.size(); ++at) {
    if (!plan.table->is_key(fields[at]->name)) continue;
    const Value* const given = value_of(plan, *fields[at]);
    if (given == nullptr || *given != row[at]) return false;
  }
  return true;
}

// Whether it may be about one of the rows: a value, a rule, a trigger. All else would be met again.
bool is_of_a_row(const PgFault& fault) {
  constexpr std::array kClasses{"22", "23", "44", "P0"};
  return !fault.is_lost && std::any_of(kClasses.begin(), kClasses.end(), [&](const char* one) {
    return fault.state.starts_with(one);
  });
}

// The rows of a run as they are stored; empty: they are not what was to be inserted.
std::vector<Row> rows_of_run(std::span<const InsertRow> plans, const PgRows& answer) {
  const FieldList& returning = plans.front().returning;
  if (returning.empty())
    return std::vector<Row>(answer.changed() == plans.size() ? plans.size() : 0);
  std::vector<Row> rows = rows_of(answer, returning);
  bool is_same = rows.size() == plans.size();
  for (std::size_t i = 0; is_same && i < rows.size(); ++i) is_same = is_row_of(plans[i], rows[i]);
  if (!is_same) rows.clear();
  return rows;
}

}  // namespace

Result<PgCommand> PgTx::run_command(std::span<InsertRow> plans,
                                    const std::vector<const Field*>& fields) {
  const InsertRow& first = plans.front();
  auto known = std::find_if(runs_.begin(), runs_.end(), [&](const RunText& one) {
    return one.plan.table == first.table && one.plan.rows == plans.size() &&
           one.plan.fields == fields && one.plan.returning == first.returning &&
           one.plan.keeps_its_numbers == first.keeps_its_numbers;
  });
  if (known == runs_.end()) {
    InsertRows plan{first.table, fields, plans.size(), first.returning, first.keeps_its_numbers};
    Result<BuiltSql> built = build_sql(Dialect::postgres, caller_, plan);
    if (!built) return Unexpected(std::move(built).error());
    if (runs_.size() == kMostRunTexts) runs_.erase(runs_.begin());
    known = runs_.insert(runs_.end(), {std::move(plan), std::move(*built)});
  }
  BuiltSql built = known->built;
  built.parameters.reserve(built.parameters.size() + plans.size() * fields.size());
  for (const InsertRow& plan : plans)
    for (const Field* const field : fields) {
      const Value* const value = value_of(plan, *field);
      if (value == nullptr) {
        built.parameters.push_back({field, {}});
        continue;
      }
      if (Result<void> fits = check_parameter(field, *value); !fits)
        return Unexpected(std::move(fits).error());
      built.parameters.push_back({field, parameter_value(Dialect::postgres, *field, *value)});
    }
  return command_of(built);
}

Result<std::optional<std::vector<Row>>> PgTx::insert_runs(std::span<InsertRow> plans) {
  constexpr const char* kPart = "alfred_rows";
  const std::optional<std::vector<Row>> none;
  if (!context_.is_ours || plans.size() < kLeastRun) return none;
  std::vector<RowsOfRun> runs;
  std::size_t longest = 0;
  for (std::size_t at = 0; at < plans.size(); at += runs.back().count) {
    runs.push_back(run_at(plans.subspan(at)));
    longest = std::max(longest, runs.back().count);
  }
  if (longest < kLeastRun) return none;
  use_path(false);
  queue_.push_back(plain_command(std::string("SAVEPOINT ") + kPart));
  std::vector<Row> rows;
  rows.reserve(plans.size());
  bool is_good = true;
  for (std::size_t run = 0; is_good && run < runs.size();) {
    std::vector<PgCommand> commands;
    std::vector<std::span<InsertRow>> parts;
    for (std::size_t at = rows.size();
         run < runs.size() && at - rows.size() + runs[run].count <= kRowsAtOnce; ++run) {
      parts.push_back(plans.subspan(at, runs[run].count));
      Result<PgCommand> command = runs[run].count == 1
                                      ? insert_command(parts.back().front())
                                      : run_command(parts.back(), runs[run].fields);
      if (!command) break;
      commands.push_back(std::move(*command));
      at += runs[run].count;
    }
    is_good = commands.size() == parts.size();
    if (!is_good) break;
    PgResult<std::vector<PgRows>> answers = exchange(std::move(commands));
    if (!answers && !is_of_a_row(answers.error()))
      return failed(answers.error(), parts.front().front().table, {}, "INSERT");
    is_good = answers.has_value();
    for (std::size_t i = 0; is_good && i < parts.size(); ++i) {
      std::vector<Row> stored = rows_of_run(parts[i], (*answers)[i]);
      is_good = !stored.empty();
      std::move(stored.begin(), stored.end(), std::back_inserter(rows));
    }
  }
  if (!is_good) queue_.push_back(plain_command(std::string("ROLLBACK TO SAVEPOINT ") + kPart));
  queue_.push_back(plain_command(std::string("RELEASE SAVEPOINT ") + kPart));
  if (!is_good) return none;
  unchecked_writes_ += plans.size();
  return std::optional(std::move(rows));
}

}  // namespace alfred
