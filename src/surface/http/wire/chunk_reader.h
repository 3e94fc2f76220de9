// A body that comes in chunks (RFC 9112, 7.1), put together as its bytes come. For
// request_reader.cc.
//
// R1 a line ends with CR LF and has no control character; a size is 1 to 15 hexadecimal digits, with nothing before it
//    and at most an extension behind a `;`. Anything else gets 400 as soon as it is seen.
// R2 fields behind the last chunk are read past: none of them means anything here. They count as headers do (431).
// R3 limits hold while bytes come; a body that is said to be larger gets 413 before it is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "surface/http/wire/http_message.h"

namespace alfred::http {

struct ChunkLimits {
  std::size_t line = 0;
  std::size_t body = 0;
  std::size_t trailer_count = 0;
  std::size_t trailer_bytes = 0;
};

class ChunkReader {
 public:
  explicit ChunkReader(const ChunkLimits& limits) : limits_(limits) {}

  // How many of these bytes were used, the body's among them appended to it. Those that were not
  // are to come again, with more behind them.
  std::size_t read(std::string_view bytes, std::string& body);
  bool is_done() const { return at_ == At::end; }
  const std::optional<Refusal>& refusal() const { return refusal_; }

 private:
  enum class At { size, content, content_end, trailer, end };
  // One line without its end; nothing: it is not whole, or refused.
  std::optional<std::string_view> line(std::string_view bytes, std::size_t longest);
  void read_size(std::string_view line, std::size_t body_size);
  void read_trailer(std::string_view line);
  std::size_t read_content(std::string_view bytes, std::string& body);
  void refuse(int status, std::string message);

  ChunkLimits limits_;
  At at_ = At::size;
  std::size_t left_ = 0;  // of this chunk
  std::optional<Refusal> refusal_{};
};

}  // namespace alfred::http
