// Sixteen bytes at a time, in the vector types that GCC and clang share: the same code is NEON on arm64
// and SSE2 on x86-64, so the path that is tested is the path that runs everywhere.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace alfred {

static_assert(std::endian::native == std::endian::little);

using Bytes16 = std::uint8_t __attribute__((vector_size(16)));
using Words16 = std::uint32_t __attribute__((vector_size(16)));
using Halves16 = std::uint64_t __attribute__((vector_size(16)));

inline Bytes16 load16(const char* at) {
  Bytes16 bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

// Masks have 0xff where a condition holds.
template <class Vector>
inline bool any(Vector mask) {
  const auto halves = reinterpret_cast<Halves16>(mask);
  return (halves[0] | halves[1]) != 0;
}

// The position of the first byte of a mask that is set; 16 when none is.
inline unsigned first_set(Bytes16 mask) {
  const auto halves = reinterpret_cast<Halves16>(mask);
  const std::uint64_t low = halves[0];
  if (low != 0) return static_cast<unsigned>(std::countr_zero(low)) / 8;
  return 8 + static_cast<unsigned>(std::countr_zero(halves[1])) / 8;
}

// Keeps the first count bytes, clears the others. count is 0 to 16.
inline Bytes16 keep_first(Bytes16 bytes, unsigned count) {
  alignas(16) static constexpr std::uint8_t kEdge[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                         255, 255, 255, 255, 255, 255, 255, 255};
  Bytes16 mask;
  std::memcpy(&mask, kEdge + 16 - count, sizeof mask);
  return bytes & mask;
}

inline Bytes16 hex_digits(Bytes16 bytes) {
  const Bytes16 letters = (bytes | 0x20) - 'a';
  const Bytes16 digits = bytes - '0';
  return reinterpret_cast<Bytes16>((digits < 10) | (letters < 6));
}

}  // namespace alfred
