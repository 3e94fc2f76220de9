// Text becomes a ref through the parser only.
// expect: no viable conversion|conversion from
#include "alfred/refs.h"

int main() {
#ifndef CONTROL
  const alfred::Ref ref = "book_1";
  static_cast<void>(ref);
#endif
  const alfred::Result<alfred::Ref> parsed = alfred::Ref::parse("book_1");
  return parsed.has_value() ? 0 : 1;
}
