// For tests only: a real HTTP server on loopback that says exactly the bytes a test wants, when it
// wants.
//
// R1 a connection is closed after its answer, unless the answer's head says `Connection: keep-alive`.
// R2 who begins to speak TLS is cut off.
// R3 every connection has a thread of its own; what came is kept, in order.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace alfred {

struct RequestForTests {
  std::string head;  // request line and headers
  std::string body;
};

struct PieceForTests {
  std::string bytes;
  int wait_ms = 0;  // before it
};
using ResponseForTests = std::vector<PieceForTests>;

inline ResponseForTests response_for_tests(int status, const std::string& type,
                                           const std::string& body,
                                           const std::string& more_headers = "") {
  return {{"HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Type: " + type +
               "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more_headers +
               "\r\n" + body,
           0}};
}
// A stream without a length: it ends when the connection does.
inline ResponseForTests stream_for_tests(std::vector<std::string> pieces) {
  ResponseForTests out{{"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", 0}};
  for (std::string& piece : pieces) out.push_back({std::move(piece), 0});
  return out;
}
// A stream in chunks, on a connection that is kept.
inline ResponseForTests chunks_for_tests(const std::vector<std::string>& pieces) {
  std::string bytes =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
      "Connection: keep-alive\r\n\r\n";
  for (const std::string& piece : pieces) {
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
    bytes += size + piece + "\r\n";
  }
  return {{bytes + "0\r\n\r\n", 0}};
}

class HttpServerForTests {
 public:
  using Respond = std::function<ResponseForTests(const RequestForTests&)>;

  explicit HttpServerForTests(Respond respond) : respond_(std::move(respond)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no port on loopback");
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~HttpServerForTests() {
    is_stopped_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (std::thread& one : talks_) one.join();
    ::close(listener_);
  }
  HttpServerForTests(const HttpServerForTests&) = delete;
  HttpServerForTests& operator=(const HttpServerForTests&) = delete;

  std::string url(const std::string& path = "") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::vector<RequestForTests> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  int connections() const { return connections_; }

 private:
  void accept_all() {
    while (!is_stopped_) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) return;
      ++connections_;
      talks_.emplace_back([this, socket] {
        while (talk(socket)) {
        }
        ::shutdown(socket, SHUT_WR);
        drain(socket);
        ::close(socket);
      });
    }
  }

  // More bytes; false: there are none any more.
  bool receive(int socket, std::string& text) {
    pollfd waiting{socket, POLLIN, 0};
    while (::poll(&waiting, 1, 20) == 0)
      if (is_stopped_) return false;
    char bytes[16'384];
    const ssize_t count = ::recv(socket, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    text.append(bytes, static_cast<std::size_t>(count));
    return true;
  }
  static void drain(int socket) {
    char bytes[4'096];
    while (::recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
  }

  bool talk(int socket) {
    std::string text;
    std::size_t head = std::string::npos;
    std::size_t whole = 0;
    while (head == std::string::npos || text.size() < whole) {
      if (!receive(socket, text) || text[0] == kTlsHello) return false;
      if (head != std::string::npos || (head = text.find("\r\n\r\n")) == std::string::npos)
        continue;
      const std::size_t length = text.find("Content-Length: ");
      whole = head + 4 + (length < head ? std::stoul(text.substr(length + 16)) : 0);
    }
    const RequestForTests request{text.substr(0, head), text.substr(head + 4)};
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    return say(socket, respond_(request));
  }

  bool say(int socket, const ResponseForTests& response) {
    for (const PieceForTests& piece : response) {
      for (int waited = 0; waited < piece.wait_ms && !is_stopped_; waited += 5)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      for (std::string_view left = piece.bytes; !left.empty();) {
        const ssize_t sent = ::send(socket, left.data(), left.size(), MSG_NOSIGNAL);
        if (sent < 0 || is_stopped_) return false;
        left.remove_prefix(static_cast<std::size_t>(sent));
      }
    }
    return !response.empty() &&
           response[0].bytes.find("Connection: keep-alive") != std::string::npos;
  }

  static constexpr char kTlsHello = 0x16;

  Respond respond_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> connections_ = 0;
  std::atomic<bool> is_stopped_ = false;
  std::thread acceptor_;
  std::vector<std::thread> talks_;
  std::mutex mutex_;
  std::vector<RequestForTests> requests_;
};

}  // namespace alfred
