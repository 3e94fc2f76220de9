#include "interpreter/rules/words/tokens.h"

#include <gtest/gtest.h>

namespace alfred::rules {
namespace {

std::string plain(std::string_view message) {
  std::string out;
  for (const Token& token : read_tokens(message)) out += (out.empty() ? "" : "|") + token.text;
  return out;
}

TEST(Tokens, R1_numbers_units_and_times_are_words_of_their_own) {
  EXPECT_EQ(plain("2 x 400g tins"), "2|x|400|g|tins");
  EXPECT_EQ(plain("1.5 kg"), "1.5|kg");
  EXPECT_EQ(plain("at 18:30"), "at|18:30");
  EXPECT_EQ(read_tokens("18:30")[0].number, 18 * 60 + 30);
  EXPECT_EQ(read_tokens("1/2")[0].number, 0.5);
  EXPECT_EQ(read_tokens("1 \xC2\xBD cups")[0].number, 1.5);
}

TEST(Tokens, R1_what_stands_in_quotes_is_one_word_as_typed) {
  const Tokens tokens = read_tokens("mark \"Descale the Kettle\" as done");
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_EQ(tokens[1].kind, Token::Kind::quoted);
  EXPECT_EQ(tokens[1].text, "Descale the Kettle");
  EXPECT_EQ(plain("a \" alone"), "a|alone");
}

TEST(Tokens, R2_contractions_are_spelt_out) {
  EXPECT_EQ(plain("what's it"), "what|is|it");
  EXPECT_EQ(plain("what\xE2\x80\x99s it"), "what|is|it");
  EXPECT_EQ(plain("whats dont thx"), "what|is|do|not|thanks");
}

TEST(Tokens, R1_per_cent_are_a_word_and_the_x_between_numbers_is_one) {
  const Tokens juice = read_tokens("100% juice");
  EXPECT_EQ(juice.front().kind, Token::Kind::word);
  EXPECT_EQ(plain("100% juice"), "100%|juice");
  EXPECT_EQ(plain("2x500g"), "2|x|500|g");
  EXPECT_EQ(plain("2 \xC3\x97 500 g"), "2|x|500|g");
}

TEST(Tokens, what_was_typed_ends_with_the_bracket_that_closes_it) {
  const std::string message = "milk (2%) and (old) bread";
  const Tokens tokens = read_tokens(message);
  EXPECT_EQ(typed(message, std::span(tokens).first(2)), "milk (2%)");
  EXPECT_EQ(typed(message, std::span(tokens).subspan(3)), "(old) bread");
  EXPECT_EQ(typed(message, std::span(tokens).first(1)), "milk");
}

TEST(Tokens, R3_stops_are_kept_and_other_marks_dropped) {
  EXPECT_EQ(plain("a, b; c (d)"), "a|,|b|;|c|d");
  EXPECT_EQ(plain("???"), "");
}

TEST(Tokens, what_was_typed_comes_back_byte_for_byte) {
  const std::string message =
      "Save \xE2\x80\x9C"
      "Caf\xC3\xA9\xE2\x80\x9D, don\xE2\x80\x99t ask";
  const Tokens tokens = read_tokens(message);
  EXPECT_EQ(typed(message, tokens), message);
}

TEST(Tokens, words_that_are_near_differ_by_a_letter_or_two) {
  EXPECT_TRUE(is_near("brocolli", "broccoli"));
  EXPECT_TRUE(is_near("samlon", "salmon"));
  EXPECT_FALSE(is_near("cod", "cop"));
  EXPECT_FALSE(is_near("salmon", "lemons"));
}

}  // namespace
}  // namespace alfred::rules
