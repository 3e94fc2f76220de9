// Reads the canonical spelling of a uuid, lower-case hex and dashes, inline: the translator reads a
// few million of them a second. NEON on arm64, eight bytes at a time anywhere else.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace alfred {

// Sixteen bytes of a uuid, as two big-endian halves.
struct UuidBits {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const UuidBits&, const UuidBits&) = default;
};

// Without vector instructions; what the other is tested against, and what runs where there are
// none. Both read 36 bytes, and give false when they are no uuid.
bool plain_read_canonical_uuid(const char* text36, UuidBits& bits);

#if defined(__ARM_NEON)

[[gnu::always_inline]] inline bool read_canonical_uuid(const char* text36, UuidBits& bits) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text36);
  // Three tables that overlap: a place beyond a table's end leaves what was found before. (One
  // table of 48 would say the same, but costs a round trip through memory with some compilers.)
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
  uint8x16_t good = vceqq_u8(vqtbx1q_u8(vqtbl1q_u8(a, dash_a), b, dash_b), vdupq_n_u8('-'));
  const auto nibbles = [&](uint8x16_t digits) {
    const uint8x16_t from_0 = vsubq_u8(digits, vdupq_n_u8('0'));
    const uint8x16_t from_a = vsubq_u8(digits, vdupq_n_u8('a'));
    const uint8x16_t is_digit = vcltq_u8(from_0, vdupq_n_u8(10));
    good = vandq_u8(good, vorrq_u8(is_digit, vcltq_u8(from_a, vdupq_n_u8(6))));
    return vbslq_u8(is_digit, from_0, vaddq_u8(from_a, vdupq_n_u8(10)));
  };
  const uint8x16_t high =
      nibbles(vqtbx1q_u8(vqtbx1q_u8(vqtbl1q_u8(a, high_a), b, high_b), c, high_c));
  const uint8x16_t low = nibbles(vqtbx1q_u8(vqtbx1q_u8(vqtbl1q_u8(a, low_a), b, low_b), c, low_c));
  const uint64x2_t halves = vreinterpretq_u64_u8(vrev64q_u8(vsliq_n_u8(low, high, 4)));
  bits = {vgetq_lane_u64(halves, 0), vgetq_lane_u64(halves, 1)};
  return vminvq_u8(good) == 0xff;
}

#else

inline bool read_canonical_uuid(const char* text36, UuidBits& bits) {
  return plain_read_canonical_uuid(text36, bits);
}

#endif

// Whether two texts of 36 bytes are the same.
inline bool is_same_uuid_text(const char* a, const char* b) {
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
