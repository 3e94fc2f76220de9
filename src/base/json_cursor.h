// JsonCursor: walks over JSON text token by token and checks its grammar, without building
// anything. For who copies most of a text and changes a little of it.
//
// R1 a token is accepted exactly when RFC 8259 accepts it: white space, numbers, escapes, UTF-8 and
//    surrogate pairs are checked.
// R2 the first fault stops the cursor; fault() says what it is and at which byte.
// R3 it never reads past the end of the text it was given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "base/byte_masks.h"

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
  bool is_suspicious = false;  // holds eight hex digits in a row, or `t_` (when looked for)
};

class JsonCursor {
 public:
  // With looks_for_secrets, skip_string() says which strings may hold a key (is_suspicious).
  JsonCursor(std::string_view text, std::size_t max_depth, bool looks_for_secrets)
      : begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        max_depth_(max_depth),
        looks_for_secrets_(looks_for_secrets) {}

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
  bool skip_word();  // true, false, null
  // Any value, `depth` levels down. on_string(begin, end, traits) sees every string in it, names of
  // members included, as the raw text between its quotes.
  template <class OnString>
  bool skip_value(OnString&& on_string, std::size_t depth = 0);

  bool fail_here(JsonFault fault) { return fail_at(fault, at_); }
  bool fail_at(JsonFault fault, const char* where);
  JsonFault fault() const { return fault_; }
  Error error() const;  // precondition: a fault

  std::size_t max_depth() const { return max_depth_; }

 private:
  // What is known of the 64 bytes that block_ numbers, counted from begin_.
  struct Block {
    std::uint64_t stops = 0;
    std::uint64_t high = 0;
    std::uint64_t secrets = 0;  // bytes at which eight hex digits, or `t_`, end
  };

  void load_block(std::size_t number);
  template <bool kWithSecrets>
  void fill_block(const char* from, bool follows);
  bool skip_escape(StringTraits& traits);
  bool read_hex4(const char* from, unsigned& unit);
  bool check_utf8(const char* first, const char* last);
  bool fail_in_string(JsonFault fault, const char* where, const char* first);
  bool blame_utf8(const char* first);

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t block_ = static_cast<std::size_t>(-2);
  Block bits_;
  std::uint64_t hex1_ = 0, hex2_ = 0, hex4_ = 0, letter_t_ = 0;  // of the block, for the next one
  std::size_t max_depth_;
  bool looks_for_secrets_;
  JsonFault fault_ = JsonFault::none;
  std::size_t fault_at_ = 0;
};

// The text of a JSON string whose raw form was checked before. With positions, also the raw offset
// of each byte of the text, and one more for the end.
std::string decode_json_string(std::string_view raw, std::vector<std::size_t>* positions = nullptr);

// ── Inline, since the translator lives in them
// ────────────────────────────────────────────────────

// Runs of hex digits are followed from block to block, so that one across the border is seen.
template <bool kWithSecrets>
inline void JsonCursor::fill_block(const char* from, bool follows) {
  const ByteMasks masks = byte_masks<kWithSecrets>(from);
  bits_.stops = masks.stops;
  bits_.high = masks.high;
  if constexpr (kWithSecrets) {
    if (!follows) hex1_ = hex2_ = hex4_ = letter_t_ = 0;
    const std::uint64_t two = masks.hex & (masks.hex << 1 | hex1_ >> 63);
    const std::uint64_t four = two & (two << 2 | hex2_ >> 62);
    const std::uint64_t eight = four & (four << 4 | hex4_ >> 60);
    bits_.secrets = eight | (masks.underscore & (masks.letter_t << 1 | letter_t_ >> 63));
    hex1_ = masks.hex;
    hex2_ = two;
    hex4_ = four;
    letter_t_ = masks.letter_t;
  }
}

inline void JsonCursor::load_block(std::size_t number) {
  const char* from = begin_ + number * 64;
  char tail[64];
  if (end_ - from < 64) {  // the text's last bytes: a copy with zeros behind it
    std::memset(tail, 0, sizeof tail);
    std::memcpy(tail, from, static_cast<std::size_t>(end_ - from));
    from = tail;
  }
  const bool follows = number == block_ + 1;
  block_ = number;
  if (looks_for_secrets_)
    fill_block<true>(from, follows);
  else
    fill_block<false>(from, follows);
}

inline bool JsonCursor::skip_string(StringTraits& traits) {
  const char* const first = ++at_;
  std::uint64_t high = 0;
  std::uint64_t secrets = 0;
  while (true) {
    if (at_ >= end_) return fail_in_string(JsonFault::unexpected_end, end_, first);
    const auto offset = static_cast<std::size_t>(at_ - begin_);
    if (offset / 64 != block_) load_block(offset / 64);
    const unsigned skipped = offset % 64;
    const std::uint64_t stops = bits_.stops >> skipped;
    if (stops == 0) {
      high |= bits_.high >> skipped;
      secrets |= bits_.secrets >> skipped;
      at_ += 64 - skipped;
      continue;
    }
    const std::uint64_t before = (stops & (0 - stops)) - 1;  // ones below the stop
    high |= bits_.high >> skipped & before;
    secrets |= bits_.secrets >> skipped & before;
    at_ += __builtin_ctzll(stops);
    if (at_ >= end_) return fail_in_string(JsonFault::unexpected_end, end_, first);
    if (*at_ == '"') break;
    if (*at_ != '\\') return fail_in_string(JsonFault::control_character, at_, first);
    if (!skip_escape(traits)) return blame_utf8(first);
  }
  traits.is_suspicious |= secrets != 0;
  if (high != 0 && !check_utf8(first, at_)) return false;
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
  if (at != end_ && *at == '0')
    ++at;
  else if (!digits())
    return fail_at(JsonFault::bad_number, at);
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
    if (rest.starts_with(word)) {
      at_ += word.size();
      return true;
    }
    if (!rest.empty() && word.starts_with(rest)) return fail_at(JsonFault::unexpected_end, end_);
  }
  return fail_here(JsonFault::unexpected_byte);
}

template <class OnString>
bool JsonCursor::skip_value(OnString&& on_string, std::size_t depth) {
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
      if (depth + open.size() >= max_depth_) return fail_at(JsonFault::too_deep, at_ - 1);
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
