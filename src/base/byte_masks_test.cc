#include "base/byte_masks.h"

#include <array>
#include <random>
#include <string_view>

#include <gtest/gtest.h>

#include "base/test_size.h"

namespace alfred {
namespace {

using Block = std::array<char, 64>;

Block filled(char fill) {
  Block block;
  block.fill(fill);
  return block;
}

void expect_same(const Block& block) {
  const char* const at = block.data();
  ASSERT_EQ(byte_masks<true>(at).stops, plain_byte_masks<true>(at).stops);
  ASSERT_EQ(byte_masks<false>(at).stops, plain_byte_masks<false>(at).stops);
  ASSERT_EQ(byte_masks<true>(at).has_high, plain_byte_masks<true>(at).has_high);
  ASSERT_EQ(byte_masks<false>(at).has_high, plain_byte_masks<false>(at).has_high);
  ASSERT_EQ(high_bits(at), plain_high_bits(at));
  ASSERT_EQ(hex_bits(at), plain_hex_bits(at));
}

TEST(ByteMasks, every_byte_at_every_place_gives_the_plain_bits) {
  for (int value = 0; value < 256; ++value)
    for (std::size_t place = 0; place < 64; ++place)
      for (const char around : {'z', 'f', '_'}) {
        Block block = filled(around);
        block[place] = static_cast<char>(value);
        expect_same(block);
      }
}

TEST(ByteMasks, random_bytes_give_the_plain_bits) {
  std::mt19937_64 random(20260101);
  for (std::size_t i = 0; i < test_size({2'000, 20'000, 2'000'000}); ++i) {
    Block block = filled(' ');
    for (char& c : block) c = static_cast<char>(random());
    expect_same(block);
  }
}

TEST(ByteMasks, plain_bits_are_what_they_say) {
  Block block = filled(' ');
  const std::string_view text =
      "\"\\\x1f\x7f\x80\xff"
      "09/:afAFgG@`!#]^_[";
  text.copy(block.data(), text.size());
  EXPECT_EQ(plain_byte_masks<false>(block.data()).stops, 0b111U);
  EXPECT_EQ(plain_byte_masks<true>(block.data()).stops, 0b111U | 0b111U << 20);
  EXPECT_TRUE(plain_byte_masks<true>(block.data()).has_high);
  EXPECT_FALSE(plain_byte_masks<true>(filled('\x7f').data()).has_high);
  EXPECT_EQ(plain_high_bits(block.data()), 0b110000U);
  EXPECT_EQ(plain_hex_bits(block.data()), 0b00001111'0011'000000U);
}

TEST(ByteMasks, a_run_of_eight_is_seen_at_its_last_byte) {
  EXPECT_EQ(runs_of_eight(0x7fU), 0U);
  EXPECT_EQ(runs_of_eight(0xffU), 0x80U);
  EXPECT_EQ(runs_of_eight(std::uint64_t{0x3ff} << 54), std::uint64_t{7} << 61);
  EXPECT_EQ(runs_of_eight(0xff7fU), 0x8000U);
}

}  // namespace
}  // namespace alfred
