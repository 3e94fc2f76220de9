#include "base/byte_masks.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "base/test_size.h"

namespace alfred {
namespace {

// A block with the byte before it.
struct Block {
  std::array<char, 65> bytes;
  explicit Block(char fill) { bytes.fill(fill); }
  const char* at() const { return bytes.data() + 1; }
};

template <bool kWithSecrets>
void expect_same_bits(const Block& block) {
  const ByteMasks plain = plain_byte_masks<kWithSecrets>(block.at());
  const ByteMasks native = byte_masks<kWithSecrets>(block.at());
  ASSERT_EQ(native.quotes, plain.quotes);
  ASSERT_EQ(native.others, plain.others);
  ASSERT_EQ(native.high, plain.high);
  ASSERT_EQ(native.hex, plain.hex);
}

void expect_same(const Block& block) {
  expect_same_bits<true>(block);
  expect_same_bits<false>(block);
}

TEST(ByteMasks, every_byte_at_every_place_gives_the_plain_bits) {
  for (int value = 0; value < 256; ++value)
    for (std::size_t place = 0; place < 64; ++place)
      for (const char around : {'z', 't', '_'}) {
        Block block(around);
        block.bytes[1 + place] = static_cast<char>(value);
        expect_same(block);
      }
}

TEST(ByteMasks, random_bytes_give_the_plain_bits) {
  std::mt19937_64 random(20260101);
  for (std::size_t i = 0; i < test_size({2'000, 20'000, 2'000'000}); ++i) {
    Block block(' ');
    for (char& c : block.bytes) c = static_cast<char>(random());
    expect_same(block);
  }
}

TEST(ByteMasks, plain_bits_are_what_they_say) {
  Block block(' ');
  const std::string_view text =
      "_\"\\\x1f\x7f\x80\xff"
      "09/:afAFgG@`_t_";
  text.copy(block.bytes.data(), text.size());
  const ByteMasks masks = plain_byte_masks<true>(block.at());
  EXPECT_EQ(masks.quotes, 0b1U);
  EXPECT_EQ(masks.others, 0b110U | std::uint64_t{1} << 20);
  EXPECT_EQ(masks.high, 0b110000U);
  EXPECT_EQ(masks.hex, 0b00001111'0011'000000U);
  EXPECT_EQ(plain_byte_masks<false>(block.at()).others, 0b110U);
  EXPECT_EQ(plain_byte_masks<false>(block.at()).hex, 0U);
}

}  // namespace
}  // namespace alfred
