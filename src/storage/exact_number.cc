#include "storage/exact_number.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>

#include "base/decimal.h"

namespace alfred {
namespace {

constexpr std::int64_t kWholeDoubles = std::int64_t{1} << 53;

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

// SQLite's rule of affinity, under which PostgreSQL's own names fall as well.
bool holds_floats(const Field& field) {
  const std::string type = lower(field.database_type);
  return has_any(type, {"real", "floa", "doub"}) &&
         !has_any(type, {"int", "char", "clob", "text", "blob"});
}

Value exact_number(std::int64_t number) {
  if (number < -kWholeDoubles || number > kWholeDoubles) return number;
  return static_cast<double>(number);
}

Value exact_number(double number) {
  if (!std::isfinite(number) || std::abs(number) <= static_cast<double>(kWholeDoubles))
    return number;
  const std::optional<std::int64_t> whole = exact_integer(decimal_of(number));
  return whole ? exact_number(*whole) : Value(number);
}

Value exact_number(std::string_view digits) {
  const std::optional<Decimal> decimal = read_decimal(digits);
  if (!decimal) return std::string(digits);
  if (const std::optional<std::int64_t> whole = exact_integer(*decimal))
    return exact_number(*whole);
  if (const std::optional<double> number = exact_double(*decimal)) return *number;
  std::string_view trimmed = digits;
  if (digits.find_first_of("eE") == std::string_view::npos &&
      digits.find('.') != std::string_view::npos) {
    while (trimmed.ends_with('0')) trimmed.remove_suffix(1);
    if (trimmed.ends_with('.')) trimmed.remove_suffix(1);
  }
  return std::string(trimmed);
}

}  // namespace alfred
