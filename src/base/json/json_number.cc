#include "base/json/json_number.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "base/check.h"

namespace alfred {
namespace {

template <class Integer>
bool read_integer(std::string_view text, Integer& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

// from_chars says "out of range" for 1e400 and for 1e-400 alike. Which one it was shows in the
// decimal exponent of the first digit that is not zero.
bool is_tiny(std::string_view text) {
  const std::size_t exponent_mark = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, exponent_mark);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
  long long exponent = 0;
  if (exponent_mark != std::string_view::npos) {
    std::string_view power = text.substr(exponent_mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    if (!read_integer(power, exponent)) return power.starts_with('-');
  }
  return static_cast<long long>(point) - static_cast<long long>(first) + exponent < 0;
}

JsonNumber read_double(std::string_view text) {
  double value = 0;
  const std::errc fault = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  if (fault == std::errc()) return value;
  if (is_tiny(text)) return text.starts_with('-') ? -0.0 : 0.0;
  return NumberFault::double_too_large;
}

template <class Number, class... Format>
std::string_view print(char (&room)[32], Number value, Format... format) {
  const std::to_chars_result end = std::to_chars(room, room + sizeof room, value, format...);
  return {room, static_cast<std::size_t>(end.ptr - room)};
}

// Most amounts are small and whole, or end in a quarter: their shortest text is known without a
// search. From 100,000 on the shortest may be written with an exponent; a zero may have a sign.
bool append_quarters(std::string& out, double value) {
  constexpr double kLeastLarge = 100'000;
  if (!(std::fabs(value) < kLeastLarge) || value == 0) return false;
  const double quarters = value * 4;
  const auto whole = static_cast<std::int64_t>(quarters);
  if (static_cast<double>(whole) != quarters) return false;
  constexpr std::string_view kEnds[] = {".0", ".25", ".5", ".75"};
  const std::int64_t size = whole < 0 ? -whole : whole;
  if (whole < 0) out += '-';
  append_json_number(out, size / 4);
  out += kEnds[size % 4];
  return true;
}

}  // namespace

JsonNumber read_json_number(std::string_view text) {
  if (text.find_first_of(".eE") != std::string_view::npos) return read_double(text);
  std::int64_t with_sign = 0;
  if (read_integer(text, with_sign)) return with_sign;
  std::uint64_t without_sign = 0;
  if (read_integer(text, without_sign)) return without_sign;
  return NumberFault::integer_too_large;
}

JsonNumber read_rounded_json_number(std::string_view text) {
  const JsonNumber exact = read_json_number(text);
  return exact == JsonNumber(NumberFault::integer_too_large) ? read_double(text) : exact;
}

void append_json_number(std::string& out, std::int64_t value) {
  char room[32];
  out += print(room, value);
}

void append_json_number(std::string& out, std::uint64_t value) {
  char room[32];
  out += print(room, value);
}

void append_json_number(std::string& out, double value) {
  ALFRED_CHECK(std::isfinite(value), "a double in JSON is finite");
  if (append_quarters(out, value)) return;
  char room[32];
  std::string_view text = print(room, value);
  // From 17 digits on to_chars may write digits that the shortest form does not have, where that
  // is as long: 12345678901234567168 for 1.2345678901234567e+19. A reader that does not round
  // would take them as given.
  constexpr std::size_t kExactDigits = 16;
  const std::size_t digits = text.size() - (value < 0 ? 1 : 0);
  if (digits > kExactDigits && text.find_first_of(".e") == std::string_view::npos)
    text = print(room, value, std::chars_format::scientific);
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

}  // namespace alfred
