#include "surface/cli/terminal/display_width.h"

#include <gtest/gtest.h>

namespace alfred::cli {
namespace {

TEST(DisplayWidth, R1_letters_take_one_east_asia_two_marks_none) {
  EXPECT_EQ(display_width("cod"), 3U);
  EXPECT_EQ(display_width("žluťoučký"), 9U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("한국"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);  // é in two code points
  EXPECT_EQ(display_width("ﾊﾝ"), 2U);       // half width
  EXPECT_EQ(display_width("½ — …"), 5U);
}

TEST(DisplayWidth, R2_joined_emoji_and_flags_are_one_character) {
  EXPECT_EQ(display_width("🐟"), 2U);
  EXPECT_EQ(display_width("👨‍👩‍👧"), 2U);
  EXPECT_EQ(display_width("👍🏽"), 2U);
  EXPECT_EQ(display_width("🇯🇵🇫🇷"), 4U);
  EXPECT_EQ(display_width("❤️"), 2U);
  EXPECT_EQ(display_width("❤"), 1U);
  EXPECT_EQ(display_width("🇯"), 1U);
}

TEST(DisplayWidth, R3_a_cut_keeps_characters_whole) {
  EXPECT_EQ(cut_to_width("日本語", 5), "日本");
  EXPECT_EQ(cut_to_width("a👨‍👩‍👧b", 2), "a");
  EXPECT_EQ(cut_to_width("e\u0301e", 1), "e\u0301");
  EXPECT_EQ(padded("日", 4), "日  ");
  EXPECT_EQ(padded("abc", 2), "abc");
}

TEST(DisplayWidth, R1_bytes_that_are_no_text_end) {
  EXPECT_EQ(display_width("\xff\xfe"), 2U);
  EXPECT_EQ(display_width(""), 0U);
}

}  // namespace
}  // namespace alfred::cli
