#include "records/search/numbered_sieve.h"

#include <algorithm>
#include <utility>

namespace alfred {

NumberedSieve::NumberedSieve(std::span<const WordQuery* const> queries, const WordNumbers& numbers)
    : numbers_(&numbers), queries_(queries.size()), says_(1) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (queries[i] == nullptr || queries[i]->is_literal()) continue;
    Query& query = queries_[i];
    query.query = queries[i];
    query.first_bytes = query.query->first_bytes();
    first_bytes_ |= query.first_bytes;
    query.is_plain = query.query->is_plain();
    if (!query.is_plain) continue;
    for (const std::string& word : query.query->words())
      if (const std::optional<Number> number = numbers.find(word)) query.numbers.push_back(*number);
  }
  read_words();
}

// Those that got a number since.
void NumberedSieve::read_words() {
  const std::span<const unsigned char> first_bytes = numbers_->first_bytes();
  std::size_t at = places_.size();
  places_.resize(first_bytes.size(), 0);
  for (; at < first_bytes.size(); ++at)
    if (first_bytes_[first_bytes[at]]) add_says(static_cast<Number>(at));
}

void NumberedSieve::add_says(Number number) {
  Says says;
  const std::string& word = numbers_->word(number);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    if (!queries_[i].first_bytes[numbers_->first_bytes()[number]]) continue;
    const int most = queries_[i].query->most_for(word, numbers_->singular(number));
    if (most > 0) says.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint8_t>(most)});
  }
  if (says.empty()) return;
  places_[number] = static_cast<std::uint32_t>(says_.size());
  says_.push_back(std::move(says));
}

bool NumberedSieve::may_say(Text words) {
  if (places_.size() < numbers_->size()) read_words();
  std::uint32_t any = 0;
  for (const Number number : words) any |= places_[number];
  return any != 0;
}

void NumberedSieve::look_at(Text text, const Flags& asks, Said& said) {
  if (places_.size() < numbers_->size()) read_words();
  for (const Number number : text) {
    for (const Say& say : says_[places_[number]]) {
      if (asks[say.search] == 0) continue;
      said.most[say.search] = std::max(said.most[say.search], say.most);
      if (is_whole(queries_[say.search], text)) said.is_whole[say.search] = 1;
    }
  }
}

// A text that is the query has a word that says something to it.
bool NumberedSieve::is_whole(const Query& query, Text text) const {
  const std::span<const std::string> words = query.query->words();
  if (text.size() != words.size()) return false;
  if (!query.is_plain) return true;
  if (query.numbers.size() == words.size())
    return std::equal(text.begin(), text.end(), query.numbers.begin());
  return std::equal(
      text.begin(), text.end(), words.begin(),
      [&](Number number, const std::string& word) { return numbers_->word(number) == word; });
}

}  // namespace alfred
