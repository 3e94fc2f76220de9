// A message as words: each with what was typed, its plain form and its place in the message.
//
// R1 words are split at spaces and punctuation; a number keeps its point ("1.5"), a time its colon ("18:30"), a
//    unit that is glued to a number is a word of its own ("400g"); what stands in quotes is one
//    word; a minus that is glued to a number is of it ("-3"); so many per cent are a word ("2%"),
//    and so is the x between two numbers or before one ("2x500g", "x12"); "2-3" is from 2 to 3,
//    "1,500" is fifteen hundred.
// R2 contractions are spelt out ("what's", "whats" → "what is"), each word at the place of the one that was
//    typed.
// R3 commas, colons, semicolons, full stops and lines are words of the kind `stop`; other punctuation is dropped, and
//    so is what would end a sentence between brackets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alfred::rules {

struct Token {
  enum class Kind : std::uint8_t { word, number, time, quoted, stop };
  Kind kind = Kind::word;
  std::string text{};     // in lower case; of `quoted` what stands between the quotes, as typed
  std::string stem{};     // the same in the singular
  double number = 0;      // of a number; of a time the minutes since midnight
  std::size_t begin = 0;  // in the message
  std::size_t end = 0;
  bool is_enclosed = false;  // between brackets

  bool is(std::string_view word) const { return kind != Kind::quoted && text == word; }
};

using Tokens = std::vector<Token>;

Tokens read_tokens(std::string_view message);
// What was typed from the first of them to the last, with the bracket that closes what was opened.
std::string typed(std::string_view message, std::span<const Token> tokens);
// One letter more, less, other, or two exchanged; twice that in words of eight or more.
bool is_near(std::string_view a, std::string_view b);
// One letter more, less, other, or two exchanged.
bool is_one_off(std::string_view a, std::string_view b);
// In the singular, lower case.
std::string stem_of(std::string_view word);
std::string lower(std::string_view text);
std::vector<std::string> words_in(std::string_view text);  // plain, in the singular
// The words that hyphens join: "stir-fry" → stir, fry.
std::vector<std::string> parts_of_words(const std::vector<std::string>& words);

}  // namespace alfred::rules
