// What a transaction does with users' rows; how it talks to the server stands in pg_tx.cc.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "storage/postgres/pg_text.h"
#include "storage/postgres/pg_tx.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

// Rows of a scan travel some at a time: the more, the shorter those before were.
constexpr std::size_t kFirstRowsOfFetch = 64;
constexpr std::size_t kMostRowsOfFetch = 256;
constexpr std::size_t kBytesOfFetch = 1U << 20U;
constexpr std::size_t kRowsOfInsert = 256;
constexpr std::size_t kMostInsertTexts = 16;

std::size_t bytes_of(const PgRows& rows) {
  std::size_t bytes = 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t column = 0; column < rows.width(); ++column)
      bytes += rows.cell(row, column).value_or(std::string_view()).size();
  return bytes;
}

std::size_t next_fetch(std::size_t rows, std::size_t bytes) {
  if (bytes > kBytesOfFetch) return std::max<std::size_t>(1, rows * kBytesOfFetch / bytes);
  return 4 * bytes <= kBytesOfFetch ? std::min(4 * rows, kMostRowsOfFetch) : rows;
}

}  // namespace

Result<std::vector<Row>> PgTx::select(const SelectRows& plan) {
  Result<BuiltSql> built = build_sql(Dialect::postgres, caller_, plan);
  if (!built) return Unexpected(std::move(built).error());
  use_path(false);
  const std::string_view right = plan.is_for_update ? "UPDATE" : "";
  Result<PgRows> rows = send(command_of(*built), plan.table, {}, right);
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
  const std::string_view right = plan.is_for_update ? "UPDATE" : "";
  if (Result<PgRows> declared = send(std::move(declare), plan.table, {}, right); !declared) {
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
  for (std::size_t wanted = kFirstRowsOfFetch;;) {
    Result<PgRows> rows =
        send(plain_command(fmt::format("FETCH {} FROM {}", wanted, cursor)), plan.table);
    if (!rows) return Unexpected(std::move(rows).error());
    for (const Row& row : rows_of(*rows, plan.fields)) {
      const Result<bool> goes_on = visit(row);
      if (!goes_on) return Unexpected(goes_on.error());
      if (!*goes_on) return {};
    }
    if (rows->size() < wanted) return {};
    wanted = next_fetch(wanted, bytes_of(*rows));
  }
}

Result<PgRows> PgTx::change(const Result<BuiltSql>& built, const Table& table,
                            std::span<const FieldValue> given, std::string_view right) {
  if (mode_ == Mode::read) return fail(ErrorCode::bug, "A read tried to write.");
  if (!built) return Unexpected(built.error());
  use_path(false);
  ++unchecked_writes_;
  return send(command_of(*built), &table, given, right);
}

Result<Row> PgTx::insert(const InsertRow& plan) {
  Result<PgRows> rows =
      change(build_sql(Dialect::postgres, caller_, plan), *plan.table, plan.values, "INSERT");
  if (!rows) return Unexpected(std::move(rows).error());
  std::vector<Row> stored = rows_of(*rows, plan.returning);
  return stored.empty() ? Row() : std::move(stored.front());
}

// The text for rows with these columns; null: none was built yet.
const PgTx::InsertText* PgTx::text_for(const InsertRow& plan) const {
  const auto is_given = [](const Field* field, const FieldValue& one) {
    return field == one.field;
  };
  const auto found = std::find_if(inserts_.begin(), inserts_.end(), [&](const InsertText& one) {
    return one.table == plan.table && one.returning == plan.returning &&
           one.keeps_its_numbers == plan.keeps_its_numbers &&
           std::equal(one.given.begin(), one.given.end(), plan.values.begin(), plan.values.end(),
                      is_given);
  });
  return found == inserts_.end() ? nullptr : &*found;
}

// Rows with the same columns have one text: parents and their children come by turns.
Result<PgCommand> PgTx::insert_command(const InsertRow& plan) {
  const InsertText* const known = text_for(plan);
  if (known == nullptr) {
    Result<BuiltSql> built = build_sql(Dialect::postgres, caller_, plan);
    if (!built) return Unexpected(std::move(built).error());
    PgCommand command = command_of(*built);
    InsertText made{plan.table, {}, plan.returning, std::move(built->text), plan.keeps_its_numbers,
                    {}};
    for (const FieldValue& one : plan.values) made.given.push_back(one.field);
    if (built->parameters.size() > plan.values.size())
      made.owner = std::move(built->parameters.front());
    if (inserts_.size() == kMostInsertTexts) inserts_.erase(inserts_.begin());
    inserts_.push_back(std::move(made));
    return command;
  }
  BuiltSql built{known->sql, {}, 0};
  if (known->owner) built.parameters.push_back(*known->owner);
  for (const FieldValue& one : plan.values) {
    if (Result<void> fits = check_parameter(one.field, one.value); !fits)
      return Unexpected(std::move(fits).error());
    built.parameters.push_back(
        {one.field, parameter_value(Dialect::postgres, *one.field, one.value)});
  }
  return command_of(built);
}

Result<std::vector<Row>> PgTx::insert_all(std::span<InsertRow> plans, std::size_t& failed_at) {
  failed_at = 0;
  if (mode_ == Mode::read) return fail(ErrorCode::bug, "A read tried to write.");
  if (failure_) return Unexpected(*failure_);
  Result<std::optional<std::vector<Row>>> together = insert_runs(plans);
  if (!together) return Unexpected(std::move(together).error());
  if (*together) return **std::move(together);
  return insert_each(plans, failed_at);
}

Result<std::vector<Row>> PgTx::insert_each(std::span<InsertRow> plans, std::size_t& failed_at) {
  std::vector<Row> rows;
  for (failed_at = 0; failed_at < plans.size();) {
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
      return failed(answers.error(), plans[failed_at].table, plans[failed_at].values, "INSERT");
    }
    for (std::size_t i = 0; i < answers->size(); ++i) {
      std::vector<Row> stored = rows_of((*answers)[i], plans[first + i].returning);
      rows.push_back(stored.empty() ? Row() : std::move(stored.front()));
    }
  }
  return rows;
}

Result<std::uint64_t> PgTx::update(const UpdateRows& plan) {
  Result<PgRows> rows =
      change(build_sql(Dialect::postgres, caller_, plan), *plan.table, plan.values, "UPDATE");
  if (!rows) return Unexpected(std::move(rows).error());
  return rows->changed();
}

Result<std::uint64_t> PgTx::remove(const DeleteRows& plan) {
  Result<PgRows> rows =
      change(build_sql(Dialect::postgres, caller_, plan), *plan.table, {}, "DELETE");
  if (!rows) return Unexpected(std::move(rows).error());
  return rows->changed();
}

}  // namespace alfred
