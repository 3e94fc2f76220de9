// TagGroup: fifteen slots of an index in one cache line, each a byte to know it by and the low
// three bytes of where it leads. The bytes are looked at together. NEON on arm64, SSE2 on x86-64,
// plain C++ anywhere; a test holds that all give the same.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace alfred {

// The slots of a group that were found, lowest first.
class SlotSet {
 public:
  explicit SlotSet(std::uint64_t bits) : bits_(bits) {}
  bool empty() const { return bits_ == 0; }
  // Precondition: not empty.
  std::size_t first() const { return static_cast<std::size_t>(__builtin_ctzll(bits_)) / kStride; }
  void drop_first() { bits_ &= bits_ - 1; }
  friend bool operator==(SlotSet, SlotSet) = default;

// How many bits a slot has, of which at most the first is set: as the instructions give them.
#if defined(__ARM_NEON)
  static constexpr std::size_t kStride = 4;
#else
  static constexpr std::size_t kStride = 1;
#endif

 private:
  std::uint64_t bits_;
};

struct alignas(64) TagGroup {
  static constexpr std::size_t kSlots = 15;
  static constexpr std::size_t kLowBits = 24;

  std::uint8_t tags[kSlots];
  std::uint8_t passed;  // one bit for each kind of hash that found no room here and went on
  std::uint8_t lows[3 * kSlots];
  std::uint8_t unused[3];

  SlotSet with(std::uint8_t tag) const;
  SlotSet plain_with(std::uint8_t tag) const;  // what with() is tested against

  // The low bits of where a slot leads.
  std::uint32_t low(std::size_t slot) const {
    std::uint32_t bits;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&bits, lows + 3 * slot, 4);  // one byte too many, still in this line
      return bits & 0xffffff;
    }
    const std::uint8_t* const at = lows + 3 * slot;
    return at[0] | static_cast<std::uint32_t>(at[1]) << 8 | static_cast<std::uint32_t>(at[2]) << 16;
  }
  void set_low(std::size_t slot, std::uint32_t bits) {
    std::uint8_t* const at = lows + 3 * slot;
    at[0] = static_cast<std::uint8_t>(bits);
    at[1] = static_cast<std::uint8_t>(bits >> 8);
    at[2] = static_cast<std::uint8_t>(bits >> 16);
  }

 private:
  // A bit for each slot.
  static constexpr std::uint64_t kOneEach = SlotSet::kStride == 4 ? 0x111111111111111 : 0x7fff;
};
static_assert(sizeof(TagGroup) == 64);

inline SlotSet TagGroup::plain_with(std::uint8_t tag) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kSlots; ++i)
    if (tags[i] == tag) bits |= std::uint64_t{1} << (SlotSet::kStride * i);
  return SlotSet(bits);
}

#if defined(__ARM_NEON)

inline SlotSet TagGroup::with(std::uint8_t tag) const {
  const uint8x16_t same = vceqq_u8(vld1q_u8(tags), vdupq_n_u8(tag));
  const uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(same), 4);
  return SlotSet(vget_lane_u64(vreinterpret_u64_u8(nibbles), 0) & kOneEach);
}

#elif defined(__SSE2__)

inline SlotSet TagGroup::with(std::uint8_t tag) const {
  const __m128i all = _mm_load_si128(reinterpret_cast<const __m128i*>(tags));
  const __m128i same = _mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(tag)));
  return SlotSet(static_cast<unsigned>(_mm_movemask_epi8(same)) & kOneEach);
}

#else

inline SlotSet TagGroup::with(std::uint8_t tag) const { return plain_with(tag); }

#endif

}  // namespace alfred
