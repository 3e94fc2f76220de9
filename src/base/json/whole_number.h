// A whole number as clients write it: 10, or 10.0, which is the same number in JSON.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "base/json/json.h"

namespace alfred {

inline std::optional<std::int64_t> whole_number(const Json& value) {
  constexpr double kMostExact = 9007199254740992.0;  // 2^53
  if (value.is_int64()) return value.get_int64();
  if (!value.is_double()) return std::nullopt;
  const double number = value.get_double();
  if (!(std::fabs(number) <= kMostExact) || std::trunc(number) != number) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace alfred
