// A request and a response as values: what routes work with, whatever carries them.
//
// R1 names of headers are in lower case; values are as they came, without white space around them.
// R2 a response has a body, or a stream that somebody writes to after its head went out, or one that
//    lives for as long as others have something to say and has no thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/stop_scope.h"

namespace alfred::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

// What a request gets that never became one, or that there is no room for.
struct Refusal {
  int status = 400;
  std::string message{};
};

struct HttpRequest {
  std::string method{};
  std::string target{};  // as it came: path, and query after a `?`
  Headers headers{};
  std::string body{};
  bool keeps_alive = true;
  bool is_old = false;                  // HTTP/1.0: without chunks
  bool is_socket_file = false;          // came over a Unix socket
  std::shared_ptr<StopFlag> is_gone{};  // set when its client closes before it has an answer; null
                                        // where it is answered at once

  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  std::string_view query() const {
    const std::size_t mark = target.find('?');
    return mark == std::string::npos ? std::string_view()
                                     : std::string_view(target).substr(mark + 1);
  }
  // The first of this name, which is in lower case; empty when there is none.
  std::string_view header(std::string_view name) const {
    for (const auto& [key, value] : headers)
      if (key == name) return value;
    return {};
  }
  std::size_t count(std::string_view name) const {
    std::size_t found = 0;
    for (const auto& header : headers) found += header.first == name ? 1U : 0U;
    return found;
  }
};

// Where the pieces of a streamed response go. May be called on any thread, one at a time.
class ResponseStream {
 public:
  ResponseStream() = default;
  ResponseStream(const ResponseStream&) = delete;
  ResponseStream& operator=(const ResponseStream&) = delete;
  virtual ~ResponseStream() = default;
  // False: the reader is gone or too slow, and nothing more goes out.
  virtual bool write(std::string_view piece) = 0;
  // Bytes that were written and are not on their way yet.
  virtual std::size_t waiting() const { return 0; }
};

// What a connection sends of a streamed response.
struct StreamPiece {
  std::string bytes{};
  bool is_finished = false;  // nothing comes after these
  bool is_broken = false;    // cut off
};

class LiveStream {
 public:
  LiveStream() = default;
  LiveStream(const LiveStream&) = delete;
  LiveStream& operator=(const LiveStream&) = delete;
  virtual ~LiveStream() = default;
  // What came since the last time.
  virtual StreamPiece take() = 0;
  // Called after each change, on the thread that makes it; it only wakes somebody.
  virtual void on_change(std::function<void()> wake) = 0;
  // Nothing more is taken: the client has gone, or has had all. May wait for others.
  virtual void closed() = 0;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body{};
  std::string cache = "no-store";  // who may keep it, and how
  Headers headers{};
  std::function<void(ResponseStream&)> stream{};  // instead of a body
  std::shared_ptr<LiveStream> live{};             // instead of both
  std::function<void()> work{};                   // what feeds `live`, where it needs a thread
  bool closes = false;                            // the connection ends after it
};

std::string_view reason_phrase(int status);

}  // namespace alfred::http
