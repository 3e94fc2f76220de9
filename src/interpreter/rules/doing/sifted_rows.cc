#include "interpreter/rules/doing/sifted_rows.h"

#include <algorithm>

#include "interpreter/rules/reading/members.h"

namespace alfred::rules {
namespace {

// Of "a+b", all that is there.
double sum_in(const JsonObject& row, std::string_view names) {
  double sum = 0;
  while (!names.empty()) {
    const std::size_t plus = names.find('+');
    sum += number_of(row, names.substr(0, plus), 0);
    names = plus == std::string_view::npos ? std::string_view() : names.substr(plus + 1);
  }
  return sum;
}

}  // namespace

bool holds_also(const Doing& doing, const JsonObject& row) {
  return std::all_of(doing.also.begin(), doing.also.end(), [&](const Cond& one) {
    const double bound = one.value.to_number<double>();
    const double sum = sum_in(row, one.field);
    if (one.op == "<") return sum < bound;
    if (one.op == ">") return sum > bound;
    return one.op == "<=" ? sum <= bound : sum >= bound;
  });
}

void keep_first(const Doing& doing, std::vector<const JsonObject*>& rows) {
  if (doing.order.find('+') == std::string::npos || rows.empty()) return;
  const std::string_view order = doing.order;
  const std::string_view names = order.substr(0, order.find(' '));
  const auto most = [&](const JsonObject* a, const JsonObject* b) {
    return sum_in(*a, names) < sum_in(*b, names);
  };
  std::erase_if(rows, [&](const JsonObject* row) { return sum_in(*row, names) <= 0; });
  if (rows.empty()) return;
  const double best =
      sum_in(order.ends_with(" desc") ? **std::max_element(rows.begin(), rows.end(), most)
                                      : **std::min_element(rows.begin(), rows.end(), most),
             names);
  std::erase_if(rows, [&](const JsonObject* row) { return sum_in(*row, names) != best; });
}

}  // namespace alfred::rules
