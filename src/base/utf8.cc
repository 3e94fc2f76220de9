#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace alfred {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

// Where the run of ASCII that starts at `at` ends. Words of memory, so that it needs no intrinsics;
// compilers turn the inner loop into vector instructions.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  for (; text.size() - at >= 16; at += 16) {
    std::uint64_t words[2];
    std::memcpy(words, text.data() + at, sizeof words);
    if (((words[0] | words[1]) & kHighBits) != 0) break;
  }
  while (at < text.size() && byte_at(text, at) < 0x80) ++at;
  return at;
}

// What a lead byte promises: how many bytes follow, its payload bits, and the range that the second
// byte must lie in. The range is what shuts out overlong forms, surrogates and too large values.
struct Lead {
  std::size_t following;
  unsigned bits;
  unsigned second_min;
  unsigned second_max;
};

std::optional<Lead> read_lead(unsigned byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return Lead{1, byte & 0x1FU, 0x80, 0xBF};
  if (byte >= 0xE0 && byte <= 0xEF)
    return Lead{2, byte & 0x0FU, byte == 0xE0 ? 0xA0U : 0x80U, byte == 0xED ? 0x9FU : 0xBFU};
  if (byte >= 0xF0 && byte <= 0xF4)
    return Lead{3, byte & 0x07U, byte == 0xF0 ? 0x90U : 0x80U, byte == 0xF4 ? 0x8FU : 0xBFU};
  return std::nullopt;
}

}  // namespace

std::optional<CodePoint> next_code_point(std::string_view text, std::size_t at) {
  if (at >= text.size()) return std::nullopt;
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return CodePoint{first, 1};
  const std::optional<Lead> lead = read_lead(first);
  if (!lead || text.size() - at <= lead->following) return std::nullopt;
  const unsigned second = byte_at(text, at + 1);
  if (second < lead->second_min || second > lead->second_max) return std::nullopt;
  unsigned value = (lead->bits << 6U) | (second & 0x3FU);
  for (std::size_t i = 2; i <= lead->following; ++i) {
    const unsigned byte = byte_at(text, at + i);
    if (!is_continuation(byte)) return std::nullopt;
    value = (value << 6U) | (byte & 0x3FU);
  }
  return CodePoint{value, lead->following + 1};
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  std::size_t at = skip_ascii(text, 0);
  while (at < text.size()) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    if (!point) return at;
    at += point->size;
    if (at < text.size() && byte_at(text, at) < 0x80) at = skip_ascii(text, at);
  }
  return std::nullopt;
}

bool is_utf8(std::string_view text) { return !first_invalid_utf8(text).has_value(); }

std::string_view cut_utf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && is_continuation(byte_at(text, end))) --end;
  return text.substr(0, end);
}

std::string_view cut_code_points(std::string_view text, std::size_t max_points) {
  if (text.size() <= max_points) return text;
  std::size_t points = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_continuation(byte_at(text, at))) continue;
    if (points == max_points) return text.substr(0, at);
    ++points;
  }
  return text;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t points = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    points += is_continuation(byte_at(text, at)) ? 0 : 1;
  return points;
}

}  // namespace alfred
