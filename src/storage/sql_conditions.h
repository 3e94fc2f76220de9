// The conditions of a plan as SQL, their values added to the parameters of a BuiltSql.
//
// R1 a condition that stands in the plan stands in the SQL, also when its list is empty.
// R2 lists are filled up to a power of two with their last value, so that one prepared statement
//    serves many lengths.
// R3 what comes after a row in an order is written so that nulls are last in both directions.
#pragma once

#include <string>
#include <vector>

#include "storage/sql_builder.h"

namespace alfred {

inline constexpr std::size_t kMaxListValues = 16'384;
inline constexpr std::size_t kMaxConditionParts = 500;
inline constexpr std::size_t kMaxConditionDepth = 64;

std::string row_column(const Field& field);  // t."name": rows are called t

class SqlConditions {
 public:
  SqlConditions(Dialect dialect, BuiltSql& built) : dialect_(dialect), built_(built) {}

  Result<std::string> tree(const Condition& condition) { return tree(condition, 0); }
  std::string equal(const Field& field, const Value& value);
  std::string after(const SelectRows& plan);

 private:
  Result<std::string> tree(const Condition& condition, std::size_t depth);
  Result<std::string> group(const Condition& condition, std::size_t depth);
  Result<std::string> leaf(const Condition& condition);
  Result<std::string> list(const Condition& condition);
  Result<std::string> tuples(const Condition& condition);
  std::string compare(const Condition& condition);
  std::string add(const Field& field, const Value& value);
  std::string add_matching(const Field& field, const Value& value);

  Dialect dialect_;
  BuiltSql& built_;
};

}  // namespace alfred
