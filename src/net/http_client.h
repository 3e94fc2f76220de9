// HTTP out, through libcurl: one request at a time, its answer whole or as it comes. The library is
// loaded by the first request (curl_calls.h); without it every request is `unreachable`, with what
// to install as the reason.
//
// R1 nothing is followed or unpacked: a redirect is an answer like any other (D8), an encoded body is refused (D9).
// R2 every wait is bounded: to connect, for the first byte, without a byte, altogether; and head and body by
//    their size. Cancelling is seen within 50 ms.
// R3 a proxy is taken from the usual environment variables (https_proxy, http_proxy, all_proxy, no_proxy). Only http
//    and https.
// R4 what fails below HTTP is told apart by `HttpFault`, with curl's own reason for people.
// R5 who has heard enough ends a request without an error; the connection is kept if it ends by itself at once.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alfred {

struct HttpTimeouts {
  std::int64_t connect_ms = 10'000;
  std::int64_t first_byte_ms = 30'000;  // after the connection stands
  std::int64_t idle_ms = 30'000;        // without a byte later on
  std::int64_t total_ms = 300'000;
};

struct HttpRequest {
  std::string method = "POST";
  std::string url{};
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  HttpTimeouts timeouts{};
  std::size_t max_bytes = 4 * 1024 * 1024;  // of the answer
  std::string ca_file{};                    // certificates to trust; empty: the system's
  std::function<bool()> is_cancelled{};     // looked at on the thread that sends
};

struct HttpHead {
  int status = 0;
  std::map<std::string, std::string> headers{};  // names in lower case
  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

enum class HttpFault : std::uint8_t {
  unreachable,
  idle,
  too_slow,
  too_large,
  encoded,
  cancelled,
  cut
};

struct HttpError {
  HttpFault fault = HttpFault::unreachable;
  std::string reason{};
};

// What came: the head, if one did, and what went wrong, if something did.
struct HttpOutcome {
  HttpHead head{};
  std::string body{};  // when nobody took the pieces
  std::optional<HttpError> error{};
};

class HttpClient {
 public:
  // Gets the head and one piece of the body after the other; false: enough (R5).
  using Pieces = std::function<bool(const HttpHead&, std::string_view)>;

  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Connections are kept between requests. One thread at a time.
  HttpOutcome send(const HttpRequest& request, const Pieces& pieces = {});

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;  // none before the first request
};

}  // namespace alfred
