#include "base/base64url.h"

#include <cstdint>

namespace alfred {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
}

}  // namespace

std::string to_base64url(std::string_view bytes) {
  std::string out((bytes.size() * 4 + 2) / 3, '\0');
  std::size_t end = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t three =
        byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
    for (unsigned shift = 24; shift > 0 && end < out.size();)
      out[end++] = kDigits[three >> (shift -= 6) & 63];
  }
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
