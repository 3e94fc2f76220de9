// WordSieve: which of a call's searches a text may say something to. Most rows match nothing, and
// this tells them from the others by words it remembers, without scoring them.
//
// R1 a search it leaves out finds nothing in the text: WordQuery::look_at() would give false and raise no term.
// R2 a word is held against the searches once, however many texts have it; it remembers a bounded number.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "records/search/words.h"

namespace alfred {

class WordSieve {
 public:
  // A bit for each of the searches; the last one stands for all that have no bit of their own.
  using Searches = std::uint64_t;
  static constexpr Searches kNone = 0;
  static constexpr Searches bit(std::size_t search) {
    return Searches{1} << (search < kBits ? search : kBits - 1);
  }

  // In the order of the searches. A null is none: nothing is said to it.
  explicit WordSieve(std::vector<const WordQuery*> queries);

  Searches of_text(std::string_view text);

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr std::size_t kMostWords = 16'384;
  struct WordHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  Searches of_word(std::string_view word);
  static unsigned char first_byte(std::string_view word) {
    return static_cast<unsigned char>(word.front());
  }
  Searches look_up(std::string_view word) const;

  std::vector<const WordQuery*> queries_;
  Searches always_ = kNone;  // that no single word decides
  Searches all_ = kNone;
  std::bitset<256> first_bytes_;  // of words that say something to any search
  std::unordered_map<std::string, Searches, WordHash, std::equal_to<>> words_;
  std::string word_;  // the one that is being read
};

}  // namespace alfred
