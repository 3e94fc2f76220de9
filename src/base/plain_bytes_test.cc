#include "base/plain_bytes.h"

#include <gtest/gtest.h>

#include <string>

namespace alfred {
namespace {

TEST(PlainBytes, one_odd_byte_is_seen_wherever_it_stands) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string plain(size, 'x');
    EXPECT_TRUE(is_plain_ascii(plain)) << size;
    EXPECT_TRUE(has_no_zero_and_no('_', plain)) << size;
    for (std::size_t at = 0; at < size; ++at)
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = plain;
        text[at] = static_cast<char>(byte);
        EXPECT_EQ(is_plain_ascii(text), byte > 0 && byte < 128) << size << " " << at << " " << byte;
        EXPECT_EQ(has_no_zero_and_no('_', text), byte != 0 && byte != '_')
            << size << " " << at << " " << byte;
      }
  }
}

}  // namespace
}  // namespace alfred
