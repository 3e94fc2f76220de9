// The ref grammar without allocation or error texts, for hot paths: is this text a ref, and which?
#pragma once

#include <cstdint>
#include <string_view>

namespace alfred {

struct RefParts {
  std::string_view type;
  std::uint32_t number = 0;
  bool is_generated = false;
};

// True when text is a ref by the rules of alfred/refs.h; then parts says which. A `ref_` in front
// is taken off.
bool split_ref(std::string_view text, RefParts& parts);

}  // namespace alfred
