// A view of a text is no better than the text (model_text.h).
// expect: no matching (member )?function
#include <string_view>

#include "refs/hiding/model_text.h"

void show(alfred::ModelText& text, std::string_view words) {
#ifndef CONTROL
  text.add_cell(words);
  text.add(words);
#endif
  text.add("a text of ").add_number(words.size());
}
