#include "surface/mcp/visible/visible_json.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "refs/hiding/model_text.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kBegin = "\\u{";
constexpr char32_t kBackslash = U'\\';
constexpr std::ptrdiff_t kMostDigits = 6;

void append_utf8(std::string& out, char32_t point) {
  const auto byte = [&](char32_t bits) { out += static_cast<char>(bits); };
  const auto more = [&](int shift) { byte(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) return byte(point);
  byte(point < 0x800     ? 0xc0 | (point >> 6)
       : point < 0x10000 ? 0xe0 | (point >> 12)
                         : 0xf0 | (point >> 18));
  if (point >= 0x10000) more(12);
  if (point >= 0x800) more(6);
  more(0);
}

std::string shown_in_json(char32_t point) {  // the backslash is escaped
  return fmt::format("\\\\u{{{:x}}}", static_cast<std::uint32_t>(point));
}

bool is_stop(char c) { return c == '\\' || static_cast<unsigned char>(c) >= 0x7f; }

// The place of the first byte from `at` on that is one, or the end. Eight that are none are passed
// at once.
std::size_t next_stop(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHigh = 0x80 * kOnes;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    const std::uint64_t slashes = eight ^ ('\\' * kOnes);
    // A byte from 0x7f on has or gets the high bit; one that is zero borrows it.
    if (((eight | (eight + kOnes) | (slashes - kOnes)) & kHigh) != 0) break;
  }
  while (at < text.size() && !is_stop(text[at])) ++at;
  return at;
}

bool is_seen_and_not_ascii(char32_t point) { return point >= 0x80 && !is_invisible(point); }

// The control character that an escape of JSON stands for; none: it stands for something else.
std::optional<char32_t> escaped_control(std::string_view escape) {
  switch (escape.size() > 1 ? escape[1] : '\0') {
    case 'r': return U'\r';
    case 'b': return U'\b';
    case 'f': return U'\f';
    default: break;
  }
  if (!escape.starts_with("\\u00") || escape.size() < 6) return std::nullopt;
  std::uint32_t point = 0;
  std::from_chars(escape.data() + 2, escape.data() + 6, point, 16);
  return static_cast<char32_t>(point);
}

// How long the escape at the begin of `rest` is.
std::size_t escape_size(std::string_view rest) {
  const bool is_unit = rest.size() > 1 && rest[1] == 'u';
  return std::min<std::size_t>(is_unit ? 6 : 2, rest.size());
}

// What it is shown as; nothing: as it stands.
std::string shown_escape(std::string_view rest) {
  const std::optional<char32_t> control = escaped_control(rest.substr(0, escape_size(rest)));
  if (rest.starts_with("\\\\u{")) return shown_in_json(kBackslash);
  return control && is_invisible(*control) ? shown_in_json(*control) : std::string();
}

// R3: the character that is shown at the begin of `rest`, and how long that is.
std::optional<std::pair<char32_t, std::size_t>> shown_point(std::string_view rest) {
  std::uint32_t point = 0;
  const char* const first = rest.data() + kBegin.size();
  const char* const last = rest.data() + rest.size();
  const auto [end, failure] = std::from_chars(
      first, first + std::min<std::ptrdiff_t>(last - first, kMostDigits), point, 16);
  if (failure != std::errc() || end == last || *end != '}') return std::nullopt;
  const auto size = static_cast<std::size_t>(end + 1 - rest.data());
  const bool is_ours = (point == kBackslash || is_invisible(point)) &&
                       rest.substr(0, size) == fmt::format("\\u{{{:x}}}", point);
  if (!is_ours) return std::nullopt;
  return std::pair{static_cast<char32_t>(point), size};
}

std::string restored(std::string_view text) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find(kBegin); at != std::string_view::npos;) {
    const auto found = shown_point(text.substr(at));
    if (found) {
      out += text.substr(copied, at - copied);
      append_utf8(out, found->first);
      copied = at + found->second;
    }
    at = text.find(kBegin, found ? copied : at + 1);
  }
  return out.append(text.substr(copied));
}

bool has_begin(std::string_view text) { return text.find(kBegin) != std::string_view::npos; }

}  // namespace

std::string visible_json(std::string json) {
  std::string out;
  std::size_t copied = 0;
  const auto show = [&](std::size_t from, std::size_t size, std::string_view shown) {
    out.append(json, copied, from - copied) += shown;
    copied = from + size;
  };
  const std::string_view all = json;
  char32_t before = 0;  // the character that stands right before, where it is not ASCII
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = next_stop(all, at);
    if (end > at) before = 0;
    at = end;
    if (at == all.size()) break;
    if (all[at] == '\\') {
      const std::string shown = shown_escape(all.substr(at));
      const std::size_t size = escape_size(all.substr(at));
      if (!shown.empty()) show(at, size, shown);
      at += size;
      before = 0;
      continue;
    }
    const CodePoint point = next_code_point(all, at).value_or(CodePoint{0xfffd, 1});
    const std::size_t next = at + point.size;
    const bool is_joiner = point.value == 0x200c || point.value == 0x200d;
    const bool joins =
        is_joiner && is_seen_and_not_ascii(before) &&
        is_seen_and_not_ascii(next_code_point(all, next).value_or(CodePoint{}).value);
    if (is_invisible(point.value) && !joins) show(at, point.size, shown_in_json(point.value));
    before = point.value;
    at = next;
  }
  if (copied == 0) return json;
  return out.append(json, copied);
}

bool has_shown(const Json& value) {
  if (const JsonString* const text = value.if_string()) return has_begin(*text);
  if (const JsonArray* const list = value.if_array())
    return std::any_of(list->begin(), list->end(), has_shown);
  const JsonObject* const object = value.if_object();
  return object != nullptr && std::any_of(object->begin(), object->end(), [](const auto& one) {
           return has_begin(one.key()) || has_shown(one.value());
         });
}

void restore_shown(Json& value) {
  if (JsonString* const text = value.if_string()) {
    if (has_begin(*text)) *text = restored(*text);
  } else if (JsonArray* const list = value.if_array()) {
    for (Json& one : *list) restore_shown(one);
  } else if (JsonObject* const object = value.if_object()) {
    JsonObject renamed;
    for (auto& [name, member] : *object) {
      restore_shown(member);
      renamed[restored(name)] = std::move(member);
    }
    *object = std::move(renamed);
  }
}

}  // namespace alfred::mcp
