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

// Whether one of eight bytes needs an escape.
bool word_needs_escape(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const auto has_zero = [](std::uint64_t bytes) { return (bytes - kOnes) & ~bytes; };
  const std::uint64_t controls = (word - kOnes * 0x20) & ~word;
  return ((controls | has_zero(word ^ (kOnes * '"')) | has_zero(word ^ (kOnes * '\\'))) &
          (kOnes * 0x80)) != 0;
}

template <class Word>
Word load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

constexpr std::size_t kShort = 16;

// Copies up to kShort bytes by its first and its last ones, which may be the same, and says whether
// none of them needs an escape.
bool copy_short(char* to, std::string_view text) {
  const std::size_t size = text.size();
  const auto copied = [&]<class Word>(Word) {
    const std::size_t rest = size - sizeof(Word);
    const Word first = load<Word>(text.data());
    const Word last = load<Word>(text.data() + rest);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + rest, &last, sizeof last);
    // The bytes that a word does not have are spaces.
    constexpr std::uint64_t kSpaces = 0x2020202020202020U << (sizeof(Word) * 8 - 8U) << 8U;
    return !word_needs_escape(kSpaces | first) && !word_needs_escape(kSpaces | last);
  };
  if (size >= 8) return copied(std::uint64_t{});
  if (size >= 4) return copied(std::uint32_t{});
  if (size >= 2) return copied(std::uint16_t{});
  if (size == 0) return true;
  *to = text.front();
  return !needs_escape(text.front());
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

// Small pieces of a text on their way to its end: they are put together here, and go there many at
// once; the last of them with direct().
class Pieces {
 public:
  explicit Pieces(std::string& out) : out_(out) {}
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  void put(char c) {
    need(1);
    *to_++ = c;
  }
  void put(std::string_view text) {
    if (text.size() > kRoom / 2) {
      direct() += text;
      return;
    }
    need(text.size());
    std::memcpy(to_, text.data(), text.size());
    to_ += text.size();
  }
  void put_string(std::string_view text) {
    if (text.size() > kShort) {
      append_json_string(direct(), text);
      return;
    }
    need(kShort + 2);
    *to_ = '"';
    if (!copy_short(to_ + 1, text)) {
      append_json_string(direct(), text);
      return;
    }
    to_ += text.size() + 1;
    *to_++ = '"';
  }
  template <class Number>
  void put_number(Number value) {
    std::string digits;  // no more than it has room for without asking for some, as a rule
    append_json_number(digits, value);
    put(digits);
  }
  // The text itself, for what is larger.
  std::string& direct() {
    flush();
    return out_;
  }

 private:
  static constexpr std::size_t kRoom = 512;
  void need(std::size_t bytes) {
    if (static_cast<std::size_t>(room_ + kRoom - to_) < bytes) flush();
  }
  void flush() {
    out_.append(room_, static_cast<std::size_t>(to_ - room_));
    to_ = room_;
  }

  std::string& out_;
  char room_[kRoom];
  char* to_ = room_;
};

class Writer {
 public:
  Writer(std::string& out, bool is_pretty) : is_pretty_(is_pretty), out_(out) {}

  void write(const Json& value) {
    switch (value.kind()) {
      case boost::json::kind::null: out_.put("null"); return;
      case boost::json::kind::bool_: out_.put(value.get_bool() ? "true" : "false"); return;
      case boost::json::kind::int64: out_.put_number(value.get_int64()); return;
      case boost::json::kind::uint64: out_.put_number(value.get_uint64()); return;
      case boost::json::kind::double_: out_.put_number(value.get_double()); return;
      case boost::json::kind::string: out_.put_string(view(value.get_string())); return;
      case boost::json::kind::array: write_array(value.get_array()); return;
      case boost::json::kind::object: write_object(value.get_object()); return;
    }
  }

  void write_object(const JsonObject& object) {
    out_.put('{');
    ++depth_;
    bool is_first = true;
    for (const auto& member : object) {
      begin_item(is_first);
      is_first = false;
      out_.put_string(view(member.key()));
      out_.put(':');
      if (is_pretty_) out_.put(' ');
      write(member.value());
    }
    --depth_;
    end_items(object.empty());
    out_.put('}');
  }

  // The last that is asked of it. No destructor does this: where memory ends, it throws.
  void end() { out_.direct(); }

 private:
  template <class Text>
  static std::string_view view(const Text& text) {
    return {text.data(), text.size()};
  }

  void write_array(const JsonArray& array) {
    out_.put('[');
    ++depth_;
    for (std::size_t i = 0; i < array.size(); ++i) {
      begin_item(i == 0);
      write(array[i]);
    }
    --depth_;
    end_items(array.empty());
    out_.put(']');
  }

  void begin_item(bool is_first) {
    if (!is_first) out_.put(',');
    if (is_pretty_) new_line();
  }

  void end_items(bool is_empty) {
    if (is_pretty_ && !is_empty) new_line();
  }

  void new_line() { out_.direct().append(1, '\n').append(2 * depth_, ' '); }

  bool is_pretty_;
  std::size_t depth_ = 0;
  Pieces out_;
};

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  if (text.size() <= kShort) {
    char room[kShort + 2];
    room[0] = '"';
    if (copy_short(room + 1, text)) {
      room[text.size() + 1] = '"';
      out.append(room, text.size() + 2);
      return;
    }
  }
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

void append_json(std::string& out, const Json& value) {
  Writer writer(out, false);
  writer.write(value);
  writer.end();
}

void append_json(std::string& out, const JsonObject& value) {
  Writer writer(out, false);
  writer.write_object(value);
  writer.end();
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
  Writer writer(out, true);
  writer.write(value);
  writer.end();
  return out + '\n';
}

}  // namespace alfred
