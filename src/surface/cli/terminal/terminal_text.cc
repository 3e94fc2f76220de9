#include "surface/cli/terminal/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "surface/cli/terminal/display_width.h"

namespace alfred::cli {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
constexpr Range kUnseen[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x115f, 0x1160},
    {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
    {0x3164, 0x3164}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}};
constexpr char32_t kJoiner = 0x200d;

bool is_unseen(char32_t point) {
  return std::any_of(std::begin(kUnseen), std::end(kUnseen), [&](const Range& range) {
    return point >= range.first && point <= range.last;
  });
}

// How many bytes at the beginning are shown as they are, whatever stands before or after them.
std::size_t plain_bytes(std::string_view text) {
  const auto* const end = std::find_if(text.begin(), text.end(),
                                       [](char c) { return c != '\n' && (c < ' ' || c > '~'); });
  return static_cast<std::size_t>(end - text.begin());
}

// A joiner that makes one picture of two.
bool is_joining(std::string_view text, std::size_t after, char32_t before) {
  const std::optional<CodePoint> next = next_code_point(text, after);
  return can_be_picture(before) && next && can_be_picture(next->value);
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char32_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t plain = plain_bytes(text.substr(at)); plain > 0) {  // as most are
      out += text.substr(at, plain);
      at += plain;
      before = static_cast<unsigned char>(text[at - 1]);
      continue;
    }
    const std::optional<CodePoint> point = next_code_point(text, at);
    if (!point) {
      out += fmt::format("\\x{{{:02x}}}", static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    const std::string_view bytes = text.substr(at, point->size);
    at += point->size;
    if (point->value == '\r' && at < text.size() && text[at] == '\n') continue;
    if (point->value == '\t')
      out += "    ";
    else if (point->value == '\n' || !is_unseen(point->value) ||
             (point->value == kJoiner && is_joining(text, at, before)))
      out += bytes;
    else
      out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point->value));
    // A picture may carry a selector or a skin tone before the joiner.
    if (point->value != 0xfe0f) before = point->value;
  }
  return out;
}

std::string terminal_line(std::string_view text) {
  std::string out = terminal_text(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

}  // namespace alfred::cli
