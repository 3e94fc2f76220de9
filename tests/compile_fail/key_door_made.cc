// Only its friends make a KeyDoor (record_key.h, R2).
// expect: private
#define ALFRED_TESTING
#include "refs/keys/record_key.h"

namespace alfred {

// One of the friends.
struct KeyDoorForTests {
  static KeyDoor door() { return KeyDoor(); }
};

}  // namespace alfred

int main() {
#ifndef CONTROL
  const alfred::KeyDoor mine{};
  static_cast<void>(mine);
#endif
  const alfred::KeyDoor given = alfred::KeyDoorForTests::door();
  return alfred::KeyView::integer(7).bits(given).high == 7 ? 0 : 1;
}
