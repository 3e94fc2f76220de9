// Patterns of `matches` and `glob`, on RE2: no pattern takes more than linear time.
//
// R1 matches: unanchored; a pattern that is empty or longer than 256 characters, and a value longer than 4,096,
//    never match.
// R2 glob: `*` is any run without '/', `**` any run, everything else itself; anchored at both ends.
#pragma once

#include <memory>
#include <string_view>

#include "alfred/error.h"

namespace alfred::inbox {

class Pattern {
 public:
  enum class Kind : std::uint8_t { expression, glob };
  static Result<std::shared_ptr<const Pattern>> compile(Kind kind, std::string_view text);
  virtual ~Pattern() = default;
  virtual bool is_in(std::string_view value) const = 0;
};

}  // namespace alfred::inbox
