// Nor does a key that is not owned (record_key.h, R1).
// expect: no viable conversion|conversion from
#include <string_view>

#include "refs/keys/record_key.h"

int main() {
#ifndef CONTROL
  const std::string_view text = alfred::KeyView::text("secret");
#endif
  const std::string_view text = "secret";
  return alfred::KeyView::text(text).kind() == alfred::KeyKind::text ? 0 : 1;
}
