#include "storage/sql_conditions.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "storage/sql_text.h"

namespace alfred {
namespace {

std::string_view op_sql(CompareOp op) {
  switch (op) {
    case CompareOp::eq: return "=";
    case CompareOp::ne: return "<>";
    case CompareOp::lt: return "<";
    case CompareOp::le: return "<=";
    case CompareOp::gt: return ">";
    case CompareOp::ge: return ">=";
  }
  return "=";
}

Unexpected too_many(std::string_view what, std::size_t count, std::size_t most) {
  return fail(ErrorCode::limit, fmt::format("A filter has {} {}; at most {} are taken. Split it.",
                                            count, what, most));
}

}  // namespace

std::string row_column(const Field& field) { return "t." + sql_name(field.name); }

std::string SqlConditions::add(const Field& field, const Value& value) {
  built_.parameters.push_back({&field, parameter_value(dialect_, field, value)});
  return compared_parameter_sql(dialect_, field, built_.parameters.size());
}

std::string SqlConditions::add_matching(const Field& field, const Value& value) {
  add(field, value);
  return matching_parameter_sql(dialect_, field, built_.parameters.size());
}

std::string SqlConditions::equal(const Field& field, const Value& value) {
  ++built_.predicates;
  const std::string column = equality_sql({dialect_, field, row_column(field)});
  return column + " = " + add(field, value);
}

Result<std::string> SqlConditions::tree(const Condition& condition, std::size_t depth) {
  if (depth > kMaxConditionDepth) return too_many("levels", depth, kMaxConditionDepth);
  switch (condition.kind) {
    case Condition::Kind::all:
    case Condition::Kind::any: return group(condition, depth);
    default: ++built_.predicates; return leaf(condition);
  }
}

Result<std::string> SqlConditions::group(const Condition& condition, std::size_t depth) {
  const bool is_all = condition.kind == Condition::Kind::all;
  if (condition.parts.empty()) return std::string(is_all ? "TRUE" : "FALSE");
  // A chain of these is as deep as it is long, and SQLite's expressions have a depth.
  if (condition.parts.size() > kMaxConditionParts)
    return too_many("conditions", condition.parts.size(), kMaxConditionParts);
  std::string out = "(";
  for (const Condition& part : condition.parts) {
    Result<std::string> text = tree(part, depth + 1);
    if (!text) return text;
    if (out.size() > 1) out += is_all ? " AND " : " OR ";
    out += *text;
  }
  return out + ")";
}

Result<std::string> SqlConditions::leaf(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::compare: return compare(condition);
    case Condition::Kind::is_null: return row_column(*condition.field) + " IS NULL";
    case Condition::Kind::is_not_null: return row_column(*condition.field) + " IS NOT NULL";
    case Condition::Kind::tuple_in: return tuples(condition);
    default: return list(condition);
  }
}

std::string SqlConditions::compare(const Condition& condition) {
  const bool is_equality = condition.op == CompareOp::eq || condition.op == CompareOp::ne;
  const ColumnSql column{dialect_, *condition.field, row_column(*condition.field)};
  const Value& value = condition.values.at(0);
  return fmt::format(
      "{} {} {}", is_equality ? matching_sql(column) : ordered_sql(column), op_sql(condition.op),
      is_equality ? add_matching(*condition.field, value) : add(*condition.field, value));
}

Result<std::string> SqlConditions::list(const Condition& condition) {
  const Field& field = *condition.field;
  const bool is_in = condition.kind == Condition::Kind::in;
  // A null is equal to nothing, so it takes no part.
  std::vector<const Value*> values;
  for (const Value& value : condition.values)
    if (!is_null(value)) values.push_back(&value);
  if (values.size() > kMaxListValues) return too_many("values", values.size(), kMaxListValues);
  if (values.empty()) return is_in ? std::string("FALSE") : row_column(field) + " IS NOT NULL";
  std::string list;
  for (std::size_t i = 0; i < std::bit_ceil(values.size()); ++i)
    (list += i == 0 ? "" : ", ") += add_matching(field, *values[std::min(i, values.size() - 1)]);
  return matching_sql({dialect_, field, row_column(field)}) + (is_in ? " IN (" : " NOT IN (") +
         list + ")";
}

Result<std::string> SqlConditions::tuples(const Condition& condition) {
  const std::size_t width = condition.fields.size();
  if (width == 0 || condition.values.size() % width != 0)
    return fail(ErrorCode::bug, "The tuples of a condition do not have one value per field.");
  if (condition.values.size() > kMaxListValues)
    return too_many("values", condition.values.size(), kMaxListValues);
  if (condition.values.empty()) return std::string("FALSE");
  const std::size_t count = condition.values.size() / width;
  std::string columns;
  for (const Field* field : condition.fields)
    columns += (columns.empty() ? "" : ", ") + equality_sql({dialect_, *field, row_column(*field)});
  std::string tuples;
  for (std::size_t i = 0; i < std::bit_ceil(count); ++i) {
    tuples += i == 0 ? "(" : ", (";
    for (std::size_t at = 0; at < width; ++at)
      tuples += (at == 0 ? "" : ", ") +
                add(*condition.fields[at], condition.values[std::min(i, count - 1) * width + at]);
    tuples += ")";
  }
  return fmt::format("({}) IN (VALUES {})", columns, tuples);
}

// From the last field to the first: after it, or equal and after in what follows.
std::string SqlConditions::after(const SelectRows& plan) {
  const std::vector<OrderBy>& order = plan.order;
  const std::vector<Value>& values = plan.after;
  std::string rest = plan.includes_after ? "TRUE" : "FALSE";
  for (std::size_t i = order.size(); i-- > 0;) {
    const Field& field = *order[i].field;
    const std::string column = row_column(field);
    const bool is_last = i + 1 == order.size() && !plan.includes_after;
    if (is_null(values[i])) {
      rest = is_last ? "FALSE" : fmt::format("({} IS NULL AND {})", column, rest);
      continue;
    }
    const std::string parameter = add(field, values[i]);
    std::string later = fmt::format("{} {} {}", ordered_sql({dialect_, field, column}),
                                    order[i].is_descending ? "<" : ">", parameter);
    if (field.is_nullable) later += fmt::format(" OR {} IS NULL", column);
    if (!is_last)
      later += fmt::format(" OR ({} = {} AND {})", equality_sql({dialect_, field, column}),
                           parameter, rest);
    rest = "(" + later + ")";
  }
  return rest;
}

}  // namespace alfred
