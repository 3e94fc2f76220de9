// What the process that is killed and the test that kills it agree on.
#pragma once

#include <cstdint>

namespace alfred {

inline constexpr std::int64_t kWorkBegins = 1'780'000'000'000;
inline constexpr std::int64_t kRunMs = 20'000'000;  // of the clock, between one run and the next
// By then every lease of a wake-up is over, however much a worker did before it was killed.
inline constexpr std::int64_t kLookMs = 4'000'000;

}  // namespace alfred
