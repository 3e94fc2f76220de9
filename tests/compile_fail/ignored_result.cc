// An ignored Result does not compile (error.h, R3).
// expect: ignoring return value .* 'nodiscard'
#include "alfred/error.h"

namespace {

alfred::Result<int> answer() { return 3; }

}  // namespace

int main() {
#ifndef CONTROL
  answer();
#endif
  return answer().has_value() ? 0 : 1;
}
