// Text becomes a short id through the parser only (ids.h, R2).
// expect: no viable conversion|conversion from
#include "alfred/ids.h"

using SessionId = alfred::ShortId<alfred::IdKind::session>;

int main() {
#ifndef CONTROL
  const SessionId wrong = "ses_7k2f9m3qw1bx";
  static_cast<void>(wrong);
#endif
  const alfred::Result<SessionId> parsed = SessionId::parse("ses_7k2f9m3qw1bx");
  return parsed.has_value() ? 0 : 1;
}
