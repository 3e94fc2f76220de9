#include "base/wide_masks.h"

#include <atomic>

namespace alfred {
namespace {

bool processor_has_them() {
#if ALFRED_HAS_WIDE_MASKS
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#else
  return false;
#endif
}

std::atomic<bool>& uses_wide_masks() {
  static std::atomic<bool> uses = processor_has_them();
  return uses;
}

}  // namespace

bool has_wide_masks() { return uses_wide_masks().load(std::memory_order_relaxed); }

void use_wide_masks_for_tests(bool uses) { uses_wide_masks() = uses && processor_has_them(); }

}  // namespace alfred
