#include "base/base64url.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(Base64Url, the_examples_of_rfc_4648) {
  const std::pair<std::string_view, std::string_view> kExamples[] = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff", "-_8"}};
  for (const auto& [bytes, text] : kExamples) {
    EXPECT_EQ(to_base64url(bytes), text);
    EXPECT_EQ(from_base64url(text), bytes);
  }
}

TEST(Base64Url, what_is_no_letter_of_it_is_refused) {
  for (const std::string_view text : {"Zg==", "Zm9v ", "Zm+v", "Zm/v"})
    EXPECT_FALSE(from_base64url(text)) << text;
}

TEST(Base64Url, every_byte_comes_back) {
  std::string bytes;
  for (int size = 0; size < 300; ++size) {
    EXPECT_EQ(from_base64url(to_base64url(bytes)), bytes);
    bytes += static_cast<char>(size);
  }
}

}  // namespace
}  // namespace alfred
