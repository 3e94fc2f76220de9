#include <cstdint>
#include <cstring>

#include "base/json/json.h"
#include "base/json/json_number.h"
#include "base/json/json_text.h"

namespace alfred {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

// The letter after the backslash for the controls that have a short escape, else 0.
char short_escape(char c) {
  switch (c) {
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '"': return '"';
    case '\\': return '\\';
    default: return 0;
  }
}

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Many bytes at once, whatever the processor calls it.
using Bytes16 = unsigned char __attribute__((vector_size(16)));
using Bytes8 = unsigned char __attribute__((vector_size(8)));

// Whether one of so many bytes needs an escape.
template <class Bytes>
bool any_needs_escape(const char* at) {
  Bytes bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  const auto found = (bytes < 0x20) | (bytes == '"') | (bytes == '\\');
  std::uint64_t words[sizeof bytes / sizeof(std::uint64_t)];
  std::memcpy(words, &found, sizeof words);
  std::uint64_t any = 0;
  for (const std::uint64_t word : words) any |= word;
  return any != 0;
}

// The place of the first byte from here on that may need an escape, or the end. The last bytes are
// looked at together with those before them.
template <class Bytes>
std::size_t skip_plain(std::string_view text, std::size_t from) {
  if (text.size() < sizeof(Bytes)) return from;
  for (; from + sizeof(Bytes) <= text.size(); from += sizeof(Bytes))
    if (any_needs_escape<Bytes>(text.data() + from)) return from;
  return any_needs_escape<Bytes>(text.data() + text.size() - sizeof(Bytes)) ? from : text.size();
}

// The place of the first byte from here on that needs an escape, or the end.
std::size_t next_escape(std::string_view text, std::size_t from) {
  from = text.size() < sizeof(Bytes16) ? skip_plain<Bytes8>(text, from)
                                       : skip_plain<Bytes16>(text, from);
  while (from < text.size() && !needs_escape(text[from])) ++from;
  return from;
}

constexpr std::size_t kLongestEscape = 6;  // \u001f

// Where the next byte goes.
char* put_escape(char* to, char c) {
  *to++ = '\\';
  if (const char letter = short_escape(c); letter != 0) {
    *to++ = letter;
    return to;
  }
  const auto byte = static_cast<unsigned char>(c);
  for (const char digit : {'u', '0', '0', kHexDigits[byte >> 4U], kHexDigits[byte & 0x0FU]})
    *to++ = digit;
  return to;
}

// Where one byte needs an escape others often do, as in JSON inside of JSON: pieces of sixteen that
// have one are copied byte by byte, by way of a room that is large enough for any of them.
void append_escaped(std::string& out, std::string_view text) {
  constexpr std::size_t kStep = sizeof(Bytes16);
  char room[16 * kStep * kLongestEscape];
  char* const full = room + sizeof room - kStep * kLongestEscape;
  char* to = room;
  for (std::size_t at = 0; at < text.size(); at += kStep) {
    if (to > full) {
      out.append(room, static_cast<std::size_t>(to - room));
      to = room;
    }
    const std::string_view piece = text.substr(at, kStep);
    if (piece.size() == kStep && !any_needs_escape<Bytes16>(piece.data())) {
      std::memcpy(to, piece.data(), kStep);
      to += kStep;
      continue;
    }
    for (const char c : piece) {
      if (static_cast<unsigned char>(c) < 0x20) {
        to = put_escape(to, c);
        continue;
      }
      *to = '\\';  // stays before a quote or another one, which nothing else is put for
      to += c == '"' || c == '\\' ? 1 : 0;
      *to++ = c;
    }
  }
  out.append(room, static_cast<std::size_t>(to - room));
}

class Writer {
 public:
  Writer(std::string& out, bool is_pretty) : is_pretty_(is_pretty), out_(out) {}

  void write(const Json& value) {
    switch (value.kind()) {
      case boost::json::kind::null: out_ += "null"; return;
      case boost::json::kind::bool_: out_ += value.get_bool() ? "true" : "false"; return;
      case boost::json::kind::int64: append_json_number(out_, value.get_int64()); return;
      case boost::json::kind::uint64: append_json_number(out_, value.get_uint64()); return;
      case boost::json::kind::double_: append_json_number(out_, value.get_double()); return;
      case boost::json::kind::string: append_json_string(out_, view(value.get_string())); return;
      case boost::json::kind::array: write_array(value.get_array()); return;
      case boost::json::kind::object: write_object(value.get_object()); return;
    }
  }

  void write_object(const JsonObject& object) {
    out_ += '{';
    ++depth_;
    bool is_first = true;
    for (const auto& member : object) {
      begin_item(is_first);
      is_first = false;
      append_json_string(out_, view(member.key()));
      out_ += ':';
      if (is_pretty_) out_ += ' ';
      write(member.value());
    }
    --depth_;
    end_items(object.empty());
    out_ += '}';
  }

 private:
  template <class Text>
  static std::string_view view(const Text& text) {
    return {text.data(), text.size()};
  }

  void write_array(const JsonArray& array) {
    out_ += '[';
    ++depth_;
    for (std::size_t i = 0; i < array.size(); ++i) {
      begin_item(i == 0);
      write(array[i]);
    }
    --depth_;
    end_items(array.empty());
    out_ += ']';
  }

  void begin_item(bool is_first) {
    if (!is_first) out_ += ',';
    if (is_pretty_) new_line();
  }

  void end_items(bool is_empty) {
    if (is_pretty_ && !is_empty) new_line();
  }

  void new_line() {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  bool is_pretty_;
  std::size_t depth_ = 0;
  std::string& out_;
};

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  const std::size_t first = next_escape(text, 0);
  if (first == text.size()) {  // as most are
    out += '"';
    out.append(text);
    out += '"';
    return;
  }
  (out += '"') += text.substr(0, first);
  append_escaped(out, text.substr(first));
  out += '"';
}

void append_json(std::string& out, const Json& value) { Writer(out, false).write(value); }

void append_json(std::string& out, const JsonObject& value) {
  Writer(out, false).write_object(value);
}

std::size_t next_json_escape(std::string_view text, std::size_t from) {
  return next_escape(text, from);
}

void append_json_name(std::string& out, std::string_view name) {
  if (!out.ends_with('{')) out += ',';
  append_json_string(out, name);
  out += ':';
}

std::string write_json(const Json& value) {
  std::string out;
  append_json(out, value);
  return out;
}

std::string write_json_pretty(const Json& value) {
  std::string out;
  Writer(out, true).write(value);
  return out + '\n';
}

}  // namespace alfred
