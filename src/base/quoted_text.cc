#include "base/quoted_text.h"

#include <fmt/format.h>

namespace alfred {
namespace {

constexpr std::size_t kShownBytes = 32;
constexpr int kUuidDigits = 32;

constexpr bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// 32 hex digits in a row, dashes between them or not.
bool has_uuid(std::string_view text) {
  int digits = 0;
  for (const char c : text) {
    if (is_hex(c)) ++digits;
    else if (c != '-') digits = 0;
    if (digits == kUuidDigits) return true;
  }
  return false;
}

}  // namespace

std::string quoted_text(std::string_view text) {
  if (text.empty()) return "an empty text";
  if (has_uuid(text)) return fmt::format("a text with a uuid in it ({} bytes)", text.size());
  std::string out = "`";
  for (const char c : text.substr(0, kShownBytes)) {
    if (c >= ' ' && c <= '~' && c != '`' && c != '\\') out += c;
    else out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  out += '`';
  if (text.size() > kShownBytes)
    out += fmt::format(" and {} bytes more", text.size() - kShownBytes);
  return out;
}

}  // namespace alfred
