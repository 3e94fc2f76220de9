// WordNumbers: the distinct words of many texts, each with a number, so that who looks at the texts
// again and again compares numbers and keeps what it knows of a word in an array.
//
// R1 a word has one number as long as this lives; numbers count up from zero.
// R2 it holds a bounded number of words, none of them long; one that there is no room for has no number.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace alfred {

class WordNumbers {
 public:
  using Number = std::uint32_t;
  static constexpr std::size_t kMost = 32'768;
  static constexpr std::size_t kLongest = 256;  // bytes of a word

  explicit WordNumbers(std::size_t most = kMost) : most_(most) {}
  WordNumbers(const WordNumbers&) = delete;
  WordNumbers& operator=(const WordNumbers&) = delete;
  ~WordNumbers() = default;

  // Of a word as words_of() gives it, which gets a number when it has none. Nothing: R2.
  std::optional<Number> put(std::string_view word);
  std::optional<Number> find(std::string_view word) const;
  std::size_t size() const { return words_.size(); }
  const std::string& word(Number number) const { return *words_[number].word; }
  const std::string& singular(Number number) const { return words_[number].singular; }
  // Of the words, by their numbers.
  std::span<const unsigned char> first_bytes() const { return first_bytes_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct Word {
    const std::string* word;  // where numbers_ has it
    std::string singular;
  };
  std::size_t most_;
  std::unordered_map<std::string, Number, Hash, std::equal_to<>> numbers_;
  std::vector<Word> words_;
  std::vector<unsigned char> first_bytes_;
};

}  // namespace alfred
