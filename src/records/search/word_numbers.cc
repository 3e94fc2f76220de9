#include "records/search/word_numbers.h"

#include "pack/ref_names.h"

namespace alfred {

std::optional<WordNumbers::Number> WordNumbers::put(std::string_view word) {
  if (const std::optional<Number> known = find(word)) return known;
  if (words_.size() >= most_ || word.size() > kLongest) return std::nullopt;
  const auto number = static_cast<Number>(words_.size());
  const auto [place, is_new] = numbers_.emplace(word, number);
  words_.push_back({&place->first, singular_of(word)});
  first_bytes_.push_back(static_cast<unsigned char>(word.front()));
  return number;
}

std::optional<WordNumbers::Number> WordNumbers::find(std::string_view word) const {
  const auto known = numbers_.find(word);
  return known == numbers_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace alfred
