// Texts that are uuids, for keys that a database keeps as texts.
#pragma once

#include <cstddef>
#include <string_view>

namespace alfred {

// As we write them: with dashes, in lower case.
inline bool is_uuid_text(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool is_digit = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
    if (is_dash ? text[i] != '-' : !is_digit) return false;
  }
  return true;
}

}  // namespace alfred
