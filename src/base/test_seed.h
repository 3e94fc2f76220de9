// What a random test draws from: another seed in each run, or ALFRED_TEST_SEED=<number> to repeat
// one that failed. For tests only.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "alfred/random.h"

namespace alfred {

inline std::uint64_t test_seed() {
  const char* chosen = std::getenv("ALFRED_TEST_SEED");
  return chosen == nullptr ? OsRandom().next_u64() : std::strtoull(chosen, nullptr, 10);
}

}  // namespace alfred
