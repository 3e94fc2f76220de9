// A key has no printer (record_key.h, R1).
// expect: deleted operator .<<.|use of deleted
#include <sstream>

#include "refs/keys/record_key.h"

int main() {
  std::ostringstream out;
#ifndef CONTROL
  out << alfred::RecordKey::integer(7);
#endif
  out << static_cast<int>(alfred::RecordKey::integer(7).kind());
  return out.str().empty() ? 1 : 0;
}
