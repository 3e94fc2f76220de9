// A number as the digits it was written with, for where a double would round it in silence.
//
// R1 takes what JSON and databases write: an optional minus, digits, a fraction, an exponent.
// R2 two texts of one number are equal: 1.50, 15e-1 and 1.5; zero has no sign.
// R3 a double stands for its shortest digits, and for no others.
// R4 reading JSON rounds fractions; whoever must not lose a digit looks at the text first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "alfred/error.h"

namespace alfred {

struct Decimal {
  bool is_negative = false;
  std::string digits{};    // without zeros at both ends; none: zero
  std::int64_t point = 0;  // 0.digits × 10^point

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

std::optional<Decimal> read_decimal(std::string_view text);
Decimal decimal_of(double number);  // finite
Decimal decimal_of(std::int64_t number);

int compare_decimals(const Decimal& a, const Decimal& b);  // -1, 0, 1

// The integer or the double that is this very number.
std::optional<std::int64_t> exact_integer(const Decimal& decimal);
std::optional<double> exact_double(const Decimal& decimal);

// R4. Refuses JSON that holds a number with more digits than a double keeps, by its member:
// `value`.
Result<void> check_digits(std::string_view json);

}  // namespace alfred
