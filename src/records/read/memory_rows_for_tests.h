// For tests only: rows in memory behind the port of a transaction, as simple as can be, to compare
// real databases with. It knows owners, conditions, order, `after` and limits.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "records/filter/row_filter.h"
#include "storage/store.h"

namespace alfred {

class MemoryRows final : public Tx {
 public:
  Caller caller;
  std::map<std::string, std::vector<Row>, std::less<>> tables;  // in the order of Table::fields
  std::vector<std::string> scanned;                             // the tables asked, in order
  std::string fails_at;                                         // a table that cannot be read

  Result<std::vector<Row>> select(const SelectRows& plan) override {
    std::vector<Row> rows;
    const Result<void> done = scan(plan, [&](const Row& row) -> Result<bool> {
      rows.push_back(row);
      return true;
    });
    if (!done) return Unexpected(done.error());
    return rows;
  }
  Result<void> scan(const SelectRows& plan,
                    const std::function<Result<bool>(const Row&)>& visit) override {
    scanned.push_back(plan.table->name);
    if (plan.table->name == fails_at) return fail(ErrorCode::busy, "somebody holds the database");
    std::vector<Row> rows;
    for (const Row& row : tables[plan.table->name])
      if (is_own(*plan.table, row) && holds(plan.where, *plan.table, row) &&
          (plan.after.empty() || order_of(plan, row, nullptr) > (plan.includes_after ? -1 : 0)))
        rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row& a, const Row& b) { return order_of(plan, a, &b) < 0; });
    if (plan.limit && rows.size() > *plan.limit) rows.resize(*plan.limit);
    for (const Row& row : rows) {
      Row shown;
      for (const Field* field : plan.fields) shown.push_back(given(cell(*plan.table, row, field)));
      const Result<bool> goes_on = visit(shown);
      if (!goes_on) return Unexpected(goes_on.error());
      if (!*goes_on) break;
    }
    return {};
  }
  Result<Row> insert(const InsertRow&) override { return fail(ErrorCode::bug, "rows are read"); }
  Result<std::uint64_t> update(const UpdateRows&) override {
    return fail(ErrorCode::bug, "rows are read");
  }
  Result<std::uint64_t> remove(const DeleteRows&) override {
    return fail(ErrorCode::bug, "rows are read");
  }
  Result<std::vector<Row>> run(const Statement&, Params) override {
    return fail(ErrorCode::bug, "there is no state here");
  }
  Result<std::uint64_t> execute(const Statement&, Params) override {
    return fail(ErrorCode::bug, "there is no state here");
  }
  Result<void> savepoint(const std::function<Result<void>()>& part) override { return part(); }
  bool holds_state() const override { return false; }

 private:
  static const Value& cell(const Table& table, const Row& row, const Field* field) {
    return row[static_cast<std::size_t>(field - table.fields.data())];
  }
  // As stores give it: what is no UTF-8 comes as bytes.
  static Value given(const Value& value) {
    const auto* const text = std::get_if<std::string>(&value);
    return text == nullptr || is_utf8(*text) ? value : Value(Bytes{*text});
  }
  bool is_own(const Table& table, const Row& row) const {
    if (table.owner.empty()) return true;
    return caller.user &&
           compare_values(cell(table, row, table.find(table.owner)), Value(*caller.user)) == 0;
  }
  // Nulls last, also descending. With `other` null: compared with plan.after.
  static int order_of(const SelectRows& plan, const Row& row, const Row* other) {
    for (std::size_t i = 0; i < plan.order.size(); ++i) {
      const Value& a = cell(*plan.table, row, plan.order[i].field);
      const Value& b =
          other == nullptr ? plan.after[i] : cell(*plan.table, *other, plan.order[i].field);
      if (is_null(a) && is_null(b)) continue;
      if (is_null(a) || is_null(b)) return is_null(a) ? 1 : -1;
      const int order = compare_values(a, b).value_or(0);
      if (order != 0) return plan.order[i].is_descending ? -order : order;
    }
    return 0;
  }
  static bool holds(const Condition& where, const Table& table, const Row& row) {
    const auto part_holds = [&](const Condition& part) { return holds(part, table, row); };
    const auto is_in = [&](const Value& value) {
      return std::any_of(where.values.begin(), where.values.end(),
                         [&](const Value& one) { return compare_values(value, one) == 0; });
    };
    switch (where.kind) {
      case Condition::Kind::all:
        return std::all_of(where.parts.begin(), where.parts.end(), part_holds);
      case Condition::Kind::any:
        return std::any_of(where.parts.begin(), where.parts.end(), part_holds);
      case Condition::Kind::tuple_in: return has_tuple(where, table, row);
      case Condition::Kind::is_null: return is_null(cell(table, row, where.field));
      case Condition::Kind::is_not_null: return !is_null(cell(table, row, where.field));
      default: break;
    }
    const Value& value = cell(table, row, where.field);
    if (is_null(value)) return false;
    if (where.kind == Condition::Kind::in) return is_in(value);
    if (where.kind == Condition::Kind::not_in) return !is_in(value);
    const std::optional<int> order = compare_values(value, where.values.front());
    if (!order) return where.op == CompareOp::ne;
    switch (where.op) {
      case CompareOp::eq: return *order == 0;
      case CompareOp::ne: return *order != 0;
      case CompareOp::lt: return *order < 0;
      case CompareOp::le: return *order <= 0;
      case CompareOp::gt: return *order > 0;
      case CompareOp::ge: return *order >= 0;
    }
    return false;
  }
  static bool has_tuple(const Condition& where, const Table& table, const Row& row) {
    for (std::size_t at = 0; at < where.values.size(); at += where.fields.size()) {
      bool is_same = true;
      for (std::size_t i = 0; i < where.fields.size(); ++i)
        is_same =
            is_same && compare_values(cell(table, row, where.fields[i]), where.values[at + i]) == 0;
      if (is_same) return true;
    }
    return false;
  }
};

}  // namespace alfred
