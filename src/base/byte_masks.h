// Looks at 64 bytes at once and says, one bit a byte, which of them matter: where reading a string
// stops, bytes beyond ASCII, hex digits. NEON on arm64, SSE2 on x86-64, plain C++ anywhere; a test
// holds that all give the same bits.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__ARM_NEON) && !defined(ALFRED_PLAIN_BYTE_MASKS)
#include <arm_neon.h>
#elif defined(__SSE2__) && !defined(ALFRED_PLAIN_BYTE_MASKS)
#include <emmintrin.h>
#endif

namespace alfred {

struct ByteMasks {
  std::uint64_t stops = 0;  // " \ and control characters; with bars, also ] ^ and _
  bool has_high = false;    // whether high_bits() has any
};

// The same bits, byte by byte: what the others are tested against.
template <class Test>
inline std::uint64_t plain_bits(const char* at, Test test) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 64; ++i)
    if (test(static_cast<unsigned char>(at[i]))) bits |= std::uint64_t{1} << i;
  return bits;
}
// Bytes from 0x80 on.
inline std::uint64_t plain_high_bits(const char* at) {
  return plain_bits(at, [](unsigned char c) { return c >= 0x80; });
}
// 0-9 a-f A-F.
inline std::uint64_t plain_hex_bits(const char* at) {
  return plain_bits(at, [](unsigned char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  });
}
template <bool kWithBars>
inline ByteMasks plain_byte_masks(const char* at) {
  return {plain_bits(at,
                     [](unsigned char c) {
                       return c == '"' || c < 0x20 || (kWithBars ? (c & 0xfc) : c) == '\\';
                     }),
          plain_high_bits(at) != 0};
}

#if defined(__ARM_NEON) && !defined(ALFRED_PLAIN_BYTE_MASKS)

namespace neon {
struct Four {
  uint8x16_t v[4];
};
inline Four load(const char* at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(at);
  return {{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
}
template <class Test>
[[gnu::always_inline]] inline std::uint64_t bits(const Four& x, Test test) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t half =
      vpaddq_u8(vpaddq_u8(vandq_u8(test(x.v[0]), weights), vandq_u8(test(x.v[1]), weights)),
                vpaddq_u8(vandq_u8(test(x.v[2]), weights), vandq_u8(test(x.v[3]), weights)));
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(half, half)), 0);
}
}  // namespace neon

template <bool kWithBars>
[[gnu::always_inline]] inline ByteMasks byte_masks(const char* at) {
  const neon::Four x = neon::load(at);
  ByteMasks masks;
  masks.stops = neon::bits(x, [](uint8x16_t v) {
    // Flipping 2 moves the quote to where the control characters end, and the space away.
    const uint8x16_t low = vcleq_u8(veorq_u8(v, vdupq_n_u8(0x02)), vdupq_n_u8(0x20));
    const uint8x16_t high = kWithBars ? vandq_u8(v, vdupq_n_u8(0xfc)) : v;
    return vorrq_u8(low, vceqq_u8(high, vdupq_n_u8('\\')));
  });
  const uint8x16_t all = vorrq_u8(vorrq_u8(x.v[0], x.v[1]), vorrq_u8(x.v[2], x.v[3]));
  masks.has_high = vmaxvq_u8(all) >= 0x80;
  return masks;
}

inline std::uint64_t high_bits(const char* at) {
  return neon::bits(neon::load(at), [](uint8x16_t v) { return vcgeq_u8(v, vdupq_n_u8(0x80)); });
}

[[gnu::always_inline]] inline std::uint64_t hex_bits(const char* at) {
  return neon::bits(neon::load(at), [](uint8x16_t v) {
    const uint8x16_t letter = vsubq_u8(vorrq_u8(v, vdupq_n_u8(0x20)), vdupq_n_u8('a'));
    const uint8x16_t digit = vsubq_u8(v, vdupq_n_u8('0'));
    return vorrq_u8(vcltq_u8(letter, vdupq_n_u8(6)), vcltq_u8(digit, vdupq_n_u8(10)));
  });
}

#elif defined(__SSE2__) && !defined(ALFRED_PLAIN_BYTE_MASKS)

namespace sse2 {
inline __m128i same(__m128i x, char c) { return _mm_cmpeq_epi8(x, _mm_set1_epi8(c)); }
inline __m128i below(__m128i x, char limit) {  // unsigned x < limit
  const __m128i last = _mm_set1_epi8(static_cast<char>(limit - 1));
  return _mm_cmpeq_epi8(_mm_min_epu8(x, last), x);
}
template <class Test>
[[gnu::always_inline]] inline std::uint64_t bits(const char* at, Test test) {
  std::uint64_t all = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
    const auto some = static_cast<unsigned>(_mm_movemask_epi8(test(x)));
    all |= static_cast<std::uint64_t>(some) << (16 * i);
  }
  return all;
}
}  // namespace sse2

inline std::uint64_t high_bits(const char* at) {
  return sse2::bits(at, [](__m128i x) { return x; });
}

template <bool kWithBars>
[[gnu::always_inline]] inline ByteMasks byte_masks(const char* at) {
  const std::uint64_t stops = sse2::bits(at, [](__m128i x) {
    const __m128i low = _mm_or_si128(sse2::same(x, '"'), sse2::below(x, 0x20));
    const __m128i bars = _mm_and_si128(x, _mm_set1_epi8(static_cast<char>(0xfc)));
    return _mm_or_si128(low, sse2::same(kWithBars ? bars : x, '\\'));
  });
  return {stops, high_bits(at) != 0};
}

[[gnu::always_inline]] inline std::uint64_t hex_bits(const char* at) {
  return sse2::bits(at, [](__m128i x) {
    const __m128i letter = _mm_sub_epi8(_mm_or_si128(x, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    const __m128i digit = _mm_sub_epi8(x, _mm_set1_epi8('0'));
    return _mm_or_si128(sse2::below(letter, 6), sse2::below(digit, 10));
  });
}

#else

template <bool kWithBars>
inline ByteMasks byte_masks(const char* at) {
  return plain_byte_masks<kWithBars>(at);
}
inline std::uint64_t high_bits(const char* at) { return plain_high_bits(at); }
inline std::uint64_t hex_bits(const char* at) { return plain_hex_bits(at); }

#endif

// The last bytes of eight in a row whose bits are set.
inline std::uint64_t runs_of_eight(std::uint64_t bits) {
  bits &= bits << 1;
  bits &= bits << 2;
  return bits & bits << 4;
}

}  // namespace alfred
