#include "base/json/json_scanner.h"

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

// The end of the text when there is none.
template <bool kWithBars>
const char* JsonScanner::next_stop(const char* at) const {
  while (end_ - at >= static_cast<std::ptrdiff_t>(kStretch)) {
    const std::size_t count = bytes_before_stop<kWithBars>(at);
    if (count != kStretch) return at + count;
    at += kStretch;
  }
  while (at != end_ && !is_stop<kWithBars>(*at)) ++at;
  return at;
}

const char* JsonScanner::long_string(const char* at, StringTraits& traits) {
  const char* const first = ++at;
  while (true) {
    at = looks_for_secrets_ ? next_stop<true>(at) : next_stop<false>(at);
    if (at == end_) return fail(JsonFault::unexpected_end, end_);
    const auto c = static_cast<unsigned char>(*at);
    if (c == '"') break;
    if (c < 0x20) return fail(JsonFault::control_character, at);
    if (c >= 0x80) {
      const std::size_t size = utf8_size({at, static_cast<std::size_t>(end_ - at)});
      if (size == 0) return fail(JsonFault::bad_utf8, at);
      at += size;
    } else if (c == '\\') {
      at = escape(at, traits);
      if (at == nullptr) return nullptr;
    } else {  // a bar
      traits.is_suspicious |= at[0] == '_' && at[-1] == 't';
      ++at;
    }
  }
  if (looks_for_secrets_ && !traits.is_suspicious) traits.is_suspicious = shows_key(first, at);
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
