// Text for a model cannot be made of a key (D4; model_text.h).
// expect: deleted
#include "refs/hiding/model_text.h"

void show(alfred::ModelText& text, const alfred::RecordKey& key) {
#ifndef CONTROL
  text.add(key);
#endif
  text.add("a key, ").add_number(key.kind() == alfred::KeyKind::uuid ? 1 : 0);
}
