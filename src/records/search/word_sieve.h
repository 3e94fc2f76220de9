// WordSieve: which of a call's searches a text may say something to. Most rows match nothing, and
// this tells them from the others by words it remembers, without scoring them.
//
// R1 a search it leaves out finds nothing in the text: WordQuery::look_at() would give false and raise no term.
// R2 no search gives a text more than raise() says.
// R3 a word is held against the searches once, however many texts have it; it remembers a bounded number.
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
  Searches of_words(const TextWords& words);  // of a text
  // What each of the searches can give at most (WordQuery::total), raised to what a text with these
  // words may get.
  using Most = std::vector<std::uint8_t>;
  void start(Most& most) const;  // of a row without a text
  void raise(const TextWords& words, Most& most);

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr std::size_t kMostWords = 16'384;
  struct WordHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct Word {
    Searches searches = kNone;
    Most most{};  // for each of the searches; empty: nothing
  };
  // Its singular where that is known; null: not yet.
  const Word& word(std::string_view word, const std::string* singular);
  Searches of_word(std::string_view word, const std::string* singular);
  static unsigned char first_byte(std::string_view word) {
    return static_cast<unsigned char>(word.front());
  }
  Word look_up(std::string_view word, std::string_view singular) const;

  std::vector<const WordQuery*> queries_;
  Searches always_ = kNone;  // that no single word decides
  Searches all_ = kNone;
  std::bitset<256> first_bytes_;  // of words that say something to any search
  std::unordered_map<std::string, Word, WordHash, std::equal_to<>> words_;
  Word unkept_;       // the last one that there was no room for
  std::string word_;  // the one that is being read
};

}  // namespace alfred
