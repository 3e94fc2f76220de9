#include "base/digest.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(Digest, equal_contents_have_equal_names_of_64_characters) {
  const std::string name = content_digest("abc");
  EXPECT_EQ(name.size(), 64U);
  EXPECT_EQ(name, content_digest("abc"));
  EXPECT_NE(name, content_digest("abd"));
  EXPECT_NE(content_digest(""), content_digest(std::string_view("\0", 1)));
}

TEST(Digest, pieces_have_the_name_of_what_they_are_together) {
  const std::string long_text(1000, 'x');
  const std::string_view pieces[] = {"ab", "", long_text, "c"};
  EXPECT_EQ(content_digest(pieces), content_digest("ab" + long_text + "c"));
  EXPECT_EQ(content_digest(std::span<const std::string_view>()), content_digest(""));
}

// What was kept is compared by a later program, so it may not change.
TEST(Digest, a_quick_one_has_32_characters_and_is_the_same_everywhere) {
  EXPECT_EQ(quick_digest(""), "5049d74780a3e07d4202ab47d4cef2f4");
  EXPECT_EQ(quick_digest("abc").size(), 32U);
  EXPECT_NE(quick_digest("abc"), quick_digest("abd"));
  EXPECT_NE(quick_digest(""), quick_digest(std::string_view("\0", 1)));
}

}  // namespace
}  // namespace alfred
