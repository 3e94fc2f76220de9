#include "storage/postgres/pg_error.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

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

// " (a, b)", or nothing.
std::string listed(const std::vector<std::string>& columns) {
  return columns.empty() ? std::string() : fmt::format(" ({})", fmt::join(columns, ", "));
}

Error foreign_key_error(const PgFault& fault, const FaultPlace& place) {
  const bool is_of_plan =
      place.table == nullptr || place.table->name == fault.table ||
      place.table->name == fault.schema + "." + fault.table;
  if (is_of_plan)
    return make(ErrorCode::conflict,
                fmt::format("A row of {} leads to a row that does not exist{}. Give one that does.",
                            table_of(place), listed(shown_columns(place))),
                fault);
  return make(ErrorCode::conflict,
              fmt::format("Rows of another table still lead to this row of {}. Change or delete "
                          "those first.",
                          table_of(place)),
              fault);
}

Error constraint_error(const PgFault& fault, const FaultPlace& place) {
  const std::vector<std::string> columns = shown_columns(place);
  if (fault.state == "23505")
    return make(ErrorCode::conflict,
                fmt::format("Another row of {} already has this value{}. Choose another one.",
                            table_of(place), listed(columns)),
                fault);
  if (fault.state == "23503") return foreign_key_error(fault, place);
  if (fault.state == "23502")
    return make(ErrorCode::conflict,
                fmt::format("A row of {} needs a value{}. Give one.", table_of(place),
                            listed(columns)),
                fault);
  return make(ErrorCode::conflict,
              fmt::format("A rule of the database refuses the row of {}{}. Change its values.",
                          table_of(place), listed(columns)),
              fault);
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
  if (state.starts_with("22"))
    return make(ErrorCode::value,
                fmt::format("A value does not fit its column in {}. Look at the columns' types.",
                            table_of(place)),
                fault);
  if (is_one_of(state, {"57014", "55P03"}))
    return make(ErrorCode::busy, "The database took too long. Nothing was done; try again.", fault);
  if (is_rerun(fault))
    return make(ErrorCode::conflict,
                "Others changed the same rows at the same time. Nothing was done; try again.",
                fault);
  if (is_one_of(state, {"42501", "42P01", "3F000"}))
    return make(ErrorCode::table, fmt::format("There is no {} that you may use.", table_of(place)),
                fault);
  if (is_one_of(state, {"42703"}))
    return make(ErrorCode::column,
                fmt::format("A column of {} is gone. Read the schema again.", table_of(place)),
                fault);
  if (is_one_of(state, {"428C9"}))
    return make(ErrorCode::column_readonly,
                fmt::format("The database itself sets a column of {} that was given.",
                            table_of(place)),
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
