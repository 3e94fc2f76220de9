// Text for a model cannot be made of any text: it must be fixed or masked (model_text.h).
// expect: no matching (member )?function
#include <string>

#include "refs/hiding/model_text.h"

void show(alfred::ModelText& text, const std::string& words) {
#ifndef CONTROL
  text.add(words);
#endif
  text.add("a text of ").add_number(words.size());
}
