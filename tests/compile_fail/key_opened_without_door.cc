// The content of a key is read through a KeyDoor only (record_key.h, R2).
// expect: too few arguments|no matching function
#include "refs/keys/record_key.h"

int main() {
#ifndef CONTROL
  return static_cast<int>(alfred::KeyView::integer(7).bits().high);
#endif
  return alfred::KeyView::integer(7).kind() == alfred::KeyKind::integer ? 0 : 1;
}
