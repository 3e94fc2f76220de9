#include "base/byte_masks.h"

#include <array>
#include <random>
#include <string_view>

#include <gtest/gtest.h>

#include "base/test_size.h"
#include "base/wide_masks.h"

namespace alfred {
namespace {

using Block = std::array<char, 64>;

Block filled(char fill) {
  Block block;
  block.fill(fill);
  return block;
}

template <class Masks, bool kWithBars>
void expect_same_quote(const char* at) {
  const BeforeQuote before = Masks::template before_quote<kWithBars>(at);
  const BeforeQuote plain = plain_bytes_before_quote<kWithBars>(at);
  ASSERT_EQ(before.count, plain.count);
  ASSERT_EQ(before.is_plain, plain.is_plain);
}

template <class Masks>
void expect_same_by(const char* at) {
  expect_same_quote<Masks, true>(at);
  expect_same_quote<Masks, false>(at);
  ASSERT_EQ(Masks::before_hex_group(at), plain_bytes_before_hex_group(at));
}

void expect_same(const Block& block) {
  for (const char* at : {block.data(), block.data() + 7, block.data() + kStretch}) {
    expect_same_by<NativeMasks>(at);
    if (has_wide_masks()) expect_same_by<WideMasks>(at);
  }
  ASSERT_EQ(bytes_before_stop<true>(block.data()), plain_bytes_before_stop<true>(block.data()));
  ASSERT_EQ(bytes_before_stop<false>(block.data()), plain_bytes_before_stop<false>(block.data()));
  ASSERT_EQ(hex_bits(block.data()), plain_hex_bits(block.data()));
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

TEST(ByteMasks, a_quote_is_told_from_what_stands_before_and_behind_it) {
  for (std::size_t quote = 0; quote < 64; ++quote)
    for (std::size_t other = 0; other < 64; ++other)
      for (const char stop : {'\\', '\n', '\xc3', '_', '"'}) {
        Block block = filled('z');
        block[other] = stop;
        block[quote] = '"';
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

TEST(ByteMasks, tests_can_have_a_processor_without_wide_masks) {
  const bool has = has_wide_masks();
  use_wide_masks_for_tests(false);
  EXPECT_FALSE(has_wide_masks());
  use_wide_masks_for_tests(true);
  EXPECT_EQ(has_wide_masks(), has);
}

TEST(ByteMasks, plain_bits_are_what_they_say) {
  Block block = filled(' ');
  const std::string_view text = "09/:afAFgG@`";
  text.copy(block.data(), text.size());
  EXPECT_EQ(plain_hex_bits(block.data()), 0b0000'1111'0011U);
}

TEST(ByteMasks, a_string_stops_at_quotes_escapes_control_characters_and_beyond_ascii) {
  for (const char c : {'"', '\\', '\0', '\x1f', '\x80', '\xff'})
    EXPECT_TRUE(is_stop<false>(c) && is_stop<true>(c)) << static_cast<int>(c);
  for (const char c : {']', '^', '_'}) EXPECT_TRUE(!is_stop<false>(c) && is_stop<true>(c)) << c;
  for (const char c : {' ', '!', '#', '[', '`', '/', '0', 'z', '\x7f'})
    EXPECT_FALSE(is_stop<false>(c) || is_stop<true>(c)) << c;
}

// So whoever finds no such group need not look for runs.
TEST(ByteMasks, a_run_of_eight_hex_digits_fills_a_group_of_four_wherever_it_begins) {
  for (std::size_t from = 0; from + 8 <= kStretch; ++from) {
    Block block = filled('z');
    for (std::size_t i = from; i < from + 8; ++i) block[i] = 'c';
    EXPECT_LE(bytes_before_hex_group(block.data()) + 4, from + 8);
    EXPECT_GE(bytes_before_hex_group(block.data()), from);
  }
  EXPECT_EQ(bytes_before_hex_group(filled('g').data()), kStretch);
}

TEST(ByteMasks, a_run_of_eight_is_seen_at_its_last_byte) {
  EXPECT_EQ(runs_of_eight(0x7fU), 0U);
  EXPECT_EQ(runs_of_eight(0xffU), 0x80U);
  EXPECT_EQ(runs_of_eight(std::uint64_t{0x3ff} << 54), std::uint64_t{7} << 61);
  EXPECT_EQ(runs_of_eight(0xff7fU), 0x8000U);
}

}  // namespace
}  // namespace alfred
