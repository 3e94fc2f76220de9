// UTF-8: is a text well formed, where is it not, and where may it be cut?
// Strict by Unicode's table of well-formed sequences, and quick over runs of ASCII.
//
// R1 Surrogates, overlong forms and values above U+10FFFF are invalid.
// R2 An invalid text is reported at the first byte of its first ill-formed sequence.
// R3 A cut never splits a code point.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace alfred {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;  // bytes it takes, 1 to 4
};

// The code point that begins at `at`; nothing at the end of the text or where it is ill-formed.
std::optional<CodePoint> next_code_point(std::string_view text, std::size_t at);

// The bytes of the character that a text begins with; 0 when it is ill-formed or there is none.
inline std::size_t utf8_size(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (text.size() >= 2 && byte(0) >= 0xC2 && byte(0) <= 0xDF && (byte(1) & 0xC0U) == 0x80)
    return 2;  // the usual one, where it is not ASCII
  const std::optional<CodePoint> point = next_code_point(text, 0);
  return point ? point->size : 0;
}

// The offset of the first ill-formed sequence (R2), or nothing if all of the text is UTF-8.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

bool is_utf8(std::string_view text);

// The longest prefix of a UTF-8 text that has at most `max_bytes` bytes and ends between two code
// points.
std::string_view cut_utf8(std::string_view text, std::size_t max_bytes);

// The longest prefix of a UTF-8 text that has at most `max_points` code points.
std::string_view cut_code_points(std::string_view text, std::size_t max_points);
std::size_t count_code_points(std::string_view text);

}  // namespace alfred
