#include "surface/mcp/visible/visible_json.h"

#include <gtest/gtest.h>

namespace alfred::mcp {
namespace {

// As a reader of the JSON gets it.
std::string shown(std::string_view text) {
  const std::string json = visible_json(write_json(Json(text)));
  return std::string(parse_json(json, JsonLimits::none())->as_string());
}

TEST(VisibleJson, R1_what_is_not_seen_is_shown_as_its_code_point) {
  EXPECT_EQ(shown("a\u202Eb"), "a\\u{202e}b");
  EXPECT_EQ(shown("\U000E0041\u200B\uFEFF"), "\\u{e0041}\\u{200b}\\u{feff}");
  EXPECT_EQ(shown("\x1b[2J\x7f\r\u0085"), "\\u{1b}[2J\\u{7f}\\u{d}\\u{85}");
  EXPECT_EQ(visible_json(R"({"a\u0007":["x\n\t\"\\",1]})"), R"({"a\\u{7}":["x\n\t\"\\",1]})");
}

TEST(VisibleJson, R1_what_is_seen_stays) {
  for (const char* text : {"", "plain", "Zoë 漢字 🙂", "two\nlines\tof \"it\" \\ C:\\users",
                           "👩\u200D👩\u200D👧", "می\u200Cخواهم"})
    EXPECT_EQ(shown(text), text);
  EXPECT_EQ(shown("a\u200Db"), "a\\u{200d}b");
}

TEST(VisibleJson, R2_no_two_texts_are_shown_alike) {
  EXPECT_EQ(shown("\\u{202e}"), "\\u{5c}u{202e}");
  EXPECT_NE(shown("\\u{202e}"), shown("\u202E"));
}

TEST(VisibleJson, R3_what_comes_back_is_what_was_shown) {
  for (const char* text : {"a\u202Eb", "\\u{202e}", "\\\\u{5c}u{", "\\u{5c}u{202e}", "\x1b\r\n",
                           "\\u{\u200B}", "\\\u202E", "👩\u200D👧 \u200D", "plain \\u0041 \\n"}) {
    Json value = JsonObject{{"data", JsonArray{shown(text), JsonObject{{shown(text), 1}}}}};
    restore_shown(value);
    EXPECT_EQ(value.at("data").at(0), text);
    EXPECT_TRUE(value.at("data").at(1).as_object().contains(text));
  }
}

TEST(VisibleJson, R3_other_text_stays) {
  for (const char* text : {"\\u{41}", "\\u{202E}", "\\u{0202e}", "\\u{}", "\\u{", "\\u{202e",
                           "\\u{110000000}", "u{202e}", "\\x{202e}"}) {
    Json value(text);
    restore_shown(value);
    EXPECT_EQ(value, text);
  }
  EXPECT_FALSE(has_shown(JsonObject{{"a", JsonArray{"b", 1, nullptr}}}));
  EXPECT_TRUE(has_shown(JsonObject{{"a", JsonArray{"b", "\\u{202e}"}}}));
}

}  // namespace
}  // namespace alfred::mcp
