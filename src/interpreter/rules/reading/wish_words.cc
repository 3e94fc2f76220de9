#include "interpreter/rules/reading/wish_words.h"

#include "interpreter/rules/reading/wishes.h"

namespace alfred::rules {

std::vector<std::string_view> words_of_wishes() {
  std::vector<std::string_view> out;
  out.insert(out.end(), kMakingWords.begin(), kMakingWords.end());
  out.insert(out.end(), kWantingWords.begin(), kWantingWords.end());
  out.insert(out.end(), kNotWords.begin(), kNotWords.end());
  out.insert(out.end(), kIdleInWishes.begin(), kIdleInWishes.end());
  return out;
}

}  // namespace alfred::rules
