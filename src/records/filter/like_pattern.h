// LikePattern: `%` any run of characters, `_` one character, `\` takes the next one literally.
//
// R1 characters are code points; `like` minds case, `ilike` folds both sides (case_fold.h).
// R2 at most 50 characters and 5 wildcards (C17); a `\` at the end is refused.
// R3 the whole text must fit, bytes that are no UTF-8 included: each of them is a character.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"

namespace alfred {

class LikePattern {
 public:
  static constexpr std::size_t kMaxCharacters = 50;
  static constexpr std::size_t kMaxWildcards = 5;

  static Result<LikePattern> make(std::string_view text, bool folds_case, const std::string& path);
  bool matches(std::string_view text) const;

 private:
  struct Step {
    enum class Kind : std::uint8_t { character, one, any };
    Kind kind = Kind::character;
    char32_t point = 0;
  };
  std::vector<Step> steps_;
  bool folds_case_ = false;
};

}  // namespace alfred
