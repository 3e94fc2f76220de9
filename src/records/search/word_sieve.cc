#include "records/search/word_sieve.h"

#include <utility>

#include "pack/ref_names.h"

namespace alfred {

WordSieve::WordSieve(std::vector<const WordQuery*> queries) : queries_(std::move(queries)) {
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    if (queries_[i] == nullptr) continue;
    all_ |= bit(i);
    if (queries_[i]->is_literal()) always_ |= bit(i);
    first_bytes_ |= queries_[i]->first_bytes();
  }
}

WordSieve::Searches WordSieve::of_text(std::string_view text) {
  Searches found = always_;
  if (found == all_) return found;
  visit_words(text, word_, [&](std::string_view word) { found |= of_word(word); });
  return found;
}

WordSieve::Searches WordSieve::of_word(std::string_view word) {
  if (!first_bytes_[first_byte(word)]) return kNone;
  if (const auto known = words_.find(word); known != words_.end()) return known->second;
  const Searches found = look_up(word);
  if (words_.size() < kMostWords) words_.emplace(word, found);
  return found;
}

WordSieve::Searches WordSieve::look_up(std::string_view word) const {
  const std::string singular = singular_of(word);
  Searches found = kNone;
  for (std::size_t i = 0; i < queries_.size(); ++i)
    if (queries_[i] != nullptr && queries_[i]->may_find(word, singular)) found |= bit(i);
  return found;
}

}  // namespace alfred
