// A key that is not owned has no printer either (record_key.h, R1).
// expect: deleted operator .<<.|use of deleted
#include <sstream>

#include "refs/keys/record_key.h"

int main() {
  std::ostringstream out;
#ifndef CONTROL
  out << alfred::KeyView::text("secret");
#endif
  out << static_cast<int>(alfred::KeyView::text("secret").kind());
  return out.str().empty() ? 1 : 0;
}
