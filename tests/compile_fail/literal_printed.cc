// What a lit_n stands for needs the door of keys (literal_table.h).
// expect: too few arguments|no matching
#include "refs/hiding/literal_table.h"

int main() {
  alfred::LiteralTable literals;
  const std::uint32_t number = literals.add("secret");
#ifndef CONTROL
  const std::string_view text = literals.text(number);
#endif
  return number == 1 ? 0 : 1;
}
