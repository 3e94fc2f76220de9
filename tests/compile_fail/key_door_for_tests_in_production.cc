// The door of the tests opens nothing where the macro of the tests is not set (record_key.h, R2).
// expect: private
#ifdef CONTROL
#define ALFRED_TESTING
#endif
#include "refs/keys/record_key.h"

namespace alfred {

struct KeyDoorForTests {
  static KeyDoor door() { return KeyDoor(); }
};

}  // namespace alfred

int main() { return alfred::KeyView::integer(7).kind() == alfred::KeyKind::integer ? 0 : 1; }
