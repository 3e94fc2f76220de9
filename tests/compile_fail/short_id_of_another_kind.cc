// Ids of two kinds do not convert into each other (ids.h, R2).
// expect: no viable conversion|conversion from
#include "alfred/ids.h"

using SessionId = alfred::ShortId<alfred::IdKind::session>;
using TurnId = alfred::ShortId<alfred::IdKind::turn>;

int main() {
#ifndef CONTROL
  const SessionId wrong = TurnId::random();
  static_cast<void>(wrong);
#endif
  const SessionId id = SessionId::random();
  return id.view().empty() ? 1 : 0;
}
