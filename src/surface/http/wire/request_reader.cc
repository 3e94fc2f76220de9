#include "surface/http/wire/request_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <optional>
#include <tuple>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "base/check.h"
#include "base/utf8.h"
#include "surface/http/wire/chunk_reader.h"
#include "surface/http/wire/plain_head.h"

namespace alfred::http {
namespace {

namespace beast = boost::beast;
// The fields of a head lie together, in memory that is gone with them.
using Room = std::pmr::polymorphic_allocator<char>;
using Parser = beast::http::request_parser<beast::http::empty_body, Room>;
using Message = Parser::value_type;
using Field = beast::http::field;

constexpr std::string_view kHeadEnd = "\r\n\r\n";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// A character that a name in a path may have, when it is escaped.
bool is_named(char32_t c) { return c >= 0x20 && (c < 0x7f || c > 0x9f) && c != U'\\'; }

// Escapes resolved; nothing when one is broken or hides what does not belong in a path (R4).
std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c <= 0x20 || c > 0x7e) return std::nullopt;
    if (c == '%') {
      if (at + 2 >= text.size()) return std::nullopt;
      const int high = hex_value(text[at + 1]);
      const int low = hex_value(text[at + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      at += 2;
    }
    out += c;
  }
  for (std::size_t at = 0; at < out.size();) {
    const std::optional<CodePoint> point = next_code_point(out, at);
    if (!point || !is_named(point->value)) return std::nullopt;
    at += point->size;
  }
  return out;
}

// Whether eight bytes stand here of which none is a control character.
bool has_eight_plain(std::string_view head, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  if (at + sizeof(std::uint64_t) > head.size()) return false;
  std::uint64_t eight = 0;
  std::memcpy(&eight, head.data() + at, sizeof eight);
  const std::uint64_t below = (eight - 0x20 * kOnes) & ~eight;
  const std::uint64_t erased = ((eight ^ (0x7f * kOnes)) - kOnes) & ~(eight ^ (0x7f * kOnes));
  return ((below | erased) & (0x80 * kOnes)) == 0;
}

// A control character has no business in a head; neither has a line feed of its own (R1).
bool is_clean(std::string_view head) {
  for (std::size_t at = 0; at < head.size(); ++at) {
    while (has_eight_plain(head, at)) at += 8;
    if (at == head.size()) break;
    const auto c = static_cast<unsigned char>(head[at]);
    if (c == '\n' && (at == 0 || head[at - 1] != '\r')) return false;
    if (c == '\r' && at + 1 < head.size() && head[at + 1] != '\n') return false;
    if ((c < 0x20 && c != '\r' && c != '\n' && c != '\t') || c == 0x7f) return false;
  }
  return true;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view plain(beast::string_view text) { return {text.data(), text.size()}; }

// As to a proxy, http://host/path: the host that it names counts, not that of the header (RFC 9112,
// 3.2.2).
void take_absolute(HttpRequest& request) {
  constexpr std::string_view kScheme = "http://";
  if (lower(std::string_view(request.target).substr(0, kScheme.size())) != kScheme) return;
  const std::string rest = request.target.substr(kScheme.size());
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  request.target = (end == rest.size() || rest[end] != '/' ? "/" : "") + rest.substr(end);
  for (auto& [name, value] : request.headers)
    if (name == "host") value = rest.substr(0, end);
}

HttpRequest request_of(const Message& message) {
  HttpRequest out;
  out.method = std::string(plain(message.method_string()));
  out.target = std::string(plain(message.target()));
  out.is_old = message.version() < 11;
  out.keeps_alive = message.keep_alive();
  out.headers.reserve(8);
  for (const auto& field : message)
    out.headers.emplace_back(lower(plain(field.name_string())), std::string(plain(field.value())));
  take_absolute(out);
  return out;
}

// R1: the length of the body is said once, in one way.
bool has_clear_length(const Message& head) {
  const auto lengths = head.count(Field::content_length);
  const auto codings = head.count(Field::transfer_encoding);
  if (lengths + codings > 1) return false;
  const std::string_view length = plain(head[Field::content_length]);
  if (length.find_first_not_of("0123456789") != std::string_view::npos) return false;
  if (codings == 0) return true;
  return lower(plain(head[Field::transfer_encoding])) == "chunked" && head.version() == 11;
}

// What a head says of itself and of the body behind it.
struct ReadHead {
  HttpRequest request{};
  std::uint64_t length = 0;
  bool is_chunked = false;
  bool wants_continue = false;
  std::optional<Refusal> no{};  // R7: what is wrong with a body that has not been read
};

std::optional<Refusal> refusal_of_body(const Message& message) {
  const std::string expected = lower(plain(message[Field::expect]));
  if (message.count(Field::expect) > 1 || (!expected.empty() && expected != "100-continue"))
    return Refusal{417, "Nothing can be expected here but 100-continue."};
  const std::string packing = lower(plain(message[Field::content_encoding]));
  if (message.count(Field::content_encoding) > 1 || (!packing.empty() && packing != "identity"))
    return Refusal{415, "The body is packed. Send it as it is, without Content-Encoding."};
  return std::nullopt;
}

// Nothing: it is no request that can be read in one way only.
std::optional<ReadHead> read_any_head(std::string_view head) {
  std::array<std::byte, 4096> bytes_of_fields;
  std::pmr::monotonic_buffer_resource room(bytes_of_fields.data(), bytes_of_fields.size());
  Parser parser(std::piecewise_construct, std::make_tuple(), std::make_tuple(Room(&room)));
  parser.header_limit(static_cast<std::uint32_t>(head.size() + 1));
  parser.body_limit(boost::none);
  beast::error_code error;
  parser.put(boost::asio::buffer(head.data(), head.size()), error);
  if ((error && error != beast::http::error::need_more) || !parser.is_header_done() ||
      !has_clear_length(parser.get()))
    return std::nullopt;
  const Message& message = parser.get();
  return ReadHead{.request = request_of(message),
                  .length = parser.content_length().value_or(0),
                  .is_chunked = message.chunked(),
                  .wants_continue = message.count(Field::expect) > 0 && message.version() == 11,
                  .no = refusal_of_body(message)};
}

#ifdef NDEBUG
constexpr bool kReadsTwice = false;
#else
constexpr bool kReadsTwice = true;
#endif

// The parser puts fields of one name together.
Headers by_name(Headers headers) {
  std::stable_sort(headers.begin(), headers.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  return headers;
}

bool is_same(const ReadHead& one, const ReadHead& other) {
  return one.request.method == other.request.method && one.request.target == other.request.target &&
         by_name(one.request.headers) == by_name(other.request.headers) &&
         one.request.keeps_alive == other.request.keeps_alive &&
         one.request.is_old == other.request.is_old && one.length == other.length &&
         one.is_chunked == other.is_chunked && one.wants_continue == other.wants_continue &&
         !one.no && !other.no;
}

std::optional<ReadHead> read_usual_head(std::string_view head, std::size_t most_fields) {
  std::optional<PlainHead> plain = read_plain_head(head, most_fields);
  if (!plain) return std::nullopt;
  ReadHead out{.request = std::move(plain->request), .length = plain->length};
  if constexpr (kReadsTwice) {
    const std::optional<ReadHead> other = read_any_head(head);
    ALFRED_CHECK(other && is_same(out, *other), "a plain head means the same to the parser");
  }
  return out;
}

}  // namespace

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// Letters and single slashes alone: there is nothing in it to resolve.
bool is_simple_path(std::string_view path) {
  bool was_slash = true;
  for (const char c : path.substr(1)) {
    const bool is_slash = c == '/';
    if (is_slash ? was_slash : !is_letter(c)) return false;
    was_slash = is_slash;
  }
  return true;
}

}  // namespace

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.front() != '/') return false;
  if (is_simple_path(path)) return true;
  const std::optional<std::string> whole = unescaped(path);
  if (!whole) return false;
  for (std::size_t begin = 1; begin < whole->size();) {
    const std::size_t end = std::min(whole->find('/', begin), whole->size());
    const std::string_view segment = std::string_view(*whole).substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == "..") return false;
    begin = end + 1;
  }
  return true;
}

struct RequestReader::Parts {
  ReaderLimits limits;
  std::string bytes;  // not read yet
  std::size_t looked = 0;
  std::optional<HttpRequest> request;  // from the end of its head on
  std::optional<ChunkReader> chunks;
  std::size_t left = 0;  // of a body whose length was said
  State state = State::idle;
  Refusal refusal;
  bool wants_continue = false;

  State refuse(int status, std::string message) {
    bytes = {};
    if (request) request->body = {};
    refusal = {status, std::move(message)};
    return state = State::refused;
  }
  void read();
  void read_head();
  void read_other(std::size_t head_size);
  void begin(ReadHead head, std::size_t head_size);
  void read_body();
};

void RequestReader::Parts::read_head() {
  while (bytes.starts_with("\r\n")) bytes.erase(0, 2);  // RFC 9112, 2.2
  if (bytes.empty()) {
    state = State::idle;
    return;
  }
  state = State::head;
  const std::size_t line = bytes.find("\r\n");
  if (std::min(line, bytes.size()) > limits.request_line) {
    refuse(414, "The request line is too long.");
    return;
  }
  const std::size_t from = looked < kHeadEnd.size() ? 0 : looked - kHeadEnd.size();
  const std::size_t end = bytes.find(kHeadEnd, from);
  const bool is_whole = end != std::string::npos;
  const std::size_t size = is_whole ? end + kHeadEnd.size() : bytes.size();
  const bool is_small = size <= std::min(line, bytes.size()) + limits.header_bytes;
  if (is_whole && is_small)
    if (auto usual =
            read_usual_head(std::string_view(bytes).substr(0, size), limits.header_count)) {
      begin(std::move(*usual), size);
      return;
    }
  if (!is_clean(std::string_view(bytes).substr(0, size))) {
    refuse(400, "The head of the request has a byte that does not belong there.");
    return;
  }
  if (!is_small) {
    refuse(431, "The headers are too large.");
    return;
  }
  looked = bytes.size();
  if (is_whole) read_other(size);
}

void RequestReader::Parts::read_other(std::size_t head_size) {
  const std::string_view head = std::string_view(bytes).substr(0, head_size);
  if (head.find("\r\n ") != std::string_view::npos ||
      head.find("\r\n\t") != std::string_view::npos) {
    refuse(400, "A header goes over two lines. Put it on one.");
    return;
  }
  if (static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n')) >
      limits.header_count + 2) {
    refuse(431, "There are too many headers.");
    return;
  }
  if (std::optional<ReadHead> read = read_any_head(head))
    begin(std::move(*read), head_size);
  else
    refuse(400, "This is not a request of HTTP/1.1 that can be read in one way only.");
}

void RequestReader::Parts::begin(ReadHead head, std::size_t head_size) {
  request = std::move(head.request);
  if (!head.no && head.length > limits.body) head.no = Refusal{413, "The body is too large."};
  if (head.no) {
    refuse(head.no->status, std::move(head.no->message));
    return;
  }
  left = static_cast<std::size_t>(head.length);
  chunks.reset();
  if (head.is_chunked) {
    const std::size_t line = bytes.find("\r\n");
    chunks.emplace(ChunkLimits{
        .line = limits.request_line,
        .body = limits.body,
        .trailer_count =
            limits.header_count - std::min(request->headers.size(), limits.header_count),
        .trailer_bytes = limits.header_bytes - std::min(head_size - line, limits.header_bytes)});
  }
  wants_continue = head.wants_continue;
  bytes.erase(0, head_size);
  looked = 0;
  state = State::body;
}

void RequestReader::Parts::read_body() {
  std::size_t used = 0;
  if (chunks) {
    used = chunks->read(bytes, request->body);
  } else {
    used = std::min(left, bytes.size());
    request->body.append(bytes, 0, used);
    left -= used;
  }
  bytes.erase(0, used);
  if (chunks && chunks->refusal())
    refuse(chunks->refusal()->status, chunks->refusal()->message);
  else if (chunks ? chunks->is_done() : left == 0)
    state = State::done;
}

void RequestReader::Parts::read() {
  if (state == State::idle || state == State::head) read_head();
  if (state == State::body) read_body();
}

RequestReader::RequestReader(const ReaderLimits& limits) : parts_(std::make_unique<Parts>()) {
  parts_->limits = limits;
}
RequestReader::~RequestReader() = default;

RequestReader::State RequestReader::put(std::string_view bytes) {
  if (parts_->state == State::refused) return parts_->state;
  parts_->bytes += bytes;
  parts_->read();
  return parts_->state;
}

RequestReader::State RequestReader::end() {
  if (parts_->state == State::head || parts_->state == State::body)
    parts_->refuse(400, "The request ends before it is whole. Send all of it.");
  return parts_->state;
}

RequestReader::State RequestReader::state() const { return parts_->state; }
const Refusal& RequestReader::refusal() const { return parts_->refusal; }

bool RequestReader::takes_continue() {
  return parts_->state == State::body && std::exchange(parts_->wants_continue, false);
}

const HttpRequest* RequestReader::head() const {
  return parts_->request ? &*parts_->request : nullptr;
}

HttpRequest RequestReader::take() {
  HttpRequest out = std::move(parts_->request).value_or(HttpRequest{});
  parts_->request.reset();
  parts_->state = State::idle;
  parts_->read();
  return out;
}

}  // namespace alfred::http
