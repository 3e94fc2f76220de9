// Nor are they compared with each other (ids.h, R2).
// expect: invalid operands|no match for
#include "alfred/ids.h"

using SessionId = alfred::ShortId<alfred::IdKind::session>;
using TurnId = alfred::ShortId<alfred::IdKind::turn>;

int main() {
#ifndef CONTROL
  return SessionId::random() == TurnId::random() ? 1 : 0;
#endif
  return SessionId::random() == SessionId::random() ? 1 : 0;
}
