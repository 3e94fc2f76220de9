#include "surface/cli/terminal/terminal_stream.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/json/json.h"
#include "surface/cli/db/rows_table.h"
#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

TEST(TerminalStream, C15_what_is_not_seen_is_shown) {
  EXPECT_EQ(terminal_text("a\u202eb"), "a\\u{202e}b");
  EXPECT_EQ(terminal_text("\u200b\u200f\u202a\u2066\u2069\ufeff\u2028\u2029"),
            "\\u{200b}\\u{200f}\\u{202a}\\u{2066}\\u{2069}\\u{feff}\\u{2028}\\u{2029}");
  EXPECT_EQ(terminal_text("\x1b[31m\x7f\u0085\u009b"), "\\u{1b}[31m\\u{7f}\\u{85}\\u{9b}");
  EXPECT_EQ(terminal_text("a\xff\x62"), "a\\x{ff}b");
}

TEST(TerminalStream, all_else_stays) {
  for (const char* text : {"plain", "two\nlines", "é 日本 😀 …", "\\u{202e}", ""})
    EXPECT_EQ(terminal_text(text), text);
}

TEST(TerminalStream, C15_a_stream_shows_what_is_written_in_parts) {
  std::ostringstream to;
  {
    TerminalStream stream(to);
    stream << "caf\xc3" << '\xa9' << " \xe2\x80"
           << "\xae"
           << "!" << '\n'
           << 7;
    stream << std::flush;
    EXPECT_EQ(to.str(), "café \\u{202e}!\n7");
    stream << std::string(10'000, 'x') << "\n\u202e";
  }
  EXPECT_TRUE(to.str().ends_with("xxx\n\\u{202e}"));
}

TEST(TerminalStream, C15_tables_are_measured_as_they_are_shown) {
  const Json rows =
      parse_json("[{\"a\":\"x\u202ey\",\"b\":1},{\"a\":\"z\",\"b\":2}]", JsonLimits::none())
          .value();
  EXPECT_EQ(rows_table(rows.get_array(), {}),
            "a           b\n----------  -\nx\\u{202e}y  1\nz           2\n");
}

}  // namespace
}  // namespace alfred::cli
