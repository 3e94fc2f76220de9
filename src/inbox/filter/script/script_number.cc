#include "inbox/filter/script/script_number.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace alfred::inbox {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

double whole_number(std::string_view digits, int base) {
  double out = 0;
  if (digits.empty()) return kNan;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 99;
    if (digit >= base) return kNan;
    out = out * base + digit;
  }
  return out;
}

}  // namespace

double number_in(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return 0;
  if (text.size() > 2 && text[0] == '0') {
    const char mark = static_cast<char>(text[1] | 0x20);
    if (mark == 'x') return whole_number(text.substr(2), 16);
    if (mark == 'o') return whole_number(text.substr(2), 8);
    if (mark == 'b') return whole_number(text.substr(2), 2);
  }
  double sign = 1;
  if (text[0] == '+' || text[0] == '-') {
    sign = text[0] == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  if (text == "Infinity") return sign * kInfinity;
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos ||
      text[0] == '+' || text[0] == '-')
    return kNan;
  double out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (end != text.data() + text.size()) return kNan;
  if (wrong == std::errc::result_out_of_range) {
    const std::size_t e = text.find_first_of("eE");
    const bool is_tiny = e != std::string_view::npos && text.substr(e + 1).starts_with('-');
    return is_tiny ? sign * 0.0 : sign * kInfinity;
  }
  return wrong == std::errc() ? sign * out : kNan;
}

std::string number_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  if (number == 0) return "0";
  char room[40];
  const auto [end, wrong] =
      std::to_chars(room, room + sizeof room, std::fabs(number), std::chars_format::scientific);
  const std::string_view shortest(room, static_cast<std::size_t>(end - room));
  const std::size_t e = shortest.find('e');
  std::string digits(shortest.substr(0, 1));
  if (e > 2) digits += shortest.substr(2, e - 2);
  const int point = std::atoi(std::string(shortest.substr(e + 1)).c_str()) + 1;
  const int count = static_cast<int>(digits.size());
  std::string out = number < 0 ? "-" : "";
  if (point > 21 || point < -5) {
    out += digits.substr(0, 1);
    if (count > 1) out += "." + digits.substr(1);
    return out + (point > 0 ? "e+" : "e-") + std::to_string(std::abs(point - 1));
  }
  if (point <= 0) return out + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (count <= point)
    return out + digits + std::string(static_cast<std::size_t>(point - count), '0');
  const auto whole = static_cast<std::size_t>(point);
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace alfred::inbox
