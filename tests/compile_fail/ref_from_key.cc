// A key is no ref and gives none.
// expect: no viable conversion|conversion from
#include "alfred/refs.h"
#include "refs/keys/record_key.h"

int main() {
#ifndef CONTROL
  const alfred::Ref ref = alfred::RecordKey::integer(7);
  static_cast<void>(ref);
#endif
  const alfred::Ref made = alfred::Ref::make("book", 7);
  return made.number() == 7 ? 0 : 1;
}
