#include "records/search/word_sieve.h"

#include <algorithm>
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
  visit_words(text, word_, [&](std::string_view word) { found |= of_word(word, nullptr); });
  return found;
}

WordSieve::Searches WordSieve::of_words(const TextWords& text) {
  Searches found = always_;
  for (std::size_t at = 0; at < text.words.size(); ++at)
    found |= of_word(text.words[at], &text.singulars[at]);
  return found;
}

void WordSieve::start(Most& most) const {
  most.assign(queries_.size(), 0);
  for (std::size_t i = 0; i < queries_.size(); ++i)
    if (queries_[i] != nullptr && queries_[i]->is_literal())
      most[i] = WordQuery::kFull + WordQuery::kWhole;
}

void WordSieve::raise(const TextWords& text, Most& most) {
  for (std::size_t at = 0; at < text.words.size(); ++at) {
    if (!first_bytes_[first_byte(text.words[at])]) continue;
    const Most& found = word(text.words[at], &text.singulars[at]).most;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool may_be_whole = found[i] > 0 && text.words.size() == queries_[i]->word_count();
      const int of_it = found[i] + (may_be_whole ? WordQuery::kWhole : 0);
      most[i] = static_cast<std::uint8_t>(std::max<int>(most[i], of_it));
    }
  }
}

WordSieve::Searches WordSieve::of_word(std::string_view said, const std::string* singular) {
  return first_bytes_[first_byte(said)] ? word(said, singular).searches : kNone;
}

const WordSieve::Word& WordSieve::word(std::string_view said, const std::string* singular) {
  if (const auto known = words_.find(said); known != words_.end()) return known->second;
  Word found = look_up(said, singular == nullptr ? singular_of(said) : *singular);
  if (words_.size() < kMostWords) return words_.emplace(said, std::move(found)).first->second;
  unkept_ = std::move(found);
  return unkept_;
}

WordSieve::Word WordSieve::look_up(std::string_view word, std::string_view singular) const {
  Word found;
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    const int most = queries_[i] == nullptr ? 0 : queries_[i]->most_for(word, singular);
    if (most == 0) continue;
    found.searches |= bit(i);
    if (found.most.empty()) found.most.resize(queries_.size(), 0);
    found.most[i] = static_cast<std::uint8_t>(most);
  }
  return found;
}

}  // namespace alfred
