#include "base/json_cursor.h"

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

bool JsonCursor::fail_at(JsonFault fault, const char* where) {
  if (fault_ == JsonFault::none) {
    fault_ = where == end_ && fault != JsonFault::too_deep ? JsonFault::unexpected_end : fault;
    fault_at_ = static_cast<std::size_t>(where - begin_);
  }
  return false;
}

Error JsonCursor::error() const {
  const FaultRow row = fault_row(fault_);
  std::string message = fmt::format("{}: byte {}", row.says, fault_at_);
  if (fault_ == JsonFault::too_deep) message += fmt::format("; {} levels are allowed", max_depth_);
  return Error{row.code, std::move(message), fmt::format("byte {}", fault_at_), {}, {}};
}

bool JsonCursor::check_utf8(const char* first, const char* last) {
  const auto bad = first_invalid_utf8({first, static_cast<std::size_t>(last - first)});
  return !bad || fail_at(JsonFault::bad_utf8, first + *bad);
}

bool JsonCursor::fail_in_string(JsonFault fault, const char* where, const char* first) {
  fail_at(fault, where);
  return blame_utf8(first);
}

// A string is checked for UTF-8 once, at its end. When it breaks off before, what is wrong first is
// still what is reported.
bool JsonCursor::blame_utf8(const char* first) {
  const char* const fault = begin_ + fault_at_;
  const auto bad = first_invalid_utf8({first, static_cast<std::size_t>(fault - first)});
  if (!bad) return false;
  fault_ = JsonFault::bad_utf8;
  fault_at_ = static_cast<std::size_t>(first + *bad - begin_);
  return false;
}

bool JsonCursor::read_hex4(const char* from, unsigned& unit) {
  for (int i = 0; i < 4; ++i) {
    if (end_ - from <= i) return fail_at(JsonFault::unexpected_end, end_);
    const auto c = static_cast<unsigned char>(from[i]);
    const bool is_hex = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
    if (!is_hex) return fail_at(JsonFault::bad_escape, from + i);
  }
  unit = hex4({from, 4});
  return true;
}

bool JsonCursor::skip_escape(StringTraits& traits) {
  const char* const backslash = at_;
  traits.has_escape = true;
  if (end_ - at_ < 2) return fail_at(JsonFault::unexpected_end, end_);
  if (at_[1] != 'u') {
    if (std::string_view("\"\\/bfnrt").find(at_[1]) == std::string_view::npos)
      return fail_at(JsonFault::bad_escape, backslash);
    at_ += 2;
    return true;
  }
  traits.has_unicode_escape = true;
  unsigned unit = 0;
  if (!read_hex4(at_ + 2, unit)) return false;
  at_ += 6;
  if (unit < 0xd800 || unit > 0xdfff) return true;
  unsigned second = 0;
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  const bool breaks_off =
      unit < 0xdc00 && rest.size() < 2 && std::string_view("\\u").starts_with(rest);
  if (breaks_off) return fail_at(JsonFault::unexpected_end, end_);
  if (unit >= 0xdc00 || !rest.starts_with("\\u"))
    return fail_at(JsonFault::lone_surrogate, backslash);
  if (!read_hex4(at_ + 2, second)) return false;
  if (second < 0xdc00 || second > 0xdfff) return fail_at(JsonFault::lone_surrogate, backslash);
  at_ += 6;
  return true;
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
