// The one function that writes SQL for users' rows. Names come from the Schema and are quoted;
// values become parameters; the caller's owner is part of every condition and every insert.
//
// R1 nothing a caller wrote becomes SQL text.
// R2 a table with an owner and a caller without a user is refused.
// R3 `predicates` counts the conditions of the plan plus one for the owner (I-9).
// R4 the same plan gives the same text: only parameters differ, so it can be prepared once.
// R5 an update or delete whose condition holds for every row is refused, and so is a value for the owner.
// R6 parameters are bound as their alternative says (bools only where the column is a boolean); what is
//    selected or returned comes as value.h wants it, but for booleans, numbers and bytes, which a
//    driver reads by the field's type.
// R7 a text with a zero byte is refused (C14).
#pragma once

#include <string>
#include <vector>

#include "alfred/error.h"
#include "storage/row_plans.h"
#include "storage/store.h"

namespace alfred {

enum class Dialect : std::uint8_t { sqlite, postgres };

struct SqlParameter {
  const Field* field = nullptr;  // whose type it has; null: a number of rows
  Value value;
};

struct BuiltSql {
  std::string
      text;  // parameters are ?1 ?2 … on SQLite, $1 $2 … on PostgreSQL, cast to the column's type
  std::vector<SqlParameter> parameters;
  std::size_t predicates = 0;
};

Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const SelectRows& plan);
Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const InsertRow& plan);
// Its only parameter is the owner's; those of the rows are numbered after it.
Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const InsertRows& plan);
Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const UpdateRows& plan);
Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const DeleteRows& plan);

// Whether a driver may bind it (R7), for whoever uses a built text again with other values.
Result<void> check_parameter(const Field* field, const Value& value);
// SQLite's insert of so many rows, a parameter for each of these fields of each row.
std::string insert_rows_sql(const Table& table, const std::vector<const Field*>& fields,
                            std::size_t rows);
// How many rows a plan without a limit has: one row of one number.
Result<BuiltSql> count_sql(Dialect dialect, const Caller& caller, const SelectRows& plan);
// How many rows a link acts on when those of `going` go (store.h, count_acted_on): one row of one
// number. The one text without the owner of the rows it looks at: it counts them, no more.
Result<BuiltSql> acted_on_sql(Dialect dialect, const Caller& caller, const ActingLink& link,
                              const DeleteRows& going, const SelectRows* among);
// SQLite's rows of a plan without a limit, each with its number before its fields; of one row:
// whose number the last parameter is. An error where columns of the table hide that name.
Result<BuiltSql> numbered_rows_sql(const Caller& caller, const SelectRows& plan, bool is_one);
// SQLite's text for a row by its number, ?1; empty where columns of the table hide that name.
std::string row_by_number_sql(const Table& table, const std::vector<const Field*>& fields);

}  // namespace alfred
