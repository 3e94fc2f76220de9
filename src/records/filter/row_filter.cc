#include "records/filter/row_filter.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/json/json.h"
#include "records/filter/row_scores.h"
#include "records/search/case_fold.h"
#include "storage/exact_number.h"

namespace alfred {
namespace {

using Kind = FilterNode::Kind;

bool holds_always(const Condition& condition) {
  return condition.kind == Condition::Kind::all && condition.parts.empty();
}

CompareOp compare_op(FilterOp op) {
  switch (op) {
    case FilterOp::ne: return CompareOp::ne;
    case FilterOp::gt: return CompareOp::gt;
    case FilterOp::ge: return CompareOp::ge;
    case FilterOp::lt: return CompareOp::lt;
    case FilterOp::le: return CompareOp::le;
    default: return CompareOp::eq;
  }
}

Condition comparison(const Field* field, CompareOp op, const Value& value) {
  Condition condition;
  condition.kind = Condition::Kind::compare;
  condition.field = field;
  condition.op = op;
  condition.values = {value};
  return condition;
}

Condition on_field(Condition::Kind kind, const FilterNode& node) {
  Condition condition;
  condition.kind = kind;
  condition.field = node.field;
  condition.values = node.values;
  return condition;
}

// A key of several columns: SQL is asked for those that are, we look for those that are not.
PushedFilter push_key_test(const FilterNode& node) {
  if (node.op == FilterOp::ne || node.op == FilterOp::not_in) return {{}, false};
  Condition condition;
  condition.kind = Condition::Kind::tuple_in;
  condition.fields = node.key_fields;
  condition.values = node.values;
  if (node.values.empty()) condition.kind = Condition::Kind::any;
  return {std::move(condition), true};
}

PushedFilter push_test(const FilterNode& node) {
  if (!node.key_fields.empty()) return push_key_test(node);
  switch (node.op) {
    case FilterOp::eq:
    case FilterOp::ne:
    case FilterOp::gt:
    case FilterOp::ge:
    case FilterOp::lt:
    case FilterOp::le:
      return {comparison(node.field, compare_op(node.op), node.values.front()), true};
    case FilterOp::in: return {on_field(Condition::Kind::in, node), true};
    case FilterOp::not_in: return {on_field(Condition::Kind::not_in, node), true};
    case FilterOp::is_null: return {on_field(Condition::Kind::is_null, node), true};
    case FilterOp::is_not_null: return {on_field(Condition::Kind::is_not_null, node), true};
    case FilterOp::between: {
      Condition both;
      both.parts = {comparison(node.field, CompareOp::ge, node.values[0]),
                    comparison(node.field, CompareOp::le, node.values[1])};
      return {std::move(both), true};
    }
    case FilterOp::like:
    case FilterOp::ilike:
    case FilterOp::contains:
    case FilterOp::contains_any: return {on_field(Condition::Kind::is_not_null, node), false};
    case FilterOp::similar: break;
  }
  return {{}, false};
}

PushedFilter push(const FilterNode& node) {
  if (node.kind == Kind::test) return push_test(node);
  const bool is_all = node.kind == Kind::all;
  PushedFilter pushed;
  pushed.condition.kind = is_all ? Condition::Kind::all : Condition::Kind::any;
  for (const FilterNode& part : node.parts) {
    PushedFilter one = push(part);
    pushed.is_exact = pushed.is_exact && one.is_exact;
    if (holds_always(one.condition)) {
      if (is_all) continue;
      return {{}, false};  // a choice that anything may meet tells SQL nothing
    }
    pushed.condition.parts.push_back(std::move(one.condition));
  }
  return pushed;
}

bool is_comparison_met(FilterOp op, int order) {
  switch (op) {
    case FilterOp::gt: return order > 0;
    case FilterOp::ge: return order >= 0;
    case FilterOp::lt: return order < 0;
    default: return order <= 0;
  }
}

// Keys, and links to them, as the database compares them.
bool is_equal(const Field& field, const Value& a, const Value& b) {
  if (field.match != TextMatch::bytes) return key_text(field, a) == key_text(field, b);
  return compare_values(field, a, b) == 0;
}

bool is_among(const Field& field, const Value& value, std::span<const Value> values) {
  return std::any_of(values.begin(), values.end(),
                     [&](const Value& one) { return is_equal(field, value, one); });
}

// A text; also one that is no UTF-8, which comes as bytes.
const std::string* text_in(const Value& value) {
  if (const auto* bytes = std::get_if<Bytes>(&value)) return &bytes->bytes;
  return std::get_if<std::string>(&value);
}

bool holds_text(const FilterNode& node, const Value& value) {
  if (node.field->type == FieldType::list) {
    const std::vector<std::string> elements = list_elements(value);
    return std::any_of(node.texts.begin(), node.texts.end(), [&](const std::string& wanted) {
      return std::find(elements.begin(), elements.end(), wanted) != elements.end();
    });
  }
  const std::string* const text = text_in(value);
  if (text == nullptr) return false;
  const std::string folded = fold_case(*text);
  return std::any_of(node.texts.begin(), node.texts.end(), [&](const std::string& wanted) {
    return folded.find(wanted) != std::string::npos;
  });
}

bool is_key_test_met(const FilterNode& node, const RowFields& fields, const Row& row) {
  const std::size_t width = node.key_fields.size();
  bool is_there = false;
  for (std::size_t at = 0; at + width <= node.values.size() && !is_there; at += width) {
    is_there = true;
    for (std::size_t i = 0; i < width && is_there; ++i)
      is_there = compare_values(*node.key_fields[i], fields.of(row, node.key_fields[i]),
                                node.values[at + i]) == 0;
  }
  return is_there == (node.op == FilterOp::eq || node.op == FilterOp::in);
}

bool is_test_met(const FilterNode& node, const Value& value) {
  if (node.op == FilterOp::is_null) return is_null(value);
  if (is_null(value)) return false;
  switch (node.op) {
    case FilterOp::is_not_null: return true;
    case FilterOp::in: return is_among(*node.field, value, node.values);
    case FilterOp::not_in: return !is_among(*node.field, value, node.values);
    case FilterOp::contains:
    case FilterOp::contains_any: return holds_text(node, value);
    case FilterOp::between: {
      const std::optional<int> low = compare_values(*node.field, value, node.values[0]);
      const std::optional<int> high = compare_values(*node.field, value, node.values[1]);
      return low && high && *low >= 0 && *high <= 0;
    }
    case FilterOp::like:
    case FilterOp::ilike: {
      const std::string* const text = text_in(value);
      return text != nullptr && node.pattern->matches(*text);
    }
    default: break;
  }
  if (node.op == FilterOp::eq || node.op == FilterOp::ne)
    return is_equal(*node.field, value, node.values.front()) == (node.op == FilterOp::eq);
  const std::optional<int> order = compare_values(*node.field, value, node.values.front());
  return order && is_comparison_met(node.op, *order);
}

int order_of(std::int64_t a, double b) {
  if (std::isnan(b) || b >= 9223372036854775808.0) return -1;  // NaN is greater than all numbers
  if (b < -9223372036854775808.0) return 1;
  const auto whole = static_cast<std::int64_t>(b);
  if (a != whole) return a < whole ? -1 : 1;
  const double fraction = b - static_cast<double>(whole);
  return fraction > 0 ? -1 : (fraction < 0 ? 1 : 0);
}

int order_of(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) - std::isnan(b);
  return a < b ? -1 : (a > b ? 1 : 0);
}

// A number with more digits than a double keeps comes as their text (exact_number.h R2).
std::optional<int> order_of_digits(const std::string& digits, const Value& number) {
  const std::optional<Decimal> decimal = read_decimal(digits);
  if (!decimal || !std::holds_alternative<std::string>(exact_number(digits))) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&number))
    return compare_decimals(*decimal, decimal_of(*whole));
  const auto* const real = std::get_if<double>(&number);
  if (real == nullptr || !std::isfinite(*real)) return std::nullopt;
  return compare_decimals(*decimal, decimal_of(*real));
}

bool needs_search(const FilterNode& node) {
  switch (node.kind) {
    case Kind::all: return std::any_of(node.parts.begin(), node.parts.end(), needs_search);
    case Kind::any: return std::all_of(node.parts.begin(), node.parts.end(), needs_search);
    case Kind::test: break;
  }
  return node.op == FilterOp::similar;
}

void add_fields_of(const FilterNode& node, RowFields& fields) {
  if (node.field != nullptr) fields.add(node.field);
  for (const Field* field : node.key_fields) fields.add(field);
  for (const FilterNode& part : node.parts) add_fields_of(part, fields);
}

}  // namespace

void RowFields::add(const Field* field) {
  if (has(field)) return;
  if (fields_.empty()) fields_.reserve(slots_.size());
  slots_[index(field)] = fields_.size();
  fields_.push_back(field);
}

RowFilter::RowFilter(FilterNode root, std::vector<Search> searches)
    : root_(std::move(root)), searches_(std::move(searches)), pushed_(push(root_)) {
  for (std::size_t i = 0; i < root_.parts.size(); ++i)
    if (root_.kind != Kind::all || !push(root_.parts[i]).is_exact) left_.push_back(i);
  needs_search_ = alfred::needs_search(root_);
}

void RowFilter::add_fields(RowFields& fields) const { add_fields_of(root_, fields); }

bool RowFilter::rest(const RowFields& fields, const Row& row, const ScoreFn& score) const {
  if (pushed_.is_exact) return true;
  if (root_.kind != Kind::all) return matches(root_, fields, row, score);
  return std::all_of(left_.begin(), left_.end(), [&](std::size_t part) {
    return matches(root_.parts[part], fields, row, score);
  });
}

bool RowFilter::matches(const FilterNode& node, const RowFields& fields, const Row& row,
                        const ScoreFn& score) const {
  const auto is_met = [&](const FilterNode& part) { return matches(part, fields, row, score); };
  switch (node.kind) {
    case Kind::all: return std::all_of(node.parts.begin(), node.parts.end(), is_met);
    case Kind::any: return std::any_of(node.parts.begin(), node.parts.end(), is_met);
    case Kind::test: break;
  }
  if (node.op == FilterOp::similar) return score(node.search, row) > 0;
  if (!node.key_fields.empty()) return is_key_test_met(node, fields, row);
  return is_test_met(node, fields.of(row, node.field));
}

std::optional<int> compare_values(const Field& field, const Value& a, const Value& b) {
  const std::string* const text_a = text_in(a);
  const std::string* const text_b = text_in(b);
  if (field.clock == ClockType::none || text_a == nullptr || text_b == nullptr)
    return compare_values(a, b);
  return compare_clock_texts(field.clock, *text_a, *text_b);
}

std::optional<int> compare_values(const Value& a, const Value& b) {
  const auto sign = [](auto x, auto y) { return x < y ? -1 : (y < x ? 1 : 0); };
  const std::string* const text_a = text_in(a);
  const std::string* const text_b = text_in(b);
  if (text_a != nullptr && text_b != nullptr) return sign(text_a->compare(*text_b), 0);
  if (a.index() == b.index()) {
    if (const auto* number = std::get_if<std::int64_t>(&a))
      return sign(*number, std::get<std::int64_t>(b));
    if (const auto* number = std::get_if<double>(&a)) return order_of(*number, std::get<double>(b));
    if (const auto* flag = std::get_if<bool>(&a))
      return sign(static_cast<int>(*flag), static_cast<int>(std::get<bool>(b)));
    return std::nullopt;
  }
  const auto* const whole_a = std::get_if<std::int64_t>(&a);
  const auto* const whole_b = std::get_if<std::int64_t>(&b);
  if (whole_a != nullptr && std::holds_alternative<double>(b))
    return order_of(*whole_a, std::get<double>(b));
  if (whole_b != nullptr && std::holds_alternative<double>(a))
    return -order_of(*whole_b, std::get<double>(a));
  if (text_a != nullptr) return order_of_digits(*text_a, b);
  const std::optional<int> order = text_b == nullptr ? std::nullopt : order_of_digits(*text_b, a);
  return order ? std::optional<int>(-*order) : std::nullopt;
}

std::vector<std::string> list_elements(const Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) return {};
  const Result<Json> json = parse_json(*text, JsonLimits::none());
  if (!json || !json->is_array()) return {*text};
  std::vector<std::string> elements;
  for (const Json& element : json->get_array())
    elements.emplace_back(element.is_string() ? std::string(element.get_string())
                                              : write_json(element));
  return elements;
}

}  // namespace alfred
