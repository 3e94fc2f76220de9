// NumberedSieve: what texts whose words have numbers say to the searches of a call. As WordSieve,
// which is for texts that are read this once; here a word that was met before costs a look into an
// array.
//
// R1 no search gives the texts that were looked at more than Said says: the best of each of its terms is not above
//    `most`, and none of them was the query word for word where `is_whole` is not set.
// R2 of a plain query (WordQuery::is_plain) Said is what it gives.
// R3 a word is held against the searches once, however many texts have it.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "records/search/word_numbers.h"
#include "records/search/words.h"

namespace alfred {

class NumberedSieve {
 public:
  using Text = std::span<const WordNumbers::Number>;
  using Flags = std::vector<std::uint8_t>;  // one for each of the searches
  struct Said {
    Flags most{};
    Flags is_whole{};
    void start(std::size_t searches) {
      most.resize(searches);
      is_whole.resize(searches);
      std::fill(most.begin(), most.end(), std::uint8_t{0});
      std::fill(is_whole.begin(), is_whole.end(), std::uint8_t{0});
    }
  };

  // In the order of the searches. A null is none, and nothing is said to a literal one: no word
  // decides about it. What is given must stay where it is.
  NumberedSieve(std::span<const WordQuery* const> queries, const WordNumbers& numbers);

  const WordNumbers& numbers() const { return *numbers_; }
  // False: these words say nothing to any of the searches.
  bool may_say(Text words);
  // Raises `said` to what the text says to the searches that `asks` has set.
  void look_at(Text text, const Flags& asks, Said& said);

 private:
  using Number = WordNumbers::Number;
  struct Say {
    std::uint32_t search;
    std::uint8_t most;
  };
  using Says = std::vector<Say>;
  struct Query {
    const WordQuery* query = nullptr;
    bool is_plain = false;
    std::bitset<256> first_bytes{};  // of words that say something to it
    // Of the words of a plain one; fewer where one had none yet.
    std::vector<Number> numbers{};
  };
  void read_words();
  void add_says(Number number);
  bool is_whole(const Query& query, Text text) const;

  const WordNumbers* numbers_;
  std::vector<Query> queries_;
  std::bitset<256> first_bytes_;  // of words that say something to any search
  // By number: where in says_ it stands. Most say nothing and stand at the first place.
  std::vector<std::uint32_t> places_;
  std::vector<Says> says_;
};

}  // namespace alfred
