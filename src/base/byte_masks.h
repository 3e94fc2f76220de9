// Looks at 64 bytes at once and says, one bit a byte, which of them matter: quotes, what may not
// stand in a plain string, bytes beyond ASCII, and hex digits. NEON on arm64, SSE2 on x86-64, plain
// C++ anywhere; a test holds that all give the same bits.
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
  std::uint64_t quotes = 0;  // "
  std::uint64_t others = 0;  // \ and control characters; with secrets, also the _ of `t_`
  std::uint64_t high = 0;    // bytes from 0x80 on
  std::uint64_t hex = 0;     // 0-9 a-f A-F; only with secrets
};

// The same bits, byte by byte: what the others are tested against. With secrets, at[-1] is read.
template <bool kWithSecrets>
inline ByteMasks plain_byte_masks(const char* at) {
  ByteMasks masks;
  for (int i = 0; i < 64; ++i) {
    const auto c = static_cast<unsigned char>(at[i]);
    const auto lower = static_cast<unsigned char>(c | 0x20);
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (c == '"') masks.quotes |= bit;
    if (c == '\\' || c < 0x20) masks.others |= bit;
    if (c >= 0x80) masks.high |= bit;
    if constexpr (kWithSecrets) {
      if (c == '_' && at[i - 1] == 't') masks.others |= bit;
      if ((c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f')) masks.hex |= bit;
    }
  }
  return masks;
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
inline Four where(const Four& x, Test test) {
  return {{test(x.v[0]), test(x.v[1]), test(x.v[2]), test(x.v[3])}};
}
template <class Test>
inline Four where(const Four& x, const Four& y, Test test) {
  return {{test(x.v[0], y.v[0]), test(x.v[1], y.v[1]), test(x.v[2], y.v[2]), test(x.v[3], y.v[3])}};
}
// A bit a byte, in sixteen bytes of which the neighbours are still to be added up.
inline uint8x16_t half_packed(const Four& x) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  return vpaddq_u8(vpaddq_u8(vandq_u8(x.v[0], weights), vandq_u8(x.v[1], weights)),
                   vpaddq_u8(vandq_u8(x.v[2], weights), vandq_u8(x.v[3], weights)));
}
inline std::uint64_t bits(const Four& x) {
  const uint8x16_t half = half_packed(x);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(half, half)), 0);
}
}  // namespace neon

template <bool kWithSecrets>
[[gnu::always_inline]] inline ByteMasks byte_masks(const char* at) {
  using neon::Four;
  const Four x = neon::load(at);
  ByteMasks masks;
  const Four quotes = neon::where(x, [](uint8x16_t v) { return vceqq_u8(v, vdupq_n_u8('"')); });
  const auto unusual = [](uint8x16_t v) {
    return vorrq_u8(vceqq_u8(v, vdupq_n_u8('\\')), vcltq_u8(v, vdupq_n_u8(0x20)));
  };
  Four others;
  if constexpr (!kWithSecrets) {
    others = neon::where(x, unusual);
  } else {
    others = neon::where(x, neon::load(at - 1), [&](uint8x16_t v, uint8x16_t before) {
      const uint8x16_t t_ =
          vandq_u8(vceqq_u8(v, vdupq_n_u8('_')), vceqq_u8(before, vdupq_n_u8('t')));
      return vorrq_u8(unusual(v), t_);
    });
    masks.hex = neon::bits(neon::where(x, [](uint8x16_t v) {
      const uint8x16_t letter = vsubq_u8(vorrq_u8(v, vdupq_n_u8(0x20)), vdupq_n_u8('a'));
      const uint8x16_t digit = vsubq_u8(v, vdupq_n_u8('0'));
      return vorrq_u8(vcltq_u8(letter, vdupq_n_u8(6)), vcltq_u8(digit, vdupq_n_u8(10)));
    }));
  }
  const uint64x2_t both =
      vreinterpretq_u64_u8(vpaddq_u8(neon::half_packed(quotes), neon::half_packed(others)));
  masks.quotes = vgetq_lane_u64(both, 0);
  masks.others = vgetq_lane_u64(both, 1);
  const uint8x16_t all = vorrq_u8(vorrq_u8(x.v[0], x.v[1]), vorrq_u8(x.v[2], x.v[3]));
  if (vmaxvq_u8(all) >= 0x80)
    masks.high =
        neon::bits(neon::where(x, [](uint8x16_t v) { return vcgeq_u8(v, vdupq_n_u8(0x80)); }));
  return masks;
}

#elif defined(__SSE2__) && !defined(ALFRED_PLAIN_BYTE_MASKS)

namespace sse2 {
inline __m128i load(const char* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}
inline __m128i same(__m128i x, char c) { return _mm_cmpeq_epi8(x, _mm_set1_epi8(c)); }
inline __m128i below(__m128i x, char limit) {  // unsigned x < limit
  const __m128i last = _mm_set1_epi8(static_cast<char>(limit - 1));
  return _mm_cmpeq_epi8(_mm_min_epu8(x, last), x);
}
inline std::uint64_t bits(__m128i x) {
  return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(x)));
}
}  // namespace sse2

template <bool kWithSecrets>
[[gnu::always_inline]] inline ByteMasks byte_masks(const char* at) {
  using sse2::same;
  ByteMasks masks;
  for (int i = 0; i < 4; ++i) {
    const __m128i x = sse2::load(at + 16 * i);
    __m128i others = _mm_or_si128(same(x, '\\'), sse2::below(x, 0x20));
    if constexpr (kWithSecrets) {
      const __m128i before = sse2::load(at + 16 * i - 1);
      others = _mm_or_si128(others, _mm_and_si128(same(x, '_'), same(before, 't')));
      const __m128i letter = _mm_sub_epi8(_mm_or_si128(x, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
      const __m128i digit = _mm_sub_epi8(x, _mm_set1_epi8('0'));
      masks.hex |= sse2::bits(_mm_or_si128(sse2::below(letter, 6), sse2::below(digit, 10)))
                   << (16 * i);
    }
    masks.quotes |= sse2::bits(same(x, '"')) << (16 * i);
    masks.others |= sse2::bits(others) << (16 * i);
    masks.high |= sse2::bits(x) << (16 * i);
  }
  return masks;
}

#else

template <bool kWithSecrets>
[[gnu::always_inline]] inline ByteMasks byte_masks(const char* at) {
  return plain_byte_masks<kWithSecrets>(at);
}

#endif

}  // namespace alfred
