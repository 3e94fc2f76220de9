// A key's members are private (record_key.h, R2).
// expect: private
#include "refs/keys/record_key.h"

int main() {
#ifndef CONTROL
  return static_cast<int>(alfred::KeyView::integer(7).bits_.high);
#endif
  return alfred::KeyView::integer(7) == alfred::KeyView::integer(7) ? 0 : 1;
}
