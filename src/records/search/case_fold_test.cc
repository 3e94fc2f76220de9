#include "records/search/case_fold.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(CaseFold, R1_letters_of_many_scripts_fold) {
  EXPECT_EQ(fold_case("Hello, WORLD 42"), "hello, world 42");
  EXPECT_EQ(fold_case("ÀÉÎÕÜÞ × ÿ Ÿ"), "àéîõüþ × ÿ ÿ");
  EXPECT_EQ(fold_case("ŁÓDŹ Ĳ"), "łódź ĳ");
  EXPECT_EQ(fold_case("ΑΣΣ ας"), "ασσ ασ");
  EXPECT_EQ(fold_case("ЩИ И БОРЩ Ѐ"), "щи и борщ ѐ");
  EXPECT_EQ(fold_case("ԱՖ"), "աֆ");
  EXPECT_EQ(fold_case("ＡＺ 𐐀"), "ａｚ 𐐨");
}

TEST(CaseFold, R1_what_has_no_single_fold_stays) {
  EXPECT_EQ(fold_case("ß İ 東京 ١"), "ß İ 東京 ١");
  EXPECT_EQ(fold_case("ẞ"), "ß");
}

TEST(CaseFold, R1_folding_twice_changes_nothing) {
  for (char32_t point = 0; point < 0x11000; ++point) {
    if (point >= 0xD800 && point < 0xE000) continue;
    std::string text;
    append_utf8(text, point);
    const std::string once = fold_case(text);
    EXPECT_EQ(fold_case(once), once) << static_cast<std::uint32_t>(point);
  }
}

TEST(CaseFold, R2_bytes_that_are_no_text_stay) { EXPECT_EQ(fold_case("A\xFF\xC3"), "a\xFF\xC3"); }

TEST(CaseFold, R3_marks_of_latin_letters_go) {
  EXPECT_EQ(fold_case_without_accents("Crème Brûlée, JALAPEÑO, Łódź"),
            "creme brulee, jalapeno, lodz");
  EXPECT_EQ(fold_case_without_accents("æ œ þ й"), "æ œ þ й");
}

}  // namespace
}  // namespace alfred
