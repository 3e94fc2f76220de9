// What byte_masks.h says, by AVX2: for functions that are compiled once more for processors that
// have it, and called only there.
//
// R1 only a function marked ALFRED_WIDE may call WideMasks, and only where has_wide_masks() is true.
// R2 what is shared by both kinds is a template on the masks, always inline, so that nothing that
//    was compiled for AVX2 is ever called from elsewhere: no inline function of a header changes.
#pragma once

#include "base/byte_masks.h"

#if defined(__SSE2__) && !defined(ALFRED_PLAIN_BYTE_MASKS)
#define ALFRED_HAS_WIDE_MASKS 1
#define ALFRED_WIDE [[gnu::target("avx2,bmi")]]
#include <immintrin.h>
#else
#define ALFRED_HAS_WIDE_MASKS 0
#define ALFRED_WIDE
#endif

namespace alfred {

// Whether this processor has them. Asked once a process.
bool has_wide_masks();
// From now on it has none, or all it really has: tests look at both.
void use_wide_masks_for_tests(bool uses);

#if ALFRED_HAS_WIDE_MASKS

struct WideMasks {
  // Not marked always inline: the templates of R2 are not compiled for AVX2 by themselves.
  template <bool kWithBars>
  ALFRED_WIDE static inline BeforeQuote before_quote(const char* at) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i low = _mm256_cmpgt_epi8(all(0x20), x);  // bytes from 0x80 on are negative
    const __m256i bars = kWithBars ? _mm256_and_si256(x, all(static_cast<char>(0xfc))) : x;
    return sse2::quote_of_stretch(
        bits_of(_mm256_cmpeq_epi8(x, all('"'))),
        bits_of(_mm256_or_si256(low, _mm256_cmpeq_epi8(bars, all('\\')))));
  }
  ALFRED_WIDE static inline std::size_t before_hex_group(const char* at) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i letter = _mm256_sub_epi8(_mm256_or_si256(x, all(0x20)), all('a'));
    const __m256i digit = _mm256_sub_epi8(x, all('0'));
    const __m256i is_letter = _mm256_cmpeq_epi8(_mm256_min_epu8(letter, all(5)), letter);
    const __m256i is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(digit, all(9)), digit);
    const __m256i hex = _mm256_or_si256(is_letter, is_digit);
    return sse2::first_of_stretch(bits_of(_mm256_cmpeq_epi32(hex, _mm256_cmpeq_epi8(x, x))));
  }

 private:
  ALFRED_WIDE static inline __m256i all(char byte) { return _mm256_set1_epi8(byte); }
  ALFRED_WIDE static inline std::uint32_t bits_of(__m256i found) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(found));
  }
};

#else
using WideMasks = NativeMasks;
#endif

}  // namespace alfred
