// JsonScanner: skips over the tokens of a JSON text and checks their grammar, without building
// anything. For who copies most of a text and changes a little of it.
//
// R1 a token is accepted exactly when RFC 8259 accepts it: white space, numbers, escapes, UTF-8 and
//    surrogate pairs are checked.
// R2 each function takes the place where a token starts and returns the place after it, or null for a
//    fault; the first fault is kept, and error() says what it is and at which byte.
// R3 it never reads past the end of the text it was given.
// R4 a string is looked at once, 32 bytes at a time; if it is that short and plain, skipping it
//    takes no branch on its length.
#pragma once

#include <array>
#include <bit>
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

// What a string holds besides plain ASCII; set by JsonScanner::string().
struct StringTraits {
  bool has_escape = false;
  bool has_unicode_escape = false;
  bool is_suspicious = false;  // holds eight hex digits in a row, or `t_` (when looked for)
};

class JsonScanner {
 public:
  // With looks_for_secrets, string() says which strings may hold a key (is_suspicious).
  JsonScanner(std::string_view text, std::size_t max_depth, bool looks_for_secrets)
      : begin_(text.data()),
        end_(begin_ + text.size()),
        max_depth_(max_depth),
        looks_for_secrets_(looks_for_secrets) {}
  JsonScanner(const JsonScanner&) = delete;
  JsonScanner& operator=(const JsonScanner&) = delete;

  const char* begin() const { return begin_; }
  const char* end() const { return end_; }
  char peek(const char* at) const { return at == end_ ? '\0' : *at; }

  const char* space(const char* at) const {
    if (at != end_ && static_cast<unsigned char>(*at) > ' ') return at;
    while (at != end_ && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
    return at;
  }
  // One punctuation byte, with the white space before it.
  const char* punctuation(const char* at, char expected) {
    at = space(at);
    return peek(at) == expected && at != end_ ? at + 1 : fail(JsonFault::unexpected_byte, at);
  }
  const char* string(const char* at, StringTraits& traits);  // stands on the opening quote
  // The same for a string of ASCII with nothing in it that traits speak of. Null, and no fault, for
  // any other, now and then also for such a one. Precondition: kReads bytes are there, kLooks is
  // looks_for_secrets, and strings are trusted.
  static constexpr std::ptrdiff_t kReads = 1 + kStretch;
  template <bool kLooks, class Masks = NativeMasks>
  const char* plain_string(const char* at) const;
  // From now on no string is plain.
  void distrust_strings() { trusts_strings_ = false; }
  bool trusts_strings() const { return trusts_strings_; }
  const char* number(const char* at);
  // The same where kNumberReads bytes or more are left, and the first is a digit. Null, and no
  // fault, for one that is not as usual.
  static constexpr std::ptrdiff_t kNumberReads = 17;
  static const char* usual_number(const char* at);
  const char* word(const char* at);  // true, false, null
  // The same where five bytes or more are left. Null, and no fault, when it is none.
  static const char* inner_word(const char* at);
  // Any value, white space before it included, `depth` levels down. on_string(first, last, traits)
  // sees every string in it, names of members included, as the raw text between its quotes.
  template <class OnString>
  const char* value(const char* at, OnString&& on_string, std::size_t depth = 0) {
    return values(at, on_string, depth, {});
  }
  // The rest of an array from one of its elements on; `depth` is the array's.
  template <class OnString>
  const char* elements(const char* at, OnString&& on_string, std::size_t depth) {
    return values(at, on_string, depth, "]");
  }

  const char* fail(JsonFault fault, const char* where);  // returns null
  JsonFault fault() const { return fault_; }
  Error error() const;  // precondition: a fault
  std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - begin_); }

 private:
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kRun = 8;  // of hex digits: what a key's text shows of it at least

  bool shows_key(const char* first, const char* last) const;
  template <bool kWithBars>
  const char* next_stop(const char* at) const;
  const char* long_string(const char* at, StringTraits& traits);
  const char* long_number(const char* at);
  const char* last_word(const char* at);
  const char* escape(const char* at, StringTraits& traits);
  bool read_hex4(const char* from, unsigned& unit);
  // `open` are the brackets we are inside of, innermost last.
  template <class OnString>
  const char* values(const char* at, OnString& on_string, std::size_t depth, std::string open);

  const char* begin_;
  const char* end_;
  std::size_t max_depth_;
  bool looks_for_secrets_;
  bool trusts_strings_ = true;
  JsonFault fault_ = JsonFault::none;
  std::size_t fault_at_ = 0;
};

// The text of a JSON string whose raw form was checked before. With positions, also the raw offset
// of each byte of the text, and one more for the end.
std::string decode_json_string(std::string_view raw, std::vector<std::size_t>* positions = nullptr);

// Inline, since the translator lives in them.

template <bool kLooks, class Masks>
[[gnu::always_inline]] inline const char* JsonScanner::plain_string(const char* at) const {
  // A run of eight hex digits fills a group of four, wherever it begins.
  const auto may_show_key = [](const char* from, std::size_t size) __attribute__((always_inline)) {
    return kLooks && Masks::before_hex_group(from) < size;
  };
  const char* from = at + 1;
  BeforeQuote before = Masks::template before_quote<kLooks>(from);
  while (before.count == kStretch) [[unlikely]] {
    if (!before.is_plain || may_show_key(from, kStretch)) return nullptr;
    from += kStretch;
    if (end_ - from < kReads) return nullptr;
    before = Masks::template before_quote<kLooks>(from);
  }
  if (!before.is_plain || may_show_key(from, before.count)) [[unlikely]]
    return nullptr;
  return from + before.count + 1;
}

[[gnu::always_inline]] inline const char* JsonScanner::string(const char* at,
                                                              StringTraits& traits) {
  if (end_ - at < kReads || !trusts_strings_) return long_string(at, traits);
  const char* const after = looks_for_secrets_ ? plain_string<true>(at) : plain_string<false>(at);
  return after != nullptr ? after : long_string(at, traits);
}

inline const char* JsonScanner::number(const char* at) {
  if (end_ - at < kNumberReads || *at < '0' || *at > '9') return long_number(at);
  const char* const after = usual_number(at);
  return after != nullptr ? after : long_number(at);
}

// How many of eight bytes are digits, from the first on.
[[gnu::always_inline]] inline std::size_t count_digits(const char* at) {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, 8);
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  const std::uint64_t digits = bytes ^ ('0' * kOnes);  // 0 to 9 where a digit stands
  const std::uint64_t others =
      (digits | ((digits & (0x7f * kOnes)) + (0x76 * kOnes))) & (0x80 * kOnes);
  return static_cast<std::size_t>(std::countr_zero(others)) / 8;
}

// At most seven digits, and as many behind a point, without a loop.
[[gnu::always_inline]] inline const char* JsonScanner::usual_number(const char* at) {
  const std::size_t whole = count_digits(at);
  if (whole == 8 || (*at == '0' && whole != 1)) return nullptr;
  at += whole;
  if (*at == '.') {
    const std::size_t parts = count_digits(at + 1);
    if (parts == 0 || parts == 8) return nullptr;
    at += 1 + parts;
  }
  return (*at | 0x20) != 'e' ? at : nullptr;
}

inline const char* JsonScanner::word(const char* at) {
  if (end_ - at < 5) return last_word(at);
  const char* const after = inner_word(at);
  return after != nullptr ? after : fail(JsonFault::unexpected_byte, at);
}

[[gnu::always_inline]] inline const char* JsonScanner::inner_word(const char* at) {
  const auto stands_here = [at](const char* four) __attribute__((always_inline)) {
    return std::memcmp(at, four, 4) == 0;
  };
  if (stands_here("null") || stands_here("true")) return at + 4;
  return stands_here("fals") && at[4] == 'e' ? at + 5 : nullptr;
}

template <class OnString>
const char* JsonScanner::values(const char* at, OnString& on_string, std::size_t depth,
                                std::string open) {
  const auto string_token = [&](const char* quote) {
    StringTraits traits;
    const char* const after = string(quote, traits);
    if (after != nullptr) on_string(quote + 1, after - 1, traits);
    return after;
  };
  const auto member_name = [&](const char* from) {
    from = space(from);
    if (peek(from) != '"') return fail(JsonFault::unexpected_byte, from);
    from = string_token(from);
    return from == nullptr ? nullptr : punctuation(from, ':');
  };
  while (true) {
    at = space(at);
    const char c = peek(at);
    if (c == '"') {
      at = string_token(at);
    } else if (c == '{' || c == '[') {
      if (depth + open.size() >= max_depth_) return fail(JsonFault::too_deep, at);
      open.push_back(c == '{' ? '}' : ']');
      at = space(at + 1);
      if (peek(at) != open.back()) {
        if (c == '{') at = member_name(at);
        if (at == nullptr) return nullptr;
        continue;
      }
    } else {
      at = c == '-' || (c >= '0' && c <= '9') ? number(at) : word(at);
    }
    while (at != nullptr && !open.empty()) {  // after a value: close what ends here, or go on
      at = space(at);
      if (peek(at) == open.back()) {
        ++at;
        open.pop_back();
        continue;
      }
      at = punctuation(at, ',');
      if (at != nullptr && open.back() == '}') at = member_name(at);
      break;
    }
    if (at == nullptr || open.empty()) return at;
  }
}

}  // namespace alfred
