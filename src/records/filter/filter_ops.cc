#include "records/filter/filter_ops.h"

#include <algorithm>
#include <array>

#include "records/search/words.h"

namespace alfred {
namespace {

struct OpName {
  FilterOp op;
  std::string_view name;
};
constexpr std::array kNames{
    OpName{FilterOp::eq, "="},
    OpName{FilterOp::ne, "!="},
    OpName{FilterOp::gt, ">"},
    OpName{FilterOp::ge, ">="},
    OpName{FilterOp::lt, "<"},
    OpName{FilterOp::le, "<="},
    OpName{FilterOp::in, "in"},
    OpName{FilterOp::not_in, "not_in"},
    OpName{FilterOp::like, "like"},
    OpName{FilterOp::ilike, "ilike"},
    OpName{FilterOp::is_null, "is_null"},
    OpName{FilterOp::is_not_null, "is_not_null"},
    OpName{FilterOp::contains, "contains"},
    OpName{FilterOp::contains_any, "contains_any"},
    OpName{FilterOp::between, "between"},
    OpName{FilterOp::similar, "similar"},
};

bool is_equality(FilterOp op) {
  using enum FilterOp;
  return op == eq || op == ne || op == in || op == not_in;
}
bool is_order(FilterOp op) {
  using enum FilterOp;
  return op == gt || op == ge || op == lt || op == le || op == between;
}
bool is_null_test(FilterOp op) { return op == FilterOp::is_null || op == FilterOp::is_not_null; }

bool fits_type(FilterOp op, FieldType type) {
  switch (type) {
    case FieldType::text: return true;
    case FieldType::integer:
    case FieldType::number:
    case FieldType::date:
    case FieldType::instant: return is_equality(op) || is_order(op);
    case FieldType::boolean:
    case FieldType::uuid: return is_equality(op);
    case FieldType::list:
      return op == FilterOp::contains || op == FilterOp::contains_any || op == FilterOp::similar;
    case FieldType::json:
    case FieldType::bytes: return false;
  }
  return false;
}

}  // namespace

std::string_view filter_op_name(FilterOp op) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const OpName& row) { return row.op == op; })
      ->name;
}

std::optional<FilterOp> filter_op_named(std::string_view name) {
  for (const OpName& row : kNames)
    if (row.name == name) return row.op;
  return std::nullopt;
}

bool has_ref_apart(const Table& table) {
  if (table.key.empty()) return false;
  if (table.key.size() > 1) return true;
  const Field* const key = table.find(table.key.front());
  return key != nullptr && key->link.has_value();
}

bool names_ref_apart(const Table& table, std::string_view name) {
  if (!has_ref_apart(table)) return false;
  return name == "_ref" || (name == "id" && table.find("id") == nullptr);
}

bool holds_refs(const Table& table, const Field& field) {
  if (field.link) return true;
  return table.key.size() == 1 && table.key.front() == field.name;
}

bool op_fits(FilterOp op, const Table& table, const Field& field) {
  if (is_null_test(op)) return true;
  return holds_refs(table, field) ? is_equality(op) : fits_type(op, field.type);
}

std::vector<std::string_view> all_ops_for(const Table& table, const Field* field) {
  std::vector<std::string_view> ops;
  for (const OpName& row : kNames)
    if (field == nullptr ? is_equality(row.op) : op_fits(row.op, table, *field))
      ops.push_back(row.name);
  return ops;
}

std::vector<std::string> ops_for(const Table& table, const Field* field) {
  using enum FilterOp;
  std::vector<std::string> ops;
  for (const OpName& row : kNames) {
    const bool fits = field == nullptr ? is_equality(row.op) : op_fits(row.op, table, *field);
    // A text takes all sixteen: what says the same as others is left out.
    const bool is_rare = row.op == ge || row.op == le || row.op == gt || row.op == lt ||
                         row.op == like || row.op == contains_any;
    const bool is_text = field != nullptr && field->type == FieldType::text;
    if (fits && !(is_text && is_rare)) ops.emplace_back(row.name);
  }
  if (ops.size() > 10) std::erase(ops, "between");
  return ops;
}

const Field* visible_field(const Table& table, std::string_view name) {
  const Field* const field = table.find(name);
  return field == nullptr || field->is_hidden ? nullptr : field;
}

namespace {

std::vector<std::string> all_columns(const Table& table) {
  std::vector<std::string> names;
  if (has_ref_apart(table)) names.emplace_back(table.find("id") == nullptr ? "id" : "_ref");
  for (const Field& field : table.fields)
    if (!field.is_hidden) names.push_back(field.name);
  return names;
}

}  // namespace

std::size_t count_columns(const Table& table) { return all_columns(table).size(); }

std::vector<std::string> column_names(const Table& table, std::string_view wanted) {
  return nearest_names(wanted, all_columns(table));
}

}  // namespace alfred
