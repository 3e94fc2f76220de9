// The head of a request in the shape that clients send, read in one go. Whatever is rarer is left
// to the parser that knows all of HTTP (request_reader.cc), and so is all that is wrong.
//
// R1 what is taken means the same to that parser. Builds with assertions read each head both ways and compare.
// R2 taken are: HTTP/1.1, a path that begins with `/`, fields of printable ASCII on one line each, one Content-Length of
//    digits at most, one Connection at most, that says keep-alive or close. Where another field
//    says how long a body is, how it is packed or what is expected (Transfer-Encoding,
//    Content-Encoding, Expect, Upgrade…), the head is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "surface/http/wire/http_message.h"

namespace alfred::http {

struct PlainHead {
  HttpRequest request{};
  std::uint64_t length = 0;  // of the body
};

// head: up to and with the empty line. Nothing: it is not plain, or has more fields than these.
std::optional<PlainHead> read_plain_head(std::string_view head, std::size_t most_fields);

}  // namespace alfred::http
