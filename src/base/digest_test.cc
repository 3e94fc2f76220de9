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

}  // namespace
}  // namespace alfred
