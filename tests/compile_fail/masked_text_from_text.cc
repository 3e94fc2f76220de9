// Only masking makes a MaskedText (literal_mask.h).
// expect: private
#include <string>

#include "refs/hiding/literal_mask.h"

int main() {
#ifndef CONTROL
  const alfred::MaskedText text(std::string("anything"));
  static_cast<void>(text);
#endif
  alfred::RefRegistry registry;
  return alfred::LiteralMask(registry).mask("anything").has_value() ? 0 : 1;
}
