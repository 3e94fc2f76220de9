// How a ref is written into JSON text by who writes many: copies of fixed size, of which only the
// first bytes count, and digits without a loop.
#pragma once

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "alfred/refs.h"

namespace alfred {

// How far the functions below may write beyond what they add.
inline constexpr std::size_t kRefSlack = 64;

// `"type_`, what every ref of a type starts with, quote included.
struct RefStart {
  char bytes[48] = {};
  std::uint32_t size = 0;  // 0: not known yet

  RefStart() = default;
  explicit RefStart(std::string_view type) : size(static_cast<std::uint32_t>(type.size()) + 2) {
    static_assert(Ref::kMaxTypeBytes + 2 <= sizeof bytes);
    bytes[0] = '"';
    std::memcpy(bytes + 1, type.data(), type.size());
    bytes[type.size() + 1] = '_';
  }
};

// Eight digits at once: halves, quarters and single digits are split in one word. What is in front
// of the first digit that is not zero is shifted out.
[[gnu::always_inline]] inline char* write_number(char* to, std::uint32_t number) {
  if (std::endian::native != std::endian::little || number - 1 >= 99'999'999)
    return std::to_chars(to, to + 10, number).ptr;
  const std::uint64_t fours = number / 10'000 | static_cast<std::uint64_t>(number % 10'000) << 32;
  const std::uint64_t hundreds = ((fours * 10'486) >> 20) & 0x0000'007f'0000'007f;
  const std::uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
  const std::uint64_t tens = ((twos * 103) >> 10) & 0x000f'000f'000f'000f;
  const std::uint64_t digits = tens | (twos - tens * 10) << 8;
  const int zeros = std::countr_zero(digits) / 8;
  const std::uint64_t text = (digits + 0x3030'3030'3030'3030) >> (8 * zeros);
  std::memcpy(to, &text, sizeof text);
  return to + 8 - zeros;
}

[[gnu::always_inline]] inline char* write_ref(char* to, const RefStart& start,
                                              std::uint32_t number) {
  std::memcpy(to, start.bytes, 16);
  if (start.size > 16) std::memcpy(to + 16, start.bytes + 16, 32);
  to = write_number(to + start.size, number);
  *to = '"';
  return to + 1;
}

}  // namespace alfred
