// Reads the canonical spelling of a uuid, lower-case hex and dashes, inline: the translator reads a
// few million of them a second. NEON on arm64, SSE2 on x86-64, eight bytes at a time anywhere else.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace alfred {

// Sixteen bytes of a uuid, as two big-endian halves.
struct UuidBits {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const UuidBits&, const UuidBits&) = default;
};

// The same, its halves each in a register. Two words that were just made wait in the processor's
// store buffer, and whoever then loads sixteen bytes at once stands still until they are through.
[[gnu::always_inline]] inline UuidBits in_registers(UuidBits bits) {
  asm("" : "+r"(bits.high), "+r"(bits.low));
  return bits;
}

// Without vector instructions; what the other is tested against, and what runs where there are
// none. Both read 36 bytes, and give false when they are no uuid.
bool plain_read_canonical_uuid(const char* text36, UuidBits& bits);
// read_inner_uuid(text48, bits): the same where more text follows: 48 bytes may be read.

#if defined(__ARM_NEON)

namespace neon {
// The value of each of thirty-two digits, in pairs, and whether all of them are digits and `good`.
[[gnu::always_inline]] inline bool read_digits(uint8x16_t firsts, uint8x16_t seconds,
                                               uint8x16_t good, UuidBits& bits) {
  const auto nibbles = [&good](uint8x16_t digits) __attribute__((always_inline)) {
    const uint8x16_t from_0 = vsubq_u8(digits, vdupq_n_u8('0'));
    const uint8x16_t from_a = vsubq_u8(digits, vdupq_n_u8('a'));
    const uint8x16_t is_digit = vcltq_u8(from_0, vdupq_n_u8(10));
    good = vandq_u8(good, vorrq_u8(is_digit, vcltq_u8(from_a, vdupq_n_u8(6))));
    return vbslq_u8(is_digit, from_0, vaddq_u8(from_a, vdupq_n_u8(10)));
  };
  const uint8x16_t high = nibbles(firsts);
  const uint8x16_t low = nibbles(seconds);
  const uint64x2_t halves = vreinterpretq_u64_u8(vrev64q_u8(vsliq_n_u8(low, high, 4)));
  bits = {vgetq_lane_u64(halves, 0), vgetq_lane_u64(halves, 1)};
  return vminvq_u8(good) == 0xff;
}
}  // namespace neon

[[gnu::always_inline]] inline bool read_canonical_uuid(const char* text36, UuidBits& bits) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text36);
  // Three tables that overlap: a place beyond a table's end leaves what was found before.
  const uint8x16_t a = vld1q_u8(bytes);
  const uint8x16_t b = vld1q_u8(bytes + 16);
  const uint8x16_t c = vld1q_u8(bytes + 20);
  constexpr std::uint8_t no = 0xff;
  const uint8x16_t high_a = {0, 2, 4, 6, 9, 11, 14, no, no, no, no, no, no, no, no, no};
  const uint8x16_t high_b = {no, no, no, no, no, no, no, 0, 3, 5, 8, 10, 12, 14, no, no};
  const uint8x16_t high_c = {no, no, no, no, no, no, no, no, no, no, no, no, no, no, 12, 14};
  const uint8x16_t low_a = {1, 3, 5, 7, 10, 12, 15, no, no, no, no, no, no, no, no, no};
  const uint8x16_t low_b = {no, no, no, no, no, no, no, 1, 4, 6, 9, 11, 13, 15, no, no};
  const uint8x16_t low_c = {no, no, no, no, no, no, no, no, no, no, no, no, no, no, 13, 15};
  const uint8x16_t dash_a = {8, 13, 8, 13, 8, 13, 8, 13, no, no, no, no, no, no, no, no};
  const uint8x16_t dash_b = {no, no, no, no, no, no, no, no, 2, 7, 2, 7, 2, 7, 2, 7};
  return neon::read_digits(vqtbx1q_u8(vqtbx1q_u8(vqtbl1q_u8(a, high_a), b, high_b), c, high_c),
                           vqtbx1q_u8(vqtbx1q_u8(vqtbl1q_u8(a, low_a), b, low_b), c, low_c),
                           vceqq_u8(vqtbx1q_u8(vqtbl1q_u8(a, dash_a), b, dash_b), vdupq_n_u8('-')),
                           bits);
}

[[gnu::always_inline]] inline bool read_inner_uuid(const char* text48, UuidBits& bits) {
  // One table of all bytes, and a lookup for the first digit of each pair, the second, the dashes.
  const uint8x16x3_t all = vld1q_u8_x3(reinterpret_cast<const std::uint8_t*>(text48));
  const uint8x16_t firsts = {0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};
  const uint8x16_t seconds = {1, 3, 5, 7, 10, 12, 15, 17, 20, 22, 25, 27, 29, 31, 33, 35};
  const uint8x16_t dashes = {8, 13, 18, 23, 8, 13, 18, 23, 8, 13, 18, 23, 8, 13, 18, 23};
  return neon::read_digits(vqtbl3q_u8(all, firsts), vqtbl3q_u8(all, seconds),
                           vceqq_u8(vqtbl3q_u8(all, dashes), vdupq_n_u8('-')), bits);
}

#elif defined(__SSE2__)

namespace sse2 {
inline __m128i load_four(const char* at) {
  int bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return _mm_cvtsi32_si128(bytes);
}
inline __m128i at_most(__m128i x, char limit) {  // unsigned
  return _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(limit)), x);
}
// The value of each digit; what is none leaves a zero in good.
[[gnu::always_inline]] inline __m128i nibbles(__m128i digits, __m128i& good) {
  const __m128i is_letter = at_most(_mm_sub_epi8(digits, _mm_set1_epi8('a')), 5);
  const __m128i is_digit = at_most(_mm_sub_epi8(digits, _mm_set1_epi8('0')), 9);
  good = _mm_and_si128(good, _mm_or_si128(is_letter, is_digit));
  const __m128i nine = _mm_and_si128(is_letter, _mm_set1_epi8(9));
  return _mm_add_epi8(_mm_and_si128(digits, _mm_set1_epi8(0x0f)), nine);
}
// Two values beside one another to one byte, in the low half of each pair.
inline __m128i bytes_of_pairs(__m128i nibbles) {
  const __m128i joined = _mm_or_si128(_mm_slli_epi16(nibbles, 4), _mm_srli_epi16(nibbles, 8));
  return _mm_and_si128(joined, _mm_set1_epi16(0xff));
}
}  // namespace sse2

[[gnu::always_inline]] inline bool read_canonical_uuid(const char* text36, UuidBits& bits) {
  const auto load = [text36](int from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text36 + from));
  };
  // All four dashes stand in the sixteen bytes from 8 on: at 0, 5, 10 and 15 of them.
  constexpr int kDashes = 0x8421;
  const int dashes = _mm_movemask_epi8(_mm_cmpeq_epi8(load(8), _mm_set1_epi8('-')));
  const __m128i first = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(text36));
  const __m128i second =
      _mm_unpacklo_epi32(sse2::load_four(text36 + 9), sse2::load_four(text36 + 14));
  // The last twelve digits, and before them those of the fourth group.
  const __m128i last = _mm_castps_si128(
      _mm_move_ss(_mm_castsi128_ps(load(20)), _mm_castsi128_ps(sse2::load_four(text36 + 19))));
  __m128i good = _mm_set1_epi8(-1);
  const __m128i high = sse2::bytes_of_pairs(sse2::nibbles(_mm_unpacklo_epi64(first, second), good));
  const __m128i low = sse2::bytes_of_pairs(sse2::nibbles(last, good));
  const __m128i all = _mm_packus_epi16(high, low);
  const auto half = [](__m128i x) {
    std::uint64_t bytes;
    _mm_storel_epi64(reinterpret_cast<__m128i*>(&bytes), x);
    return __builtin_bswap64(bytes);
  };
  bits = {half(all), half(_mm_unpackhi_epi64(all, all))};
  return (dashes & kDashes) == kDashes && _mm_movemask_epi8(good) == 0xffff;
}

#else

inline bool read_canonical_uuid(const char* text36, UuidBits& bits) {
  return plain_read_canonical_uuid(text36, bits);
}

#endif

#if !defined(__ARM_NEON)
[[gnu::always_inline]] inline bool read_inner_uuid(const char* text48, UuidBits& bits) {
  return read_canonical_uuid(text48, bits);
}
#endif

// Whether two texts of 36 bytes are the same.
[[gnu::always_inline]] inline bool is_same_uuid_text(const char* a, const char* b) {
  const auto difference = [a, b](int at) {
    std::uint64_t x;
    std::uint64_t y;
    std::memcpy(&x, a + at, 8);
    std::memcpy(&y, b + at, 8);
    return x ^ y;
  };
  if (difference(0) != 0) return false;  // mostly tells them apart
  return (difference(8) | difference(16) | difference(24) | difference(28)) == 0;
}

}  // namespace alfred
