#include "surface/cli/terminal/terminal_text.h"

#include <gtest/gtest.h>

namespace alfred::cli {
namespace {

TEST(TerminalText, R1_escape_sequences_are_shown_and_not_obeyed) {
  EXPECT_EQ(terminal_text("a\x1b[2Jb"), "a\\u{1b}[2Jb");
  EXPECT_EQ(terminal_text("\x1b]0;owned\x07"), "\\u{1b}]0;owned\\u{7}");
  EXPECT_EQ(terminal_text("a\u009b31mb"), "a\\u{9b}31mb");
  EXPECT_EQ(terminal_text("a\rb"), "a\\u{d}b");
  EXPECT_EQ(terminal_text("a\r\nb\tc"), "a\nb    c");
  EXPECT_EQ(terminal_text(std::string_view("a\0b", 3)), "a\\u{0}b");
}

TEST(TerminalText, R2_what_nobody_sees_is_shown) {
  EXPECT_EQ(terminal_text("a\u202eb\u2066c\u200bd\ufeff"),
            "a\\u{202e}b\\u{2066}c\\u{200b}d\\u{feff}");
  EXPECT_EQ(terminal_text("x\U000e0041"), "x\\u{e0041}");
  EXPECT_EQ(terminal_text("a\u200db"), "a\\u{200d}b");
  EXPECT_EQ(terminal_text("👨‍👩‍👧 ❤️‍🔥"), "👨‍👩‍👧 ❤️‍🔥");
  EXPECT_EQ(terminal_text("žluť 日本 e\u0301"), "žluť 日本 e\u0301");
}

TEST(TerminalText, R3_bytes_that_are_no_text_are_shown) {
  EXPECT_EQ(terminal_text("a\xff\xc3"), "a\\x{ff}\\x{c3}");
  EXPECT_EQ(terminal_line("a\nb"), "a b");
}

}  // namespace
}  // namespace alfred::cli
