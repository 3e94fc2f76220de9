#include "surface/cli/terminal/markdown.h"

#include <gtest/gtest.h>

#include "surface/cli/terminal/display_width.h"

namespace alfred::cli {
namespace {

std::string plain(std::string_view text, std::size_t columns = 40) {
  return render_markdown(text, {columns, Colours::off});
}
std::string coloured(std::string_view text) { return render_markdown(text, {40, Colours::on}); }

std::size_t widest(const std::string& page) {
  std::size_t most = 0;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = page.find('\n', at);
    most = std::max(most, display_width(std::string_view(page).substr(at, end - at)));
    at = end + 1;
  }
  return most;
}

TEST(Markdown, R1_what_a_row_holds_is_not_obeyed) {
  EXPECT_EQ(plain("a \x1b[31mred\x1b[0m \u202eevil"), "a \\u{1b}[31mred\\u{1b}[0m \\u{202e}evil\n");
  EXPECT_EQ(coloured("\x01 **b**"), "\\u{1} \x1b[1mb\x1b[22m\n");
}

TEST(Markdown, R2_blocks_and_marks) {
  EXPECT_EQ(plain("Hello\n## Two\ntext"), "Hello\n\nTwo\ntext\n");
  EXPECT_EQ(plain("- one\n  - two\n3. three"), "• one\n  • two\n3. three\n");
  EXPECT_EQ(plain("> said"), "│ said\n");
  EXPECT_EQ(plain("```json\n{\"a\": 1}\n```\nafter"), "    {\"a\": 1}\nafter\n");
  EXPECT_EQ(plain("**bold** *it* `code` [docs](http://x)"), "bold it `code` docs (http://x)\n");
  EXPECT_EQ(plain("2 * 3 * 4, snake_case_name, \\*kept\\*, **open", 60),
            "2 * 3 * 4, snake_case_name, *kept*, **open\n");
  EXPECT_EQ(plain("---"), "────────────────────────────────────────\n");
  EXPECT_EQ(plain("a\n\n\n\nb\n\n"), "a\n\nb\n");
}

TEST(Markdown, R3_lines_wrap_under_their_own_text) {
  EXPECT_EQ(plain("- one two three four", 12), "• one two\n  three four\n");
  EXPECT_EQ(plain("> one two three four", 12), "│ one two\n│ three four\n");
  EXPECT_EQ(plain("abcdefghijklmnop", 8), "abcdefgh\nijklmnop\n");
  EXPECT_EQ(plain("日本語日本語", 8), "日本語日\n本語\n");
}

TEST(Markdown, R3_a_style_is_closed_at_the_end_of_a_line) {
  EXPECT_EQ(render_markdown("**one two**", {9, Colours::on}), "\x1b[1mone two\x1b[22m\n");
  EXPECT_EQ(render_markdown("**onetwo threefour**", {10, Colours::on}),
            "\x1b[1monetwo\x1b[22m\n\x1b[1mthreefour\x1b[22m\n");
}

TEST(Markdown, R4_tables_are_aligned_by_columns_of_the_terminal) {
  EXPECT_EQ(plain("| name | n |\n|---|--:|\n| cod | 2 |\n| 鱈 | 10 |"),
            "name │ n\n─────┼───\ncod  │ 2\n鱈   │ 10\n");
  EXPECT_EQ(plain("| a |\n|---|\n| x \\| y |"), "a\n─────\nx | y\n");
}

TEST(Markdown, R4_tables_fit_the_width_or_become_lists) {
  const std::string table =
      "| name | notes |\n|---|---|\n| Honey glazed cod | with ginger, garlic and soy sauce |\n";
  for (const std::size_t columns : {15U, 20U, 30U, 60U})
    EXPECT_LE(widest(plain(table, columns)), columns) << plain(table, columns);
  EXPECT_NE(plain(table, 30).find("│"), std::string::npos);
  EXPECT_EQ(plain("| one | two | three |\n|---|---|---|\n| longer1 | longer2 | longer3 |\n", 12),
            "one: longer1\ntwo: longer2\nthree: longer3\n");
}

TEST(Markdown, R5_colours_only_when_wanted) {
  EXPECT_EQ(plain("# **H** `c`").find('\x1b'), std::string::npos);
  EXPECT_EQ(coloured("# H"), "\x1b[1mH\x1b[22m\n");
  EXPECT_EQ(coloured("`c`"), "\x1b[36mc\x1b[39m\n");
}

TEST(Markdown, R2_nothing_is_nothing) {
  EXPECT_EQ(plain(""), "");
  EXPECT_EQ(plain("\n\n"), "");
}

}  // namespace
}  // namespace alfred::cli
