// Looks at many bytes at once and says which of them matter: where reading a string stops, and hex
// digits. NEON on arm64, SSE2 on x86-64, plain C++ anywhere; a test holds that all say the same.
// wide_masks.h has AVX2, for processors that have it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__ARM_NEON) && !defined(ALFRED_PLAIN_BYTE_MASKS)
#include <arm_neon.h>
#elif defined(__SSE2__) && !defined(ALFRED_PLAIN_BYTE_MASKS)
#include <emmintrin.h>
#endif

namespace alfred {

// The same bits, byte by byte: what the others are tested against.
template <std::size_t kCount, class Test>
inline std::uint64_t plain_bits(const char* at, Test test) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kCount; ++i)
    if (test(static_cast<unsigned char>(at[i]))) bits |= std::uint64_t{1} << i;
  return bits;
}
// 0-9 a-f A-F.
template <std::size_t kCount = 64>
inline std::uint64_t plain_hex_bits(const char* at) {
  return plain_bits<kCount>(at, [](unsigned char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  });
}
// Where reading a string stops: " \ control characters and bytes from 0x80 on; with bars also ] ^ _
template <bool kWithBars>
inline bool is_stop(char byte) {
  const auto c = static_cast<unsigned char>(byte);
  return c == '"' || c < 0x20 || c >= 0x80 || (kWithBars ? (c & 0xfc) : c) == '\\';
}
// How many of 32 bytes stand before the first stop.
inline constexpr std::size_t kStretch = 32;
template <bool kWithBars>
inline std::size_t plain_bytes_before_stop(const char* at) {
  std::size_t count = 0;
  while (count < kStretch && !is_stop<kWithBars>(at[count])) ++count;
  return count;
}

// How many of 32 bytes stand before the first quote, and whether no other stop is among them. Who
// reads on behind a string waits for its quote alone; what else may be there is known later.
struct BeforeQuote {
  std::size_t count;
  bool is_plain;
};
template <bool kWithBars>
inline BeforeQuote plain_bytes_before_quote(const char* at) {
  std::size_t count = 0;
  while (count < kStretch && at[count] != '"') ++count;
  return {count, plain_bytes_before_stop<kWithBars>(at) == count};
}

// How many of 32 bytes stand before the first four hex digits that fill a group of four.
inline std::size_t plain_bytes_before_hex_group(const char* at) {
  const auto bits = static_cast<std::uint32_t>(plain_hex_bits<kStretch>(at));
  std::size_t count = 0;
  while (count < kStretch && (bits >> count & 0xf) != 0xf) count += 4;
  return count;
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

namespace neon {
// Four bits a byte: one instruction less than one bit a byte takes.
[[gnu::always_inline]] inline std::uint64_t nibbles(uint8x16_t found) {
  const uint8x8_t four_each = vshrn_n_u16(vreinterpretq_u16_u8(found), 4);
  return vget_lane_u64(vreinterpret_u64_u8(four_each), 0);
}
[[gnu::always_inline]] inline std::size_t first_of_sixteen(uint8x16_t found) {
  return static_cast<std::size_t>(std::countr_zero(nibbles(found))) / 4;
}
}  // namespace neon

template <bool kWithBars>
[[gnu::always_inline]] inline std::size_t bytes_before_stop(const char* at) {
  const auto stops = [](uint8x16_t v) {
    // Flipping 2 moves the quote to where the control characters end, and the space away; bytes
    // from 0x80 on are negative.
    const int8x16_t flipped = vreinterpretq_s8_u8(veorq_u8(v, vdupq_n_u8(0x02)));
    const uint8x16_t bars = kWithBars ? vandq_u8(v, vdupq_n_u8(0xfc)) : v;
    return vorrq_u8(vcleq_s8(flipped, vdupq_n_s8(0x20)), vceqq_u8(bars, vdupq_n_u8('\\')));
  };
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(at);
  const std::size_t first = neon::first_of_sixteen(stops(vld1q_u8(bytes)));
  const std::size_t second = neon::first_of_sixteen(stops(vld1q_u8(bytes + 16)));
  return first == 16 ? 16 + second : first;
}

template <bool kWithBars>
[[gnu::always_inline]] inline BeforeQuote bytes_before_quote(const char* at) {
  const auto others = [](uint8x16_t v) {
    const uint8x16_t bars = kWithBars ? vandq_u8(v, vdupq_n_u8(0xfc)) : v;
    return neon::nibbles(vorrq_u8(vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(0x20)),
                                  vceqq_u8(bars, vdupq_n_u8('\\'))));
  };
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(at);
  const uint8x16_t first = vld1q_u8(bytes);
  std::uint64_t quotes = neon::nibbles(vceqq_u8(first, vdupq_n_u8('"')));
  if (quotes != 0) [[likely]]
    return {static_cast<std::size_t>(std::countr_zero(quotes)) / 4,
            (others(first) & (quotes ^ (quotes - 1))) == 0};
  const uint8x16_t second = vld1q_u8(bytes + 16);
  quotes = neon::nibbles(vceqq_u8(second, vdupq_n_u8('"')));
  return {16 + static_cast<std::size_t>(std::countr_zero(quotes)) / 4,
          (others(first) | (others(second) & (quotes ^ (quotes - 1)))) == 0};
}

namespace neon {
[[gnu::always_inline]] inline uint8x16_t is_hex(uint8x16_t v) {
  const uint8x16_t letter = vsubq_u8(vorrq_u8(v, vdupq_n_u8(0x20)), vdupq_n_u8('a'));
  const uint8x16_t digit = vsubq_u8(v, vdupq_n_u8('0'));
  return vorrq_u8(vcltq_u8(letter, vdupq_n_u8(6)), vcltq_u8(digit, vdupq_n_u8(10)));
}
}  // namespace neon

inline std::uint64_t hex_bits(const char* at) { return neon::bits(neon::load(at), neon::is_hex); }

[[gnu::always_inline]] inline std::size_t bytes_before_hex_group(const char* at) {
  const auto groups = [](const std::uint8_t* bytes) {
    const uint32x4_t hex = vreinterpretq_u32_u8(neon::is_hex(vld1q_u8(bytes)));
    return neon::first_of_sixteen(vreinterpretq_u8_u32(vceqq_u32(hex, vdupq_n_u32(0xffffffff))));
  };
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(at);
  const std::size_t first = groups(bytes);
  const std::size_t second = groups(bytes + 16);
  return first == 16 ? 16 + second : first;
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
// The lowest bit's place; kStretch when there is none, which is not asked for: a bit stands there.
[[gnu::always_inline]] inline std::size_t first_of_stretch(std::uint32_t bits) {
  const std::uint64_t bounded = bits | std::uint64_t{1} << kStretch;
  return static_cast<std::size_t>(__builtin_ctzll(bounded));
}
[[gnu::always_inline]] inline BeforeQuote quote_of_stretch(std::uint32_t quotes,
                                                           std::uint32_t others) {
  const std::uint64_t bounded = quotes | std::uint64_t{1} << kStretch;
  return {static_cast<std::size_t>(__builtin_ctzll(bounded)),
          (others & (bounded ^ (bounded - 1))) == 0};
}
}  // namespace sse2

template <bool kWithBars>
[[gnu::always_inline]] inline std::size_t bytes_before_stop(const char* at) {
  const auto stops = [at](int from) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + from));
    // Flipping 2 moves the quote to where the control characters end, and the space away; bytes
    // from 0x80 on are negative.
    const __m128i flipped = _mm_xor_si128(x, _mm_set1_epi8(0x02));
    const __m128i low = _mm_cmpgt_epi8(_mm_set1_epi8(0x21), flipped);
    const __m128i bars = _mm_and_si128(x, _mm_set1_epi8(static_cast<char>(0xfc)));
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_or_si128(low, sse2::same(kWithBars ? bars : x, '\\'))));
  };
  return sse2::first_of_stretch(stops(0) | stops(16) << 16);
}

template <bool kWithBars>
[[gnu::always_inline]] inline BeforeQuote bytes_before_quote(const char* at) {
  const auto load = [at](int from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + from));
  };
  const auto quotes = [](__m128i x) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(sse2::same(x, '"')));
  };
  const auto others = [](__m128i x) {
    const __m128i low = _mm_cmpgt_epi8(_mm_set1_epi8(0x20), x);
    const __m128i bars = _mm_and_si128(x, _mm_set1_epi8(static_cast<char>(0xfc)));
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_or_si128(low, sse2::same(kWithBars ? bars : x, '\\'))));
  };
  const __m128i first = load(0);
  const __m128i second = load(16);
  return sse2::quote_of_stretch(quotes(first) | quotes(second) << 16, others(first) | others(second)
                                                                                          << 16);
}

namespace sse2 {
[[gnu::always_inline]] inline __m128i is_hex(__m128i x) {
  const __m128i letter = _mm_sub_epi8(_mm_or_si128(x, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
  const __m128i digit = _mm_sub_epi8(x, _mm_set1_epi8('0'));
  return _mm_or_si128(below(letter, 6), below(digit, 10));
}
}  // namespace sse2

inline std::uint64_t hex_bits(const char* at) { return sse2::bits(at, sse2::is_hex); }

[[gnu::always_inline]] inline std::size_t bytes_before_hex_group(const char* at) {
  const auto groups = [at](int from) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + from));
    const __m128i full = _mm_cmpeq_epi32(sse2::is_hex(x), _mm_set1_epi32(-1));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(full));
  };
  return sse2::first_of_stretch(groups(0) | groups(16) << 16);
}

#else

template <bool kWithBars>
inline std::size_t bytes_before_stop(const char* at) {
  return plain_bytes_before_stop<kWithBars>(at);
}
template <bool kWithBars>
inline BeforeQuote bytes_before_quote(const char* at) {
  return plain_bytes_before_quote<kWithBars>(at);
}
inline std::uint64_t hex_bits(const char* at) { return plain_hex_bits(at); }
inline std::size_t bytes_before_hex_group(const char* at) {
  return plain_bytes_before_hex_group(at);
}

#endif

// What is above, for who is written once for all kinds of masks.
struct NativeMasks {
  template <bool kWithBars>
  [[gnu::always_inline]] static BeforeQuote before_quote(const char* at) {
    return bytes_before_quote<kWithBars>(at);
  }
  [[gnu::always_inline]] static std::size_t before_hex_group(const char* at) {
    return bytes_before_hex_group(at);
  }
};

// The last bytes of eight in a row whose bits are set.
inline std::uint64_t runs_of_eight(std::uint64_t bits) {
  bits &= bits << 1;
  bits &= bits << 2;
  return bits & bits << 4;
}

}  // namespace alfred
