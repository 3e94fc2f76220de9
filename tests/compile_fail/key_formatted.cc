// A key has no formatter (record_key.h, R1).
// expect: [Cc]annot format|deleted|formatter
#include <string>

#include <fmt/format.h>

#include "refs/keys/record_key.h"

int main() {
#ifndef CONTROL
  return fmt::format("{}", alfred::RecordKey::integer(7)).empty() ? 1 : 0;
#endif
  return fmt::format("{}", static_cast<int>(alfred::RecordKey::integer(7).kind())).empty() ? 1 : 0;
}
