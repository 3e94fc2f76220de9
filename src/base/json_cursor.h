// JsonCursor: walks over JSON text token by token and checks its grammar, without building anything. For
// who copies most of a text and changes a little of it.
//
// R1 a token is accepted exactly when RFC 8259 accepts it: white space, numbers, escapes, UTF-8 and
//    surrogate pairs are checked.
// R2 the first fault stops the cursor; fault() says what it is and at which byte.
// R3 it never reads past the end of the text it was given.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "base/bytes16.h"
#include "base/utf8.h"

namespace alfred {

enum class JsonFault : std::uint8_t {
  none,
  unexpected_end,
  unexpected_byte,
  control_character,  // raw, inside a string
  bad_escape,
  lone_surrogate,
  bad_utf8,
  bad_number,
  too_deep,
  duplicate_key,
};

// What a string holds besides plain ASCII; set by skip_string().
struct StringTraits {
  bool has_escape = false;
  bool has_unicode_escape = false;
  bool is_suspicious = false;  // may hold eight hex digits in a row, or an underscore
};

class JsonCursor {
 public:
  JsonCursor(std::string_view text, std::size_t max_depth)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), max_depth_(max_depth) {}

  const char* at() const { return at_; }
  const char* end() const { return end_; }
  bool is_at_end() const { return at_ == end_; }
  char peek() const { return at_ == end_ ? '\0' : *at_; }
  void advance(std::size_t bytes) { at_ += bytes; }

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  // Takes one expected punctuation byte, with the white space before it.
  bool take(char expected) {
    skip_space();
    if (at_ == end_ || *at_ != expected) return fail_here(JsonFault::unexpected_byte);
    ++at_;
    return true;
  }

  // Each stands on the token's first byte and ends after its last; false: a fault.
  bool skip_string(StringTraits& traits);
  bool skip_number();
  bool skip_word();   // true, false, null
  // Any value. on_string(begin, end, traits) sees every string in it, names of members included, as
  // the raw text between its quotes.
  template <class OnString>
  bool skip_value(OnString&& on_string);

  bool fail_here(JsonFault fault) { return fail_at(fault, at_); }
  bool fail_at(JsonFault fault, const char* where);
  JsonFault fault() const { return fault_; }
  Error error() const;  // precondition: a fault

  std::size_t max_depth() const { return max_depth_; }

 private:
  bool skip_escape(StringTraits& traits);
  bool read_hex4(const char* from, unsigned& unit);

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t max_depth_;
  JsonFault fault_ = JsonFault::none;
  std::size_t fault_at_ = 0;
};

// The text of a JSON string whose raw form was checked before. With positions, also the raw offset of
// each byte of the text, and one more for the end.
std::string decode_json_string(std::string_view raw, std::vector<std::size_t>* positions = nullptr);

// ── Inline, since the translator lives in them ────────────────────────────────────────────────────

inline bool JsonCursor::skip_string(StringTraits& traits) {
  const char* const first = ++at_;
  const Bytes16 zero{};
  Bytes16 high = zero;
  Words16 hex_fours = reinterpret_cast<Words16>(zero);
  Bytes16 underscores = zero;
  const auto look = [&](Bytes16 bytes) {
    high |= bytes;
    const auto fours = reinterpret_cast<Words16>(hex_digits(bytes));
    hex_fours |= reinterpret_cast<Words16>(fours == 0xffffffffU);
    underscores |= reinterpret_cast<Bytes16>(bytes == '_');
  };
  while (true) {
    if (end_ - at_ < 16) {  // the text's last bytes: a copy with room behind it
      if (at_ == end_) return fail_here(JsonFault::unexpected_end);
      char tail[16] = {};
      const auto left = static_cast<unsigned>(end_ - at_);
      std::memcpy(tail, at_, left);
      const Bytes16 bytes = load16(tail);
      const unsigned stop = first_set(reinterpret_cast<Bytes16>(
          (bytes == '"') | (bytes == '\\') | (bytes < 0x20)));
      const unsigned count = stop < left ? stop : left;
      look(keep_first(bytes, count));
      at_ += count;
      if (at_ == end_) return fail_here(JsonFault::unexpected_end);
    } else {
      const Bytes16 bytes = load16(at_);
      const auto stops =
          reinterpret_cast<Bytes16>((bytes == '"') | (bytes == '\\') | (bytes < 0x20));
      if (!any(stops)) {
        look(bytes);
        at_ += 16;
        continue;
      }
      const unsigned stop = first_set(stops);
      look(keep_first(bytes, stop));
      at_ += stop;
    }
    if (*at_ == '"') break;
    if (*at_ != '\\') return fail_here(JsonFault::control_character);
    if (!skip_escape(traits)) return false;
  }
  traits.is_suspicious |= any(hex_fours) || any(underscores);
  if (any(reinterpret_cast<Bytes16>(high >= 0x80))) {
    const std::string_view raw(first, static_cast<std::size_t>(at_ - first));
    if (const auto bad = first_invalid_utf8(raw)) return fail_at(JsonFault::bad_utf8, first + *bad);
  }
  ++at_;
  return true;
}

inline bool JsonCursor::skip_number() {
  const char* at = at_;
  const auto digits = [&] {
    const char* const from = at;
    while (at != end_ && *at >= '0' && *at <= '9') ++at;
    return at != from;
  };
  if (at != end_ && *at == '-') ++at;
  if (at != end_ && *at == '0') ++at;
  else if (!digits()) return fail_at(JsonFault::bad_number, at);
  if (at != end_ && *at == '.') {
    ++at;
    if (!digits()) return fail_at(JsonFault::bad_number, at);
  }
  if (at != end_ && (*at | 0x20) == 'e') {
    ++at;
    if (at != end_ && (*at == '+' || *at == '-')) ++at;
    if (!digits()) return fail_at(JsonFault::bad_number, at);
  }
  at_ = at;
  return true;
}

inline bool JsonCursor::skip_word() {
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  for (const std::string_view word : {"null", "true", "false"}) {
    if (!rest.starts_with(word)) continue;
    at_ += word.size();
    return true;
  }
  return fail_here(JsonFault::unexpected_byte);
}

template <class OnString>
bool JsonCursor::skip_value(OnString&& on_string) {
  std::string open;  // the brackets we are inside of, innermost last
  const auto string_token = [&] {
    const char* const first = at_ + 1;
    StringTraits traits;
    if (!skip_string(traits)) return false;
    on_string(first, at_ - 1, traits);
    return true;
  };
  const auto member_name = [&] {
    skip_space();
    if (peek() != '"') return fail_here(JsonFault::unexpected_byte);
    return string_token() && take(':');
  };
  while (true) {
    skip_space();
    const char c = peek();
    if (c == '"') {
      if (!string_token()) return false;
    } else if (c == '{' || c == '[') {
      ++at_;
      if (open.size() >= max_depth_) return fail_at(JsonFault::too_deep, at_ - 1);
      open.push_back(c == '{' ? '}' : ']');
      skip_space();
      if (peek() != open.back()) {
        if (c == '{' && !member_name()) return false;
        continue;
      }
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      if (!skip_number()) return false;
    } else if (!skip_word()) {
      return false;
    }
    while (!open.empty()) {  // after a value: close what ends here, or go on to the next
      skip_space();
      if (peek() == open.back()) {
        ++at_;
        open.pop_back();
        continue;
      }
      if (!take(',')) return false;
      if (open.back() == '}' && !member_name()) return false;
      break;
    }
    if (open.empty()) return true;
  }
}

}  // namespace alfred
