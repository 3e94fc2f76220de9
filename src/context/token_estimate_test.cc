#include "context/token_estimate.h"

#include <gtest/gtest.h>

#include <string>

namespace alfred {
namespace {

TEST(TokenEstimate, R1_the_same_text_has_the_same_number) {
  EXPECT_EQ(estimate_tokens(""), 0u);
  EXPECT_EQ(estimate_tokens("Reading and writing"), estimate_tokens("Reading and writing"));
}

// tests/tokens compares with o200k; these are its own numbers for short texts.
TEST(TokenEstimate, R2_words_numbers_and_marks_count_about_as_a_tokenizer_counts_them) {
  EXPECT_NEAR(static_cast<double>(estimate_tokens("You carry out one step of a plan")), 8, 1);
  EXPECT_EQ(estimate_tokens("812345670"), 3u);
  EXPECT_GE(estimate_tokens("田舎からの手紙"), 4u);
}

TEST(TokenEstimate, R3_no_text_has_more_tokens_than_bytes) {
  const std::string some = "a1 b2-(c\n\t9,.;  Z\xc3\xa9";
  for (std::size_t from = 0; from < some.size(); ++from)
    for (std::size_t size = 0; from + size <= some.size(); ++size)
      EXPECT_LE(estimate_tokens(some.substr(from, size)), size) << some.substr(from, size);
  EXPECT_EQ(estimate_tokens("a1a1a1"), 6u);
}

TEST(TokenEstimate, R1_more_text_is_never_shorter) {
  std::string text;
  std::size_t last = 0;
  for (const char* part : {"word ", "12", "3", "\n\n", "- `x`", "ärger", "…", " ", "{\"a\":1}"}) {
    text += part;
    EXPECT_GE(estimate_tokens(text), last) << text;
    last = estimate_tokens(text);
  }
}

}  // namespace
}  // namespace alfred
