#include "base/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/utf8.h"

namespace alfred {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kExponentDigits = 9;
// No text of so few digits is changed by a double, whatever its exponent within range.
constexpr std::size_t kSafeDigits = 15;
constexpr std::size_t kShownBytes = 60;

std::string_view take_digits(std::string_view& text) {
  const std::size_t size = std::min(text.find_first_not_of(kDigits), text.size());
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

// What stands behind an e: nothing where it is no exponent.
std::optional<std::int64_t> read_exponent(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = take_digits(text);
  if (digits.empty() || digits.size() > kExponentDigits || !text.empty()) return std::nullopt;
  std::int64_t exponent = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  return is_negative ? -exponent : exponent;
}

void trim_zeros(Decimal& decimal) {
  const std::size_t first = decimal.digits.find_first_not_of('0');
  if (first == std::string::npos) {
    decimal = {};
    return;
  }
  decimal.digits.erase(0, first);
  decimal.point -= static_cast<std::int64_t>(first);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
}

std::size_t end_of_string(std::string_view json, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return at;
}

bool is_name(std::string_view json, std::size_t end_quote) {
  const std::size_t next = json.find_first_not_of(" \t\r\n", std::min(end_quote + 1, json.size()));
  return next != std::string_view::npos && json[next] == ':';
}

Unexpected rounded(std::string_view number, std::string_view name) {
  const std::string shown(cut_utf8(name, kShownBytes));
  return fail(ErrorCode::value,
              fmt::format("{} is {}: more digits than a number keeps, it would be rounded. Give it "
                          "with 15 digits at most, or as a whole number of 64 bits.",
                          shown.empty() ? "a number" : shown, number.substr(0, kShownBytes)),
              shown);
}

bool is_of_number(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

// Whether something in it is as long as a number has to be to be rounded. One byte of each that is
// so long is looked at.
bool has_long_number(std::string_view json) {
  constexpr std::size_t kLeast = kSafeDigits + 1;
  for (std::size_t at = kLeast - 1; at < json.size(); at += kLeast) {
    if (!is_of_number(json[at])) continue;
    std::size_t begin = at;
    while (begin > 0 && is_of_number(json[begin - 1])) --begin;
    while (at < json.size() && is_of_number(json[at])) ++at;
    if (at - begin >= kLeast) return true;
  }
  return false;
}

bool is_rounded(std::string_view number) {
  if (number.find_first_of(".eE") == std::string_view::npos)
    return false;  // an integer, or refused
  const std::optional<Decimal> decimal = read_decimal(number);
  return decimal && decimal->digits.size() > kSafeDigits && !exact_double(*decimal);
}

}  // namespace

std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal decimal;
  decimal.is_negative = text.starts_with('-');
  if (decimal.is_negative) text.remove_prefix(1);
  decimal.digits = take_digits(text);
  decimal.point = static_cast<std::int64_t>(decimal.digits.size());
  if (decimal.digits.empty()) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::string_view fraction = take_digits(text);
    if (fraction.empty()) return std::nullopt;
    decimal.digits += fraction;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    const std::optional<std::int64_t> exponent = read_exponent(text.substr(1));
    if (!exponent) return std::nullopt;
    decimal.point += *exponent;
  } else if (!text.empty()) {
    return std::nullopt;
  }
  trim_zeros(decimal);
  return decimal;
}

Decimal decimal_of(double number) { return *read_decimal(fmt::format("{}", number)); }

Decimal decimal_of(std::int64_t number) { return *read_decimal(std::to_string(number)); }

int compare_decimals(const Decimal& a, const Decimal& b) {
  const auto sign_of = [](const Decimal& one) {
    return one.digits.empty() ? 0 : (one.is_negative ? -1 : 1);
  };
  const int sign = sign_of(a);
  if (sign != sign_of(b)) return sign < sign_of(b) ? -1 : 1;
  if (a.point != b.point) return a.point < b.point ? -sign : sign;
  const int order = a.digits.compare(b.digits);
  return order == 0 ? 0 : (order < 0 ? -sign : sign);
}

std::optional<std::int64_t> exact_integer(const Decimal& decimal) {
  const auto size = static_cast<std::int64_t>(decimal.digits.size());
  if (decimal.point < size || decimal.point > 19) return std::nullopt;
  std::string text = (decimal.is_negative ? "-" : "") + decimal.digits;
  text.append(static_cast<std::size_t>(decimal.point - size), '0');
  if (decimal.digits.empty()) text = "0";
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) return std::nullopt;
  return number;
}

std::optional<double> exact_double(const Decimal& decimal) {
  if (decimal.digits.empty()) return 0.0;
  const std::string text =
      fmt::format("{}0.{}e{}", decimal.is_negative ? "-" : "", decimal.digits, decimal.point);
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || decimal_of(number) != decimal) return std::nullopt;
  return number;
}

Result<void> check_digits(std::string_view json) {
  if (!has_long_number(json)) return {};
  std::string_view name;  // the last one before the number
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] == '"') {
      const std::size_t end = end_of_string(json, at);
      if (is_name(json, end)) name = json.substr(at + 1, end - at - 1);
      at = end;
    } else if (json[at] == '-' || (json[at] >= '0' && json[at] <= '9')) {
      const std::size_t end = std::min(json.find_first_not_of("0123456789+-.eE", at), json.size());
      const std::string_view number = json.substr(at, end - at);
      if (is_rounded(number)) return rounded(number, name);
      at = end - 1;
    }
  }
  return {};
}

}  // namespace alfred
