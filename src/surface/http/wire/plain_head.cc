#include "surface/http/wire/plain_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <utility>

namespace alfred::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kVersion = " HTTP/1.1";
constexpr std::size_t kMostDigits = 15;

// A character of a field's name in lower case; 0: none has it (RFC 9110, 5.6.2).
constexpr std::array<char, 256> kNameChars = [] {
  std::array<char, 256> out{};
  for (const char c : std::string_view("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"))
    out.at(static_cast<unsigned char>(c)) = c;
  for (char c = 'A'; c <= 'Z'; ++c)
    out.at(static_cast<unsigned char>(c)) = static_cast<char>(c - 'A' + 'a');
  return out;
}();

bool is_printable(char c) { return c >= 0x20 && c < 0x7f; }

// Eight at a time.
bool is_printable(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    const std::uint64_t below = (eight - 0x20 * kOnes) & ~eight;
    const std::uint64_t beyond = (eight + kOnes) | eight;  // 0x7f, or no ASCII
    if (((below | beyond) & (0x80 * kOnes)) != 0) return false;
  }
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                     [](char c) { return is_printable(c); });
}

bool is_same(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

// Fields on which it depends where a body ends, or whether it is read at all.
bool says_more_of_body(std::string_view name) {
  constexpr std::string_view kNames[] = {"transfer-encoding", "content-encoding", "expect",
                                         "upgrade", "proxy-connection"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Reads a head from its beginning to its end; what is not plain makes it stop.
class PlainReader {
 public:
  PlainReader(std::string_view head, std::size_t most_fields)
      : rest_(head), most_fields_(most_fields) {}

  std::optional<PlainHead> read() {
    std::optional<std::string_view> line = next_line();
    if (!line || !read_line(*line)) return std::nullopt;
    out_.request.headers.reserve(std::min<std::size_t>(most_fields_, 8));
    for (line = next_line(); line && !line->empty(); line = next_line())
      if (!read_field(*line)) return std::nullopt;
    if (!line || !rest_.empty()) return std::nullopt;
    return std::move(out_);
  }

 private:
  // Empty: the end of the head. Nothing: what is left is no line.
  std::optional<std::string_view> next_line() {
    const std::size_t end = rest_.find('\r');
    if (end == std::string_view::npos || rest_.substr(end, kLineEnd.size()) != kLineEnd)
      return std::nullopt;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + kLineEnd.size());
    return line;
  }

  bool read_line(std::string_view line) {
    if (!line.ends_with(kVersion) || !is_printable(line)) return false;
    line.remove_suffix(kVersion.size());
    const std::size_t space = line.find(' ');
    if (space == 0 || space == std::string_view::npos) return false;
    const std::string_view method = line.substr(0, space);
    const std::string_view target = line.substr(space + 1);
    if (!target.starts_with('/') || target.find(' ') != std::string_view::npos) return false;
    if (!std::all_of(method.begin(), method.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
      return false;
    out_.request.method = method;
    out_.request.target = target;
    return true;
  }

  bool read_field(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string_view::npos) return false;
    if (out_.request.headers.size() >= most_fields_) return false;
    std::string_view value = line.substr(colon + 1);
    if (!is_printable(value)) return false;
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    std::string name(colon, '\0');
    for (std::size_t at = 0; at < colon; ++at) {
      name[at] = kNameChars.at(static_cast<unsigned char>(line[at]));
      if (name[at] == '\0') return false;
    }
    if (!read_meaning(name, value)) return false;
    out_.request.headers.emplace_back(std::move(name), value);
    return true;
  }

  bool read_meaning(std::string_view name, std::string_view value) {
    if (name == "content-length") {
      const char* const end = value.data() + value.size();
      if (std::exchange(has_length_, true) || value.empty() || value.size() > kMostDigits)
        return false;
      const auto [stop, wrong] = std::from_chars(value.data(), end, out_.length);
      return wrong == std::errc() && stop == end;
    }
    if (name == "connection") {
      const bool closes = is_same(value, "close");
      out_.request.keeps_alive = !closes;
      return !std::exchange(has_connection_, true) && (closes || is_same(value, "keep-alive"));
    }
    return !says_more_of_body(name);
  }

  std::string_view rest_;
  std::size_t most_fields_;
  PlainHead out_{};
  bool has_length_ = false;
  bool has_connection_ = false;
};

}  // namespace

std::optional<PlainHead> read_plain_head(std::string_view head, std::size_t most_fields) {
  return PlainReader(head, most_fields).read();
}

}  // namespace alfred::http
