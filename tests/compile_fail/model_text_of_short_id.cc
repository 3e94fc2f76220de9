// Models see refs; durable ids are for people and agents (D19; model_text.h).
// expect: no matching (member )?function
#include "alfred/ids.h"
#include "refs/hiding/model_text.h"

void show(alfred::ModelText& text, const alfred::ShortId<alfred::IdKind::session>& id) {
#ifndef CONTROL
  text.add(id);
#endif
  text.add("an id of ").add_number(sizeof id);
}
