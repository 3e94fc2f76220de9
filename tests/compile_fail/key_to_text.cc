// A key does not become text (record_key.h, R1).
// expect: no matching (constructor|function)
#include <string>

#include "refs/keys/record_key.h"

int main() {
#ifndef CONTROL
  const std::string text(alfred::RecordKey::text("secret"));
#endif
  const std::string text("secret");
  return alfred::RecordKey::text(text).kind() == alfred::KeyKind::text ? 0 : 1;
}
