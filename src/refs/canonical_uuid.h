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
  // The text's 36 bytes as a table of 48: the last sixteen overlap the ones before.
  const uint8x16x3_t table = {{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 20)}};
  const uint8x16_t high_places = {0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 44, 46};
  const uint8x16_t low_places = {1, 3, 5, 7, 10, 12, 15, 17, 20, 22, 25, 27, 29, 31, 45, 47};
  const uint8x16_t dash_places = {8, 13, 18, 23, 8, 13, 18, 23, 8, 13, 18, 23, 8, 13, 18, 23};
  uint8x16_t good = vceqq_u8(vqtbl3q_u8(table, dash_places), vdupq_n_u8('-'));
  const auto nibbles = [&](uint8x16_t digits) {
    const uint8x16_t from_0 = vsubq_u8(digits, vdupq_n_u8('0'));
    const uint8x16_t from_a = vsubq_u8(digits, vdupq_n_u8('a'));
    const uint8x16_t is_digit = vcltq_u8(from_0, vdupq_n_u8(10));
    good = vandq_u8(good, vorrq_u8(is_digit, vcltq_u8(from_a, vdupq_n_u8(6))));
    return vbslq_u8(is_digit, from_0, vaddq_u8(from_a, vdupq_n_u8(10)));
  };
  const uint8x16_t high = nibbles(vqtbl3q_u8(table, high_places));
  const uint8x16_t low = nibbles(vqtbl3q_u8(table, low_places));
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
  std::uint64_t difference = 0;
  for (const int at : {0, 8, 16, 24, 28}) {
    std::uint64_t x;
    std::uint64_t y;
    std::memcpy(&x, a + at, 8);
    std::memcpy(&y, b + at, 8);
    difference |= x ^ y;
  }
  return difference == 0;
}

}  // namespace alfred
