#include "base/json_scanner.h"

#include <algorithm>
#include <span>

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

// The window that begins with the block of this byte.
void JsonScanner::load_window(const char* at) {
  const char* const from = at - reinterpret_cast<std::uintptr_t>(at) % kBlock;
  // The window's extra block is the next window's first.
  const bool follows = window_ != nullptr && from == window_ + kWindow;
  window_ = from;
  stops_base_ = reinterpret_cast<std::uintptr_t>(stops_.data()) -
                reinterpret_cast<std::uintptr_t>(window_) / 8;
  if (follows) {
    stops_.front() = stops_.back();
  } else {
    // The rest of a character that stands where a jump leads to was part of something skipped.
    utf8_upto_ = std::max(from, begin_);
    while (utf8_upto_ != end_ && (*utf8_upto_ & 0xc0) == 0x80) ++utf8_upto_;
  }
  if (looks_for_secrets_)
    load_blocks<true>(follows ? 1 : 0);
  else
    load_blocks<false>(follows ? 1 : 0);
}

// Blocks that hold more than ASCII are few and not foreseen: they are noted, and seen to
// afterwards.
template <bool kWithBars>
void JsonScanner::load_blocks(std::size_t first_block) {
  const char* const window = window_;
  const std::size_t whole =
      std::min(static_cast<std::size_t>(end_ - window) / kBlock, stops_.size());
  std::array<std::uint32_t, kWindow / kBlock + 1> noted;
  std::size_t note_count = 0;
  std::size_t i = first_block;
  if (window < begin_) load_part<kWithBars>(i++);
  for (; i < whole; ++i) {
    const ByteMasks masks = byte_masks<kWithBars>(window + i * kBlock);
    stops_[i] = masks.stops;
    noted[note_count] = static_cast<std::uint32_t>(i);
    note_count += masks.has_high ? 1 : 0;
  }
  for (const std::uint32_t block : std::span(noted).first(note_count))
    follow_utf8(window + block * kBlock, high_bits(window + block * kBlock));
  if (i < stops_.size()) load_part<kWithBars>(i++);
  for (; i < stops_.size(); ++i) stops_[i] = 0;
}

// A block that the text begins or ends in. Nothing stops outside of it.
template <bool kWithBars>
void JsonScanner::load_part(std::size_t number) {
  const char* const block = window_ + number * kBlock;
  const char* const first = std::max(block, begin_);
  const char* const last = std::min(block + kBlock, end_);
  std::array<char, kBlock> bytes;
  bytes.fill(' ');
  if (first < last) std::copy(first, last, bytes.data() + (first - block));
  stops_[number] = byte_masks<kWithBars>(bytes.data()).stops;
  follow_utf8(block, high_bits(bytes.data()));
}

// Checks the characters that begin in a block. Continuation bytes that none of them claims are
// found where they stand: no character before reaches up to them.
void JsonScanner::follow_utf8(const char* block, std::uint64_t high) {
  while (true) {
    if (utf8_upto_ > block) {
      const auto checked = static_cast<std::size_t>(utf8_upto_ - block);
      high = checked >= kBlock ? 0 : high & ~std::uint64_t{0} << checked;
    }
    if (high == 0) return;
    const char* const at = block + __builtin_ctzll(high);
    const std::size_t size = utf8_size({at, static_cast<std::size_t>(end_ - at)});
    if (size == 0) {
      is_utf8_ = false;
      distrust_strings();
      return;
    }
    utf8_upto_ = at + size;
  }
}

const char* JsonScanner::long_string(const char* at, StringTraits& traits) {
  constexpr std::uint64_t kKnown = (std::uint64_t{1} << 57) - 1;
  const char* const first = ++at;
  while (true) {
    if (at >= end_) return fail_in_string(JsonFault::unexpected_end, end_, first);
    if (static_cast<std::size_t>(at - window_) >= kWindow) load_window(at);
    const std::uint64_t stops = stops_from(at) & kKnown;
    if (stops == 0) {
      at += 57;
      continue;
    }
    at += __builtin_ctzll(stops);
    if (at >= end_) return fail_in_string(JsonFault::unexpected_end, end_, first);
    if (*at == '"') break;
    if (static_cast<unsigned char>(*at) < 0x20)
      return fail_in_string(JsonFault::control_character, at, first);
    if (*at != '\\') {  // a bar
      traits.is_suspicious |= at[0] == '_' && at[-1] == 't';
      ++at;
      continue;
    }
    at = escape(at, traits);
    if (at == nullptr) return blame_utf8(first);
  }
  if (looks_for_secrets_ && !traits.is_suspicious) traits.is_suspicious = shows_key(first, at);
  if (!is_utf8_ && check_utf8(first, at) == nullptr) return nullptr;
  return at + 1;
}

// Eight hex digits in a row. Blocks overlap by what a run that began in the one before may hold.
bool JsonScanner::shows_key(const char* first, const char* last) const {
  for (; last - first >= static_cast<std::ptrdiff_t>(kBlock); first += kBlock - kRun + 1)
    if (runs_of_eight(hex_bits(first)) != 0) return true;
  std::array<char, kBlock> rest{};
  std::memcpy(rest.data(), first, static_cast<std::size_t>(last - first));
  return runs_of_eight(hex_bits(rest.data())) != 0;
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
  for (const std::string_view word : {"null", "true", "false"}) {
    if (rest.starts_with(word)) return at + word.size();
    if (!rest.empty() && word.starts_with(rest)) return fail(JsonFault::unexpected_end, end_);
  }
  return fail(JsonFault::unexpected_byte, at);
}

const char* JsonScanner::check_utf8(const char* first, const char* last) {
  const auto bad = first_invalid_utf8({first, static_cast<std::size_t>(last - first)});
  return bad ? fail(JsonFault::bad_utf8, first + *bad) : last;
}

const char* JsonScanner::fail_in_string(JsonFault fault, const char* where, const char* first) {
  fail(fault, where);
  return blame_utf8(first);
}

// A string is checked for UTF-8 once, at its end. When it breaks off before, what is wrong first is
// still what is reported.
const char* JsonScanner::blame_utf8(const char* first) {
  const char* const fault = begin_ + fault_at_;
  const auto bad = first_invalid_utf8({first, static_cast<std::size_t>(fault - first)});
  if (!bad) return nullptr;
  fault_ = JsonFault::bad_utf8;
  fault_at_ = offset(first + *bad);
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
  const std::string_view rest(at + 6, static_cast<std::size_t>(end_ - at - 6));
  const bool breaks_off =
      unit < 0xdc00 && rest.size() < 2 && std::string_view("\\u").starts_with(rest);
  if (breaks_off) return fail(JsonFault::unexpected_end, end_);
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
