#include "base/base64url.h"

#include <cstdint>

namespace alfred {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

char digit_of(std::uint32_t bits, unsigned shift) { return kDigits[bits >> shift & 63U]; }

}  // namespace

std::string to_base64url(std::string_view bytes) {
  std::string out((bytes.size() * 4 + 2) / 3, '\0');
  char* to = out.data();
  std::size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) {
    const std::uint32_t three =
        byte_at(bytes, at) << 16U | byte_at(bytes, at + 1) << 8U | byte_at(bytes, at + 2);
    for (const unsigned shift : {18U, 12U, 6U, 0U}) *to++ = digit_of(three, shift);
  }
  const std::size_t left = bytes.size() - at;
  if (left == 0) return out;
  const std::uint32_t rest =
      byte_at(bytes, at) << 16U | (left == 2 ? byte_at(bytes, at + 1) << 8U : 0U);
  *to++ = digit_of(rest, 18);
  *to++ = digit_of(rest, 12);
  if (left == 2) *to = digit_of(rest, 6);
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6 | static_cast<std::uint32_t>(digit)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

}  // namespace alfred
