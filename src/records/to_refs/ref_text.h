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

// What a ref ends with: its number and the closing quote. Kept by who writes the same one again.
class RefEnd {
 public:
  RefEnd() = default;  // none
  [[gnu::always_inline]] static RefEnd of(std::uint32_t number) {
    if (std::endian::native != std::endian::little || number - 1 >= 99'999'999) [[unlikely]]
      return spelled(number);
    // Eight digits at once: halves, quarters and single digits are split in one word. What is in
    // front of the first digit that is not zero is shifted out.
    const std::uint64_t fours = number / 10'000 | static_cast<std::uint64_t>(number % 10'000) << 32;
    const std::uint64_t hundreds = ((fours * 10'486) >> 20) & 0x0000'007f'0000'007f;
    const std::uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    const std::uint64_t tens = ((twos * 103) >> 10) & 0x000f'000f'000f'000f;
    const std::uint64_t digits = tens | (twos - tens * 10) << 8;
    const unsigned zeros = static_cast<unsigned>(__builtin_ctzll(digits)) / 8;
    // The quote stands behind eight digits, and comes into the first word with those that go.
    constexpr std::uint64_t kQuote = '"';
    std::uint64_t first = (digits + 0x3030'3030'3030'3030) >> (8 * zeros);
    first |= zeros == 0 ? 0 : kQuote << (64 - 8 * zeros);
    const std::uint64_t rest = zeros == 0 ? kQuote : 0;
    return {first, rest | static_cast<std::uint64_t>(9 - zeros) << 56};
  }

  // That of the number after the one that this is of.
  [[gnu::always_inline]] RefEnd next(std::uint32_t number_after) const {
    const unsigned last = 8 * (static_cast<unsigned>(size()) - 2);  // its last digit's place
    const bool carries = last >= 64 || (first_ >> last & 0xff) == '9';
    if (std::endian::native != std::endian::little || carries) [[unlikely]]
      return of(number_after);
    return {first_ + (std::uint64_t{1} << last), rest_};
  }

  std::size_t size() const { return reinterpret_cast<const unsigned char*>(this)[15]; }
  // Its bytes; what is behind them, up to sixteen, may be copied as well.
  const char* data() const { return reinterpret_cast<const char*>(this); }

 private:
  // Two words, as in_registers() says of a key.
  [[gnu::always_inline]] RefEnd(std::uint64_t first, std::uint64_t rest) {
    asm("" : "+r"(first), "+r"(rest));
    first_ = first;
    rest_ = rest;
  }
  [[gnu::noinline]] static RefEnd spelled(std::uint32_t number) {
    char bytes[16] = {};
    char* const quote = std::to_chars(bytes, bytes + 10, number).ptr;
    *quote = '"';
    bytes[15] = static_cast<char>(quote + 1 - bytes);
    RefEnd end;
    std::memcpy(&end.first_, bytes, 8);
    std::memcpy(&end.rest_, bytes + 8, 8);
    return end;
  }

  std::uint64_t first_ = 0;
  std::uint64_t rest_ = 0;  // its last byte is the size
};
static_assert(sizeof(RefEnd) == 16);

[[gnu::always_inline]] inline char* write_ref(char* to, const RefStart& start, const RefEnd& end) {
  std::memcpy(to, start.bytes, 16);
  if (start.size > 16) [[unlikely]]
    std::memcpy(to + 16, start.bytes + 16, 32);
  to += start.size;
  std::memcpy(to, end.data(), sizeof end);
  return to + end.size();
}

}  // namespace alfred
