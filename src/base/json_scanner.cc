#include "base/json_scanner.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"

namespace alfred {
namespace {

struct FaultRow {
  ErrorCode code;
  std::string_view says;
};

FaultRow fault_row(JsonFault fault) {
  switch (fault) {
    case JsonFault::unexpected_end: return {ErrorCode::json, "the JSON text ends too early"};
    case JsonFault::control_character:
      return {ErrorCode::json, "a control character stands unescaped in a string"};
    case JsonFault::bad_escape: return {ErrorCode::json, "not an escape sequence of JSON"};
    case JsonFault::lone_surrogate: return {ErrorCode::utf8, "half a surrogate pair stands alone"};
    case JsonFault::bad_utf8: return {ErrorCode::utf8, "these bytes are not UTF-8"};
    case JsonFault::bad_number: return {ErrorCode::json, "not a number of JSON"};
    case JsonFault::too_deep: return {ErrorCode::limit, "the value is nested too deeply"};
    case JsonFault::duplicate_key:
      return {ErrorCode::json_dupkey, "the row names this column twice; name it once"};
    case JsonFault::none:
    case JsonFault::unexpected_byte: break;
  }
  return {ErrorCode::json, "this is not JSON"};
}

void append_utf8(std::string& out, unsigned point) {
  const auto push = [&out](unsigned byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) return push(point);
  if (point < 0x800) {
    push(0xc0 | point >> 6);
  } else if (point < 0x10000) {
    push(0xe0 | point >> 12);
    push(0x80 | (point >> 6 & 0x3f));
  } else {
    push(0xf0 | point >> 18);
    push(0x80 | (point >> 12 & 0x3f));
    push(0x80 | (point >> 6 & 0x3f));
  }
  push(0x80 | (point & 0x3f));
}

unsigned hex4(std::string_view digits) {
  unsigned unit = 0;
  for (const char c : digits.substr(0, 4))
    unit = unit * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  return unit;
}

char simple_escape(char letter) {
  switch (letter) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return letter;  // " \ /
  }
}

}  // namespace

const char* JsonScanner::fail(JsonFault fault, const char* where) {
  if (fault_ == JsonFault::none) {
    fault_ = where == end_ && fault != JsonFault::too_deep ? JsonFault::unexpected_end : fault;
    fault_at_ = offset(where);
  }
  return nullptr;
}

Error JsonScanner::error() const {
  const FaultRow row = fault_row(fault_);
  std::string message = fmt::format("{}: byte {}", row.says, fault_at_);
  if (fault_ == JsonFault::too_deep) message += fmt::format("; {} levels are allowed", max_depth_);
  return Error{row.code, std::move(message), fmt::format("byte {}", fault_at_), {}, {}};
}

void JsonScanner::load_window(std::size_t start) {
  // The window's extra block is the next window's first.
  const bool follows = start == window_ + kWindow;
  window_ = start;
  std::size_t first_block = 0;
  if (follows) {
    stops_.front() = stops_.back();
    high_.front() = high_.back();
    secrets_.front() = secrets_.back();
    first_block = 1;
  } else {
    // A jump forgets the runs before it: no run reaches into a string from outside.
    hex1_ = hex2_ = hex4_ = letter_t_ = 0;
  }
  if (looks_for_secrets_)
    load_blocks<true>(begin_ + start, first_block);
  else
    load_blocks<false>(begin_ + start, first_block);
}

template <bool kWithSecrets>
void JsonScanner::load_blocks(const char* from, std::size_t first_block) {
  for (std::size_t i = first_block; i < stops_.size(); ++i) {
    const char* block = from + i * kBlock;
    std::array<char, kBlock> tail;
    if (end_ - block < static_cast<std::ptrdiff_t>(kBlock)) {  // the last bytes, zeros behind them
      tail.fill('\0');
      if (block < end_) std::memcpy(tail.data(), block, static_cast<std::size_t>(end_ - block));
      block = tail.data();
    }
    const ByteMasks masks = byte_masks<kWithSecrets>(block);
    stops_[i] = masks.stops;
    high_[i] = masks.high;
    if constexpr (kWithSecrets) {
      const std::uint64_t two = masks.hex & (masks.hex << 1 | hex1_ >> 63);
      const std::uint64_t four = two & (two << 2 | hex2_ >> 62);
      const std::uint64_t eight = four & (four << 4 | hex4_ >> 60);
      secrets_[i] = eight | (masks.underscore & (masks.letter_t << 1 | letter_t_ >> 63));
      hex1_ = masks.hex;
      hex2_ = two;
      hex4_ = four;
      letter_t_ = masks.letter_t;
    }
  }
}

const char* JsonScanner::long_string(const char* at, StringTraits& traits) {
  constexpr std::uint64_t kKnown = (std::uint64_t{1} << 57) - 1;
  const char* const first = ++at;
  std::uint64_t high = 0;
  std::uint64_t secrets = 0;
  while (true) {
    if (at >= end_) {
      fail(JsonFault::unexpected_end, end_);
      return blame_utf8(first);
    }
    if (offset(at) - window_ >= kWindow) load_window(offset(at) / kBlock * kBlock);
    const std::size_t place = offset(at) - window_;
    const std::uint64_t stops = bits_from(stops_, place) & kKnown;
    const std::uint64_t before = ((stops & (0 - stops)) - 1) & kKnown;  // ones below the stop
    high |= bits_from(high_, place) & before;
    secrets |= bits_from(secrets_, place) & before;
    if (stops == 0) {
      at += 57;
      continue;
    }
    at += __builtin_ctzll(stops);
    if (at < end_ && *at == '"') break;
    const bool is_escape = at < end_ && *at == '\\';
    at = is_escape ? escape(at, traits) : fail(JsonFault::control_character, std::min(at, end_));
    if (at == nullptr) return blame_utf8(first);
  }
  traits.is_suspicious |= secrets != 0;
  if (high != 0 && check_utf8(first, at) == nullptr) return nullptr;
  return at + 1;
}

const char* JsonScanner::long_number(const char* at) {
  const auto digits = [&] {
    const char* const from = at;
    while (at != end_ && *at >= '0' && *at <= '9') ++at;
    return at != from;
  };
  if (peek(at) == '-') ++at;
  if (peek(at) == '0')
    ++at;
  else if (!digits())
    return fail(JsonFault::bad_number, at);
  if (peek(at) == '.') {
    ++at;
    if (!digits()) return fail(JsonFault::bad_number, at);
  }
  if ((peek(at) | 0x20) == 'e') {
    ++at;
    if (peek(at) == '+' || peek(at) == '-') ++at;
    if (!digits()) return fail(JsonFault::bad_number, at);
  }
  return at;
}

const char* JsonScanner::last_word(const char* at) {
  const std::string_view rest(at, static_cast<std::size_t>(end_ - at));
  for (const std::string_view word : {"null", "true", "false"})
    if (rest.starts_with(word)) return at + word.size();
  for (const std::string_view word : {"null", "true", "false"})
    if (word.starts_with(rest)) return fail(JsonFault::unexpected_end, end_);
  return fail(JsonFault::unexpected_byte, at);
}

const char* JsonScanner::check_utf8(const char* first, const char* last) {
  const auto bad = first_invalid_utf8({first, static_cast<std::size_t>(last - first)});
  return bad ? fail(JsonFault::bad_utf8, first + *bad) : last;
}

// A string is checked for UTF-8 once, at its end. When it breaks off before, what is wrong first is
// still what is reported.
const char* JsonScanner::blame_utf8(const char* first) {
  const char* const fault = begin_ + fault_at_;
  const auto bad = first_invalid_utf8({first, static_cast<std::size_t>(fault - first)});
  if (bad) {
    fault_ = JsonFault::bad_utf8;
    fault_at_ = offset(first + *bad);
  }
  return nullptr;
}

bool JsonScanner::read_hex4(const char* from, unsigned& unit) {
  for (int i = 0; i < 4; ++i) {
    if (end_ - from <= i) return fail(JsonFault::unexpected_end, end_) != nullptr;
    const auto c = static_cast<unsigned char>(from[i]);
    const bool is_hex = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
    if (!is_hex) return fail(JsonFault::bad_escape, from + i) != nullptr;
  }
  unit = hex4({from, 4});
  return true;
}

// Stands on the backslash.
const char* JsonScanner::escape(const char* at, StringTraits& traits) {
  traits.has_escape = true;
  if (end_ - at < 2) return fail(JsonFault::unexpected_end, end_);
  if (at[1] != 'u') {
    const bool is_known = std::string_view("\"\\/bfnrt").find(at[1]) != std::string_view::npos;
    return is_known ? at + 2 : fail(JsonFault::bad_escape, at);
  }
  traits.has_unicode_escape = true;
  unsigned unit = 0;
  if (!read_hex4(at + 2, unit)) return nullptr;
  if (unit < 0xd800 || unit > 0xdfff) return at + 6;
  const std::string_view rest(at + 6, static_cast<std::size_t>(end_ - at) - 6);
  const bool breaks_off = rest.size() < 2 && std::string_view("\\u").starts_with(rest);
  if (unit < 0xdc00 && breaks_off) return fail(JsonFault::unexpected_end, end_);
  if (unit >= 0xdc00 || !rest.starts_with("\\u")) return fail(JsonFault::lone_surrogate, at);
  unsigned second = 0;
  if (!read_hex4(at + 8, second)) return nullptr;
  const bool is_pair = second >= 0xdc00 && second <= 0xdfff;
  return is_pair ? at + 12 : fail(JsonFault::lone_surrogate, at);
}

std::string decode_json_string(std::string_view raw, std::vector<std::size_t>* positions) {
  std::string text;
  text.reserve(raw.size());
  std::size_t at = 0;
  while (at < raw.size()) {
    const std::size_t from = at;
    if (raw[at] != '\\') {
      text.push_back(raw[at++]);
    } else if (raw[at + 1] != 'u') {
      text.push_back(simple_escape(raw[at + 1]));
      at += 2;
    } else {
      unsigned point = hex4(raw.substr(at + 2));
      at += 6;
      if (point >= 0xd800 && point < 0xdc00) {
        point = 0x10000 + ((point - 0xd800) << 10) + (hex4(raw.substr(at + 2)) - 0xdc00);
        at += 6;
      }
      append_utf8(text, point);
    }
    if (positions != nullptr) positions->resize(text.size(), from);
  }
  if (positions != nullptr) positions->push_back(raw.size());
  return text;
}

}  // namespace alfred
