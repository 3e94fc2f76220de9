// What most texts have nothing of, looked for eight bytes at a time.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace alfred {
namespace plain_bytes {

inline constexpr std::uint64_t kOnes = 0x0101010101010101U;
inline constexpr std::uint64_t kHighs = 0x8080808080808080U;

// Whether no eight bytes of the text are odd. A short text is filled up with bytes that are not.
template <class IsOdd>
bool no_word(std::string_view text, IsOdd is_odd) {
  std::uint64_t word = kOnes * 'a';
  if (text.size() < sizeof word) {
    std::memcpy(&word, text.data(), text.size());
    return !is_odd(word);
  }
  const char* const last = text.data() + text.size() - sizeof word;
  for (const char* at = text.data(); at < last; at += sizeof word) {
    std::memcpy(&word, at, sizeof word);
    if (is_odd(word)) return false;
  }
  std::memcpy(&word, last, sizeof word);
  return !is_odd(word);
}

constexpr bool has_zero(std::uint64_t word) { return ((word - kOnes) & ~word & kHighs) != 0; }

}  // namespace plain_bytes

// ASCII without a zero byte: nothing to say against it as UTF-8 or as a text of a database.
inline bool is_plain_ascii(std::string_view text) {
  return plain_bytes::no_word(text, [](std::uint64_t word) {
    return (((word - plain_bytes::kOnes) | word) & plain_bytes::kHighs) != 0;
  });
}

// Neither a zero byte nor this one, which is not 'a'.
inline bool has_no_zero_and_no(char byte, std::string_view text) {
  const std::uint64_t others = plain_bytes::kOnes * static_cast<unsigned char>(byte);
  return plain_bytes::no_word(text, [others](std::uint64_t word) {
    return plain_bytes::has_zero(word) || plain_bytes::has_zero(word ^ others);
  });
}

}  // namespace alfred
