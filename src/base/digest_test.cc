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

}  // namespace
}  // namespace alfred
