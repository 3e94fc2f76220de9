// Fixed words cannot be made of a text, not even of one that never changes (model_text.h).
// expect: no (matching conversion|matching function|viable conversion)
#include <string>

#include "refs/hiding/model_text.h"

alfred::FixedText words() {
  const std::string text = "book_1";
#ifndef CONTROL
  return alfred::FixedText(text);
#else
  return "book_1";
#endif
}
