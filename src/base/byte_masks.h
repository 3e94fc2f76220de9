// Looks at 64 bytes at once and says, one bit a byte, which of them matter: the ends of JSON
// strings, bytes beyond ASCII, and places where a key may hide. NEON on arm64, SSE2 on x86-64,
// plain C++ anywhere; a test holds that all give the same bits.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__ARM_NEON) && !defined(ALFRED_PLAIN_BYTE_MASKS)
#include <arm_neon.h>
#elif defined(__SSE2__) && !defined(ALFRED_PLAIN_BYTE_MASKS)
#include <emmintrin.h>
#endif

namespace alfred {

// Each bit stands for the byte of its number.
struct ByteMasks {
  std::uint64_t stops = 0;       // " \ and control characters: what ends a plain run of a string
  std::uint64_t high = 0;        // bytes from 0x80 on
  std::uint64_t hex = 0;         // 0-9 a-f A-F
  std::uint64_t underscore = 0;  // _
  std::uint64_t letter_t = 0;    // t
};

// The same bits, byte by byte: what the others are tested against.
inline ByteMasks plain_byte_masks(const char* at) {
  ByteMasks masks;
  for (int i = 0; i < 64; ++i) {
    const auto c = static_cast<unsigned char>(at[i]);
    const auto lower = static_cast<unsigned char>(c | 0x20);
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (c == '"' || c == '\\' || c < 0x20) masks.stops |= bit;
    if (c >= 0x80) masks.high |= bit;
    if ((c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f')) masks.hex |= bit;
    if (c == '_') masks.underscore |= bit;
    if (c == 't') masks.letter_t |= bit;
  }
  return masks;
}

#if defined(__ARM_NEON) && !defined(ALFRED_PLAIN_BYTE_MASKS)

namespace neon {
inline std::uint64_t bits(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t low = vpaddq_u8(vandq_u8(a, weights), vandq_u8(b, weights));
  const uint8x16_t high = vpaddq_u8(vandq_u8(c, weights), vandq_u8(d, weights));
  const uint8x16_t both = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(both, both)), 0);
}
template <class Test>
inline std::uint64_t bits_where(const uint8x16_t (&v)[4], Test test) {
  return bits(test(v[0]), test(v[1]), test(v[2]), test(v[3]));
}
}  // namespace neon

template <bool kWithSecrets>
inline ByteMasks byte_masks(const char* at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(at);
  const uint8x16_t v[4] = {vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32),
                           vld1q_u8(bytes + 48)};
  ByteMasks masks;
  masks.stops = neon::bits_where(v, [](uint8x16_t x) {
    return vorrq_u8(vorrq_u8(vceqq_u8(x, vdupq_n_u8('"')), vceqq_u8(x, vdupq_n_u8('\\'))),
                    vcltq_u8(x, vdupq_n_u8(0x20)));
  });
  const uint8x16_t all = vorrq_u8(vorrq_u8(v[0], v[1]), vorrq_u8(v[2], v[3]));
  if (vmaxvq_u8(all) >= 0x80)
    masks.high = neon::bits_where(v, [](uint8x16_t x) { return vcgeq_u8(x, vdupq_n_u8(0x80)); });
  if constexpr (kWithSecrets) {
    masks.hex = neon::bits_where(v, [](uint8x16_t x) {
      const uint8x16_t letter = vsubq_u8(vorrq_u8(x, vdupq_n_u8(0x20)), vdupq_n_u8('a'));
      const uint8x16_t digit = vsubq_u8(x, vdupq_n_u8('0'));
      return vorrq_u8(vcltq_u8(letter, vdupq_n_u8(6)), vcltq_u8(digit, vdupq_n_u8(10)));
    });
    masks.underscore =
        neon::bits_where(v, [](uint8x16_t x) { return vceqq_u8(x, vdupq_n_u8('_')); });
    masks.letter_t = neon::bits_where(v, [](uint8x16_t x) { return vceqq_u8(x, vdupq_n_u8('t')); });
  }
  return masks;
}

#elif defined(__SSE2__) && !defined(ALFRED_PLAIN_BYTE_MASKS)

namespace sse2 {
inline __m128i below(__m128i x, char limit) {  // unsigned x < limit
  const __m128i last = _mm_set1_epi8(static_cast<char>(limit - 1));
  return _mm_cmpeq_epi8(_mm_min_epu8(x, last), x);
}
template <class Test>
inline std::uint64_t bits_where(const char* at, Test test) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
    bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(test(x))))
            << (16 * i);
  }
  return bits;
}
inline __m128i same(__m128i x, char c) { return _mm_cmpeq_epi8(x, _mm_set1_epi8(c)); }
}  // namespace sse2

template <bool kWithSecrets>
inline ByteMasks byte_masks(const char* at) {
  ByteMasks masks;
  masks.stops = sse2::bits_where(at, [](__m128i x) {
    return _mm_or_si128(_mm_or_si128(sse2::same(x, '"'), sse2::same(x, '\\')),
                        sse2::below(x, 0x20));
  });
  masks.high = sse2::bits_where(at, [](__m128i x) { return x; });
  if constexpr (kWithSecrets) {
    masks.hex = sse2::bits_where(at, [](__m128i x) {
      const __m128i letter = _mm_sub_epi8(_mm_or_si128(x, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
      const __m128i digit = _mm_sub_epi8(x, _mm_set1_epi8('0'));
      return _mm_or_si128(sse2::below(letter, 6), sse2::below(digit, 10));
    });
    masks.underscore = sse2::bits_where(at, [](__m128i x) { return sse2::same(x, '_'); });
    masks.letter_t = sse2::bits_where(at, [](__m128i x) { return sse2::same(x, 't'); });
  }
  return masks;
}

#else

template <bool kWithSecrets>
inline ByteMasks byte_masks(const char* at) {
  return plain_byte_masks(at);
}

#endif

}  // namespace alfred
