#include "base/utf8.h"

#include <string>

#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "base/test_size.h"

namespace alfred {
namespace {

// The oracle knows no table: it decodes by the bit patterns and then refuses what has a shorter
// form or no meaning.
std::size_t naive_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >> 5U == 6    ? 2
                           : byte(0) >> 4U == 14 ? 3
                           : byte(0) >> 3U == 30 ? 4
                                                 : 0;
  if (size == 0 || text.size() < size) return 0;
  unsigned value = byte(0) & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (byte(i) >> 6U != 2) return 0;
    value = value * 64 + byte(i) % 64;
  }
  const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value / 0x800 == 0xD800 / 0x800;
  return value >= least[size] && value <= 0x10FFFF && !is_surrogate ? size : 0;
}

std::optional<std::size_t> naive_first_invalid(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = naive_size(text.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return std::nullopt;
}

std::string encode(char32_t value) {
  const auto byte = [](char32_t bits) {
    return static_cast<char>(static_cast<unsigned char>(bits));
  };
  if (value < 0x80) return {byte(value)};
  if (value < 0x800) return {byte(0xC0 | value >> 6), byte(0x80 | (value & 0x3F))};
  if (value < 0x10000)
    return {byte(0xE0 | value >> 12), byte(0x80 | (value >> 6 & 0x3F)),
            byte(0x80 | (value & 0x3F))};
  return {byte(0xF0 | value >> 18), byte(0x80 | (value >> 12 & 0x3F)),
          byte(0x80 | (value >> 6 & 0x3F)), byte(0x80 | (value & 0x3F))};
}

// Counts disagreements instead of asserting each of millions.
struct Comparison {
  std::size_t different = 0;
  std::string example;
  void look_at(std::string_view text) {
    if (first_invalid_utf8(text) == naive_first_invalid(text)) return;
    ++different;
    if (example.empty()) example = testing::PrintToString(text);
  }
};

// Both sides of every boundary that the well-formedness rules draw between bytes.
const std::vector<unsigned char>& boundary_bytes() {
  static const std::vector<unsigned char> kBytes{0x00, 0x20, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F,
                                                 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
                                                 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4,
                                                 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFE, 0xFF};
  return kBytes;
}

TEST(Utf8, R1_every_one_and_two_byte_sequence_is_judged_like_the_naive_decoder) {
  Comparison comparison;
  for (unsigned a = 0; a < 256; ++a) {
    comparison.look_at(std::string{static_cast<char>(a)});
    for (unsigned b = 0; b < 256; ++b)
      comparison.look_at(std::string{static_cast<char>(a), static_cast<char>(b)});
  }
  EXPECT_EQ(comparison.different, 0U) << comparison.example;
}

TEST(Utf8, R1_three_byte_sequences_are_judged_like_the_naive_decoder) {
  Comparison comparison;
  const unsigned step = static_cast<unsigned>(test_size({17, 5, 1}));
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = a % step; b < 256; b += step)
      for (unsigned c = 0; c < 256; c += step) {
        const char text[] = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)};
        comparison.look_at({text, sizeof text});
      }
  EXPECT_EQ(comparison.different, 0U) << comparison.example;
}

TEST(Utf8, R1_boundary_sequences_of_up_to_four_bytes_are_judged_like_the_naive_decoder) {
  Comparison comparison;
  for (const unsigned char a : boundary_bytes())
    for (const unsigned char b : boundary_bytes())
      for (const unsigned char c : boundary_bytes()) {
        comparison.look_at(
            std::string{static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)});
        if (a < 0xE0 && test_size({0, 0, 1}) == 0) continue;
        for (const unsigned char d : boundary_bytes())
          comparison.look_at(std::string{static_cast<char>(a), static_cast<char>(b),
                                         static_cast<char>(c), static_cast<char>(d)});
      }
  EXPECT_EQ(comparison.different, 0U) << comparison.example;
}

TEST(Utf8, R1_A9_surrogates_overlong_forms_and_too_large_values_are_invalid) {
  for (const char* bad : {"\xED\xA0\x80", "\xED\xBF\xBF", "\xC0\xAF", "\xE0\x80\xAF",
                          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80"})
    EXPECT_EQ(first_invalid_utf8(bad), 0U) << testing::PrintToString(bad);
  for (const char* good : {"\xED\x9F\xBF", "\xEE\x80\x80", "\xC2\x80", "\xE0\xA0\x80",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", ""})
    EXPECT_TRUE(is_utf8(good)) << testing::PrintToString(good);
}

TEST(Utf8, R1_every_code_point_is_decoded) {
  const char32_t step = static_cast<char32_t>(test_size({251, 7, 1}));
  for (char32_t value = 0; value <= 0x10FFFF; value += step) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    const std::string text = encode(value);
    const std::optional<CodePoint> point = next_code_point(text, 0);
    ASSERT_TRUE(point) << static_cast<unsigned>(value);
    ASSERT_EQ(point->value, value);
    ASSERT_EQ(point->size, text.size());
  }
  EXPECT_FALSE(next_code_point("a", 1));
  EXPECT_FALSE(next_code_point("", 0));
}

TEST(Utf8, R2_the_first_bad_byte_is_found_at_every_distance_from_the_fast_path) {
  for (std::size_t before = 0; before <= 40; ++before)
    for (std::size_t after = 0; after <= 40; ++after) {
      const std::string text = std::string(before, 'a') + "\xFF" + std::string(after, 'b');
      ASSERT_EQ(first_invalid_utf8(text), before);
      const std::string good = std::string(before, 'a') + "\xC3\xA9" + std::string(after, 'b');
      ASSERT_TRUE(is_utf8(good));
      ASSERT_EQ(first_invalid_utf8(good.substr(0, before + 1)), before);
    }
}

TEST(Utf8, R2_random_texts_are_judged_like_the_naive_decoder) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(testing::Message() << "ALFRED_TEST_SEED=" << seed);
  SeededRandom seeded(seed);
  const auto random = [&] { return seeded.next_u64(); };
  Comparison comparison;
  for (std::size_t i = 0; i < test_size({2'000, 20'000, 200'000}); ++i) {
    std::string text;
    for (auto pieces = random() % 12; pieces > 0; --pieces) {
      const auto value = static_cast<char32_t>(random() % 0x110000);
      if (value < 0xD800 || value > 0xDFFF) text += encode(value);
      text.append(random() % 20, 'a');
    }
    if (!text.empty() && random() % 2 == 0)
      text[random() % text.size()] = static_cast<char>(random() % 256);
    comparison.look_at(text);
  }
  EXPECT_EQ(comparison.different, 0U) << comparison.example;
}

TEST(Utf8, R3_a_cut_never_splits_a_code_point) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8D\xB2z";  // 1 + 2 + 3 + 4 + 1 bytes
  const std::size_t kept[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (std::size_t max_bytes = 0; max_bytes < std::size(kept); ++max_bytes)
    EXPECT_EQ(cut_utf8(text, max_bytes), text.substr(0, kept[max_bytes])) << max_bytes;
}

}  // namespace
}  // namespace alfred
