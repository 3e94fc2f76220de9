// Nor is there a short way to make one for the call (record_key.h, R2).
// expect: private
#include "refs/keys/record_key.h"

int main() {
#ifndef CONTROL
  return alfred::KeyView::text("secret").bytes({}).empty() ? 1 : 0;
#endif
  return alfred::KeyView::text("secret").kind() == alfred::KeyKind::text ? 0 : 1;
}
