#include "surface/http/wire/chunk_reader.h"

#include <algorithm>
#include <charconv>

namespace alfred::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kMostDigits = 15;  // more than any size that could be meant

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";

// The name of a field: what RFC 9110 calls a token.
bool is_name(std::string_view text) {
  const auto is_good = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_good);
}

}  // namespace

void ChunkReader::refuse(int status, std::string message) {
  refusal_ = Refusal{status, std::move(message)};
}

std::optional<std::string_view> ChunkReader::line(std::string_view bytes, std::size_t longest) {
  const std::size_t size = std::min(bytes.find(kLineEnd), bytes.size());
  const bool is_whole = size < bytes.size();
  std::string_view text = bytes.substr(0, size);
  if (!is_whole && text.ends_with('\r')) text.remove_suffix(1);  // its other half may come
  if (std::any_of(text.begin(), text.end(), is_control)) {
    refuse(400, "The chunks of the body have a byte that does not belong there.");
    return std::nullopt;
  }
  if (text.size() > longest) {
    refuse(at_ == At::trailer ? 431 : 400, "A line between the chunks of the body is too long.");
    return std::nullopt;
  }
  return is_whole ? std::optional(text) : std::nullopt;
}

void ChunkReader::read_size(std::string_view line, std::size_t body_size) {
  const std::string_view digits = line.substr(0, line.find(';'));
  const char* const end = digits.data() + digits.size();
  const auto [stopped, wrong] = std::from_chars(digits.data(), end, left_, 16);
  if (digits.empty() || digits.front() == '-' || digits.size() > kMostDigits || stopped != end ||
      wrong != std::errc()) {
    refuse(400, "A chunk of the body has no size that can be read.");
    return;
  }
  if (left_ > limits_.body - body_size) refuse(413, "The body is too large.");
  at_ = left_ == 0 ? At::trailer : At::content;
}

void ChunkReader::read_trailer(std::string_view line) {
  if (line.empty()) {
    at_ = At::end;
    return;
  }
  const std::size_t size = line.size() + kLineEnd.size();
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_name(line.substr(0, colon))) {
    refuse(400, "What follows the chunks of the body is no field.");
    return;
  }
  if (limits_.trailer_count == 0 || size > limits_.trailer_bytes) {
    refuse(431, "There are too many headers, with those behind the body.");
    return;
  }
  --limits_.trailer_count;
  limits_.trailer_bytes -= size;
}

std::size_t ChunkReader::read_content(std::string_view bytes, std::string& body) {
  const std::size_t size = std::min(left_, bytes.size());
  body += bytes.substr(0, size);
  left_ -= size;
  if (left_ == 0) at_ = At::content_end;
  return size;
}

std::size_t ChunkReader::read(std::string_view bytes, std::string& body) {
  std::size_t used = 0;
  while (at_ != At::end && !refusal_ && used < bytes.size()) {
    const std::string_view rest = bytes.substr(used);
    if (at_ == At::content) {
      used += read_content(rest, body);
      continue;
    }
    const std::size_t longest = at_ == At::content_end ? 0
                                : at_ == At::trailer   ? limits_.trailer_bytes
                                                       : limits_.line;
    const std::optional<std::string_view> text = line(rest, longest);
    if (!text) break;
    used += text->size() + kLineEnd.size();
    if (at_ == At::size)
      read_size(*text, body.size());
    else if (at_ == At::trailer)
      read_trailer(*text);
    else
      at_ = At::size;
  }
  return used;
}

}  // namespace alfred::http
