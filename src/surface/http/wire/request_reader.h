// From bytes to requests: HTTP/1.1 as strict as it is safe to be (G5, G6, G8, G9).
//
// R1 what two programs could read in two ways is refused with 400: both lengths, two lengths, a folded line,
//    a bare line feed, a NUL, an unknown transfer coding.
// R2 limits hold while bytes come: nothing is kept of what lies beyond them. 414: the request line; 431: the headers;
//    413: the body.
// R3 requests may come one behind the other; what belongs to the next stays for it.
// R4 a path is absolute, printable ASCII, without `//`, `.` or `..` as segments, however they are escaped. What is escaped
//    in it is UTF-8 without control characters and backslashes: names in it may have spaces and
//    letters of any script.
// R5 a target that names a host (http://host/path) is its path, and that host is the request's.
// R6 what stands in the head counts; fields behind the body never do (chunk_reader.h).
// R7 the head can be looked at before the body is read, also where the body is then refused: 413, 415 for a body that is
//    packed, 417 for what cannot be expected.
// R8 a head in the usual shape is read without the parser that knows all of HTTP (plain_head.h), and means the same.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "surface/http/wire/http_message.h"

namespace alfred::http {

struct ReaderLimits {
  std::size_t request_line = 8 * 1024;
  std::size_t header_count = 64;
  std::size_t header_bytes = 16 * 1024;  // of all, without the request line
  std::size_t body = 1024 * 1024;
};

class RequestReader {
 public:
  enum class State { idle, head, body, done, refused };

  explicit RequestReader(const ReaderLimits& limits = {});
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Reads on with these bytes. Nothing is read once it is done or refused; they wait.
  State put(std::string_view bytes);
  // Nothing more comes: a request that has begun and is not whole is refused.
  State end();
  State state() const;
  // The request without its body, once its head is whole; null before, and when it was taken.
  const HttpRequest* head() const;
  // Whether the sender waits for a word before it sends the body; told once.
  bool takes_continue();
  // The request, when done. Begins with the next one.
  HttpRequest take();
  const Refusal& refusal() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// R4.
bool is_plain_path(std::string_view path);

}  // namespace alfred::http
