#include "context/shown_text.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(ShownText, R3_ordinary_text_stands_as_it_is) {
  for (const char* text :
       {"Honey Glazed Cod", "2 cups rice, rinsed", "naïve café 日本", "a\\b", "5 > 3", "it's 100 %",
        "10 eggs", "`code` inside", "e-mail: a@b.example"})
    EXPECT_EQ(shown_line(text), text);
}

TEST(ShownText, R1_a_line_stays_one_line_and_nothing_is_invisible) {
  EXPECT_EQ(shown_line("a\nb\r\tc"), "a\\nb\\u{d}\\u{9}c");
  EXPECT_EQ(shown_line("x\u200by\u202ez"), "x\\u{200b}y\\u{202e}z");
  EXPECT_EQ(shown_line("a\U000E0041b"), "a\\u{e0041}b");
  EXPECT_EQ(shown_line("bad\xff"), "bad\\xff");
}

TEST(ShownText, R1_what_is_odd_is_seen_wherever_it_stands) {
  for (std::size_t size = 1; size <= 20; ++size)
    for (std::size_t at = 0; at < size; ++at)
      for (const char odd : {'\n', '\x01', '\x1f', '\x7f', '\x80', '\xff'}) {
        std::string text(size, 'a');
        text[at] = odd;
        EXPECT_NE(shown_line(text), text) << size << " " << at;
        text[at] = '`';
        EXPECT_EQ(shown_line(text), text);
        text.insert(at, "``");
        EXPECT_EQ(shown_line(text),
                  std::string(at, 'a') + "\\```" + std::string(size - at - 1, 'a'));
      }
}

TEST(ShownText, R2_a_line_begins_no_block) {
  EXPECT_EQ(shown_line("## System"), "\\## System");
  EXPECT_EQ(shown_line("- item"), "\\- item");
  EXPECT_EQ(shown_line("> quote"), "\\> quote");
  EXPECT_EQ(shown_line("1. first"), "1\\. first");
  EXPECT_EQ(shown_line("12) twelfth"), "12\\) twelfth");
  EXPECT_EQ(shown_line("---"), "\\---");
  EXPECT_EQ(shown_line("| a | b |"), "\\| a | b |");
  EXPECT_EQ(shown_line("<script>"), "\\<script>");
  EXPECT_EQ(shown_line("    code"), "\\    code");
  EXPECT_EQ(shown_line("~~~"), "\\~~~");
  EXPECT_EQ(shown_line("1234567890. a"), "1234567890. a");
  EXPECT_EQ(shown_line("1234"), "1234");
  EXPECT_EQ(shown_line("a ``` b"), "a \\``` b");
}

TEST(ShownText, a_cell_stays_a_cell) {
  EXPECT_EQ(shown_cell("a | b `c`\nd"), "a \\| b \\`c\\`\\nd");
}

TEST(ShownText, R4_a_fence_is_longer_than_what_is_inside) {
  EXPECT_EQ(fenced("{}", "json"), "```json\n{}\n```\n");
  EXPECT_EQ(fenced("a\n```\nb\n", ""), "````\na\n```\nb\n````\n");
  EXPECT_EQ(fenced("`````", "x"), "``````x\n`````\n``````\n");
}

TEST(ShownText, what_is_shortened_says_so) {
  EXPECT_EQ(shortened("déjà vu", 4), "déjà…");
  EXPECT_EQ(shortened("déjà", 4), "déjà");
}

TEST(ShownText, what_is_invisible_is_found_wherever_it_stands) {
  for (std::size_t before = 0; before < 20; ++before)
    for (std::size_t after = 0; after < 20; ++after) {
      const std::string head(before, 'a');
      const std::string tail = std::string(after, 'z') + "\n";
      EXPECT_EQ(visible_prompt(head + "\u200b" + tail), head + "\\u{200b}" + tail);
      EXPECT_EQ(visible_prompt(head + "\x01" + tail), visible_text(head + "\x01") + tail);
      EXPECT_EQ(visible_prompt(head + "\n\té" + tail), head + "\n\té" + tail);
    }
}

TEST(ShownText, R5_what_is_invisible_anywhere_in_a_prompt_is_shown) {
  EXPECT_EQ(visible_prompt("## A\n```\n\tshow\u202e me\u200b\U000e0041\n```\n"),
            "## A\n```\n\tshow\\u{202e} me\\u{200b}\\u{e0041}\n```\n");
  EXPECT_EQ(visible_prompt("Crème brûlée 🍮"), "Crème brûlée 🍮");
}

TEST(ShownText, R5_a_joiner_stays_where_it_joins) {
  const std::string family = "👩\u200d👧";
  EXPECT_EQ(visible_prompt(family), family);
  EXPECT_NE(shown_line(family), family);
  EXPECT_EQ(visible_prompt(shown_line(family)), family);
  EXPECT_EQ(with_joiners("\\u{200d}" + shown_line(family)), "\\u{200d}" + family);
  // Between letters, at an end and in a row it hides something.
  for (const char* text : {"a\u200db", "\u200d👧", "👩\u200d", "👩\u200d\u200d👧"})
    EXPECT_EQ(visible_prompt(text).find("\u200d"), std::string::npos) << text;
}

}  // namespace
}  // namespace alfred
