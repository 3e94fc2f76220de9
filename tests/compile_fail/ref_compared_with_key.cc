// A ref and a key are never compared.
// expect: invalid operands|no match for
#include "alfred/refs.h"
#include "refs/keys/record_key.h"

int main() {
#ifndef CONTROL
  return alfred::Ref::make("book", 7) == alfred::RecordKey::integer(7) ? 1 : 0;
#endif
  return alfred::Ref::make("book", 7) == alfred::Ref::make("book", 7) ? 0 : 1;
}
