#include "storage/postgres/pg_error.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "storage/check_rule.h"
#include "storage/postgres/pg_misfit.h"

namespace alfred {
namespace {

std::string detail_of(const PgFault& fault) {
  std::string detail = fmt::format("SQLSTATE {}", fault.state.empty() ? "none" : fault.state);
  if (!fault.constraint.empty()) detail += fmt::format(", constraint {}", fault.constraint);
  // Classes 22, 23 and P0 quote rows; those left over speak of SQL, the system and the server.
  const bool may_quote_rows = fault.state.starts_with("22") || fault.state.starts_with("23") ||
                              fault.state.starts_with("P0") || fault.state.starts_with("44");
  if (!may_quote_rows) detail += ": " + fault.message;
  return detail;
}

Error make(ErrorCode code, std::string message, const PgFault& fault) {
  return Error{code, std::move(message), {}, {}, detail_of(fault)};
}

// The columns that callers know of: neither the owner's nor a hidden one.
std::vector<std::string> shown_columns(const FaultPlace& place) {
  std::vector<std::string> out;
  for (const std::string& column : place.columns) {
    if (place.table == nullptr || column == place.table->owner) continue;
    const auto field = std::find_if(place.table->fields.begin(), place.table->fields.end(),
                                    [&](const Field& one) { return one.name == column; });
    if (field != place.table->fields.end() && !field->is_hidden) out.push_back(column);
  }
  return out;
}

std::string table_of(const FaultPlace& place) {
  return place.table == nullptr ? "the table" : place.table->name;
}

// The texts are those of SQLite's errors: both databases tell the same.
std::string conflict_text(const std::string& state, const std::vector<std::string>& columns) {
  if (state == "23505" && columns.empty())
    return "Another row is the same where rows have to differ. Change it or that row.";
  if (state == "23505")
    return fmt::format("Another row has the same {}. Give another value, or change that row.",
                       fmt::join(columns, ", "));
  if (state == "23503")
    return "A row that this one points at does not exist, or rows still point at one that would "
           "go. Look at the linked rows first.";
  if (state == "23502" && columns.empty()) return "A column that needs a value has none.";
  if (state == "23502") return fmt::format("{} needs a value. Give one.", columns.front());
  return "A rule of the database refuses this row. Give other values.";
}

Error constraint_error(const PgFault& fault, const FaultPlace& place) {
  if (fault.state == "23514") {
    Error error = check_conflict(place.rule.empty() ? fault.constraint : place.rule, place.table);
    error.detail = detail_of(fault);
    return error;
  }
  const std::vector<std::string> columns = shown_columns(place);
  Error error = make(ErrorCode::conflict, conflict_text(fault.state, columns), fault);
  const bool is_of_columns = fault.state == "23505" || fault.state == "23502";
  if (is_of_columns && !columns.empty()) error.path = columns.front();
  return error;
}

Error value_error(const PgFault& fault, const FaultPlace& place) {
  const std::optional<PgMisfit> misfit = find_misfit(fault.state, place.given);
  if (!misfit)
    return make(ErrorCode::value,
                fmt::format("A value does not fit its column in {}. Look at the columns' types.",
                            table_of(place)),
                fault);
  Error error = make(ErrorCode::value,
                     fmt::format("{} takes {}.", misfit->field->name, misfit->takes), fault);
  error.path = misfit->field->name;
  return error;
}

// ": that takes UPDATE of name, color"; those it is known not to have, else all.
std::string missing_right(const FaultPlace& place) {
  if (place.right.empty()) return {};
  std::vector<std::string> given;
  std::vector<std::string> missing;
  for (const FieldValue& one : place.given) {
    if (one.field->is_hidden) continue;
    given.push_back(one.field->name);
    const bool is_granted = place.right == "INSERT" ? one.field->may_insert : one.field->may_update;
    if (!is_granted) missing.push_back(one.field->name);
  }
  const std::vector<std::string>& named = missing.empty() ? given : missing;
  return fmt::format(": that takes {}{}{}", place.right, named.empty() ? "" : " of ",
                     fmt::join(named, ", "));
}

bool is_one_of(const std::string& state, std::initializer_list<std::string_view> states) {
  return std::find(states.begin(), states.end(), state) != states.end();
}

}  // namespace

bool is_rerun(const PgFault& fault) {
  return is_one_of(fault.state, {"40001", "40P01"}) ||
         (fault.state == "0A000" && fault.message.find("cached plan") != std::string::npos);
}

Error error_of(const PgFault& fault, const FaultPlace& place) {
  const std::string& state = fault.state;
  if (fault.is_lost)
    return make(ErrorCode::storage, "The connection to the database was lost. Try again.", fault);
  if (state.starts_with("23") || is_one_of(state, {"P0001", "44000"}))
    return constraint_error(fault, place);
  if (state.starts_with("22")) return value_error(fault, place);
  if (is_one_of(state, {"57014", "55P03"}))
    return make(ErrorCode::busy, "The database took too long. Nothing was done; try again.", fault);
  if (is_rerun(fault))
    return make(ErrorCode::conflict,
                "Others changed the same rows at the same time. Nothing was done; try again.",
                fault);
  if (state == "42501" && place.is_write)
    return make(
        ErrorCode::table,
        fmt::format("The login may not write this to {}{}. Nothing was done; whoever owns the "
                    "table can GRANT it the right.",
                    table_of(place), missing_right(place)),
        fault);
  if (is_one_of(state, {"42501", "42P01", "3F000"}))
    return make(ErrorCode::table, fmt::format("There is no {} that you may use.", table_of(place)),
                fault);
  if (is_one_of(state, {"42703"}))
    return make(ErrorCode::column,
                fmt::format("A column of {} is gone. Read the schema again.", table_of(place)),
                fault);
  if (is_one_of(state, {"428C9"}))
    return make(
        ErrorCode::column_readonly,
        fmt::format("The database itself sets a column of {} that was given.", table_of(place)),
        fault);
  if (state == "25006" && place.is_write)
    return make(ErrorCode::storage,
                "The database takes no writes: it, its server or this login is read-only. Nothing "
                "was done; rows can still be read.",
                fault);
  // A statement of our own has no table: that one is our fault.
  if (state == "25006" && place.table == nullptr)
    return make(ErrorCode::bug, "A read tried to write.", fault);
  if (state == "25006")
    return make(ErrorCode::table,
                fmt::format("Reading {} would write: a function that it calls changes rows. It is "
                            "not read here, and nothing was done.",
                            table_of(place)),
                fault);
  if (state == "53100")
    return make(ErrorCode::storage,
                "The database's disk is full. Nothing was written; make room and try again.",
                fault);
  if (is_one_of(state, {"XX001", "XX002"}))
    return make(ErrorCode::corrupt, "The database says that it is damaged.", fault);
  return make(ErrorCode::storage, "The database could not do it. Nothing is half done.", fault);
}

Error unreachable(const PgFault& fault, const std::string& identity) {
  return make(ErrorCode::storage,
              fmt::format("The database {} cannot be reached. Check that it runs, its name and "
                          "the login.",
                          identity),
              fault);
}

}  // namespace alfred
