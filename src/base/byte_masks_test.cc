#include "base/byte_masks.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "base/test_size.h"

namespace alfred {
namespace {

using Bytes = std::array<char, 64>;

void expect_same(const Bytes& bytes) {
  const ByteMasks plain = plain_byte_masks(bytes.data());
  const ByteMasks native = byte_masks<true>(bytes.data());
  ASSERT_EQ(native.stops, plain.stops);
  ASSERT_EQ(native.high, plain.high);
  ASSERT_EQ(native.hex, plain.hex);
  ASSERT_EQ(native.underscore, plain.underscore);
  ASSERT_EQ(native.letter_t, plain.letter_t);
  const ByteMasks fewer = byte_masks<false>(bytes.data());
  ASSERT_EQ(fewer.stops, plain.stops);
  ASSERT_EQ(fewer.high, plain.high);
}

TEST(ByteMasks, every_byte_at_every_place_gives_the_plain_bits) {
  for (int value = 0; value < 256; ++value)
    for (std::size_t place = 0; place < 64; ++place) {
      Bytes bytes;
      bytes.fill('z');
      bytes[place] = static_cast<char>(value);
      expect_same(bytes);
    }
}

TEST(ByteMasks, random_bytes_give_the_plain_bits) {
  std::mt19937_64 random(20260101);
  for (std::size_t i = 0; i < test_size({2'000, 20'000, 2'000'000}); ++i) {
    Bytes bytes;
    for (char& c : bytes) c = static_cast<char>(random());
    expect_same(bytes);
  }
}

TEST(ByteMasks, plain_bits_are_what_they_say) {
  Bytes bytes;
  bytes.fill(' ');
  const std::string_view text =
      "\"\\\x1f\x7f\x80\xff"
      "09/:afAFgG@`_t";
  text.copy(bytes.data(), text.size());
  const ByteMasks masks = plain_byte_masks(bytes.data());
  EXPECT_EQ(masks.stops, 0b111U);
  EXPECT_EQ(masks.high, 0b110000U);
  EXPECT_EQ(masks.hex, 0b00001111'0011'000000U);
  EXPECT_EQ(masks.underscore, std::uint64_t{1} << 18);
  EXPECT_EQ(masks.letter_t, std::uint64_t{1} << 19);
}

}  // namespace
}  // namespace alfred
