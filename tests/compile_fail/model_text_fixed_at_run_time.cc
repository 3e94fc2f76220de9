// Fixed words stand in our own source: what is known only at run time is not fixed (model_text.h).
// expect: (call to consteval function|not a constant expression|consteval)
#include "refs/hiding/model_text.h"

void show(alfred::ModelText& text, const char (&words)[8]) {
#ifndef CONTROL
  text.add(alfred::FixedText(words));
#endif
  text.add("fixed").add_number(sizeof words);
}
