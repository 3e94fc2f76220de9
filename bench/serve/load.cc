#include "load.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

namespace alfred::bench {
namespace {

using Clock = std::chrono::steady_clock;

int connect_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return socket;
  ::close(socket);
  return -1;
}

// How many bytes the answer at the beginning has; 0: it is not whole yet.
std::size_t whole_answer(const std::string& bytes) {
  const std::size_t head = bytes.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  constexpr std::string_view kLength = "content-length: ";
  const auto at =
      std::search(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head), kLength.begin(),
                  kLength.end(), [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  if (at == bytes.begin() + static_cast<std::ptrdiff_t>(head)) return 0;
  const std::size_t place = static_cast<std::size_t>(at - bytes.begin()) + kLength.size();
  const std::size_t all =
      head + 4 + static_cast<std::size_t>(std::strtoull(bytes.c_str() + place, nullptr, 10));
  return bytes.size() >= all ? all : 0;
}

struct Wire {
  int socket = -1;
  std::string bytes{};
  int answers = 0;            // of this piece of work, so far
  Clock::time_point begun{};  // it
};

bool send_all(int socket, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t sent = ::send(socket, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += static_cast<std::size_t>(sent);
  }
  return true;
}

double place_of(std::vector<double>& times, double part) {
  if (times.empty()) return 0;
  const auto at =
      times.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

class Load {
 public:
  explicit Load(const LoadOptions& options) : options_(options), events_(::epoll_create1(0)) {}
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() {
    for (const Wire& wire : wires_) ::close(wire.socket);
    ::close(events_);
  }

  LoadResult run() {
    LoadResult out;
    wires_.resize(static_cast<std::size_t>(options_.connections));
    for (Wire& wire : wires_) {
      wire.socket = connect_to(options_.port);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = &wire;
      if (wire.socket < 0 || ::epoll_ctl(events_, EPOLL_CTL_ADD, wire.socket, &event) != 0 ||
          !ask(wire))
        return {.problem = "no connection"};
    }
    const auto begun = Clock::now() + std::chrono::milliseconds(options_.warm_ms);
    const auto end = begun + std::chrono::milliseconds(options_.run_ms);
    while (out.problem.empty() && Clock::now() < end) wait_once(begun, out);
    out.per_second = static_cast<double>(times_us_.size()) * 1000.0 / options_.run_ms;
    out.p50_us = place_of(times_us_, 0.5);
    out.p99_us = place_of(times_us_, 0.99);
    return out;
  }

 private:
  bool ask(Wire& wire, const std::string& answer = {}) {
    const std::size_t connection = static_cast<std::size_t>(&wire - wires_.data());
    const std::string made = options_.next ? options_.next(connection, answer) : std::string();
    if (wire.answers == 0) wire.begun = Clock::now();
    return send_all(wire.socket, options_.next ? made : options_.request);
  }
  void wait_once(Clock::time_point begun, LoadResult& out) {
    std::array<epoll_event, 64> ready;
    const int count = ::epoll_wait(events_, ready.data(), static_cast<int>(ready.size()), 100);
    for (int i = 0; i < count; ++i)
      take(*static_cast<Wire*>(ready[static_cast<std::size_t>(i)].data.ptr), begun, out);
  }
  void take(Wire& wire, Clock::time_point begun, LoadResult& out) {
    std::array<char, 32 * 1024> bytes;
    const ssize_t got = ::recv(wire.socket, bytes.data(), bytes.size(), 0);
    if (got <= 0) {
      out.problem = "a connection was closed";
      return;
    }
    wire.bytes.append(bytes.data(), static_cast<std::size_t>(got));
    const std::size_t all = whole_answer(wire.bytes);
    if (all == 0) return;
    if (wire.bytes.compare(0, 12, "HTTP/1.1 200") != 0) out.problem = wire.bytes.substr(0, 200);
    const auto now = Clock::now();
    wire.answers = (wire.answers + 1) % options_.round;
    if (now >= begun && wire.answers == 0)
      times_us_.push_back(std::chrono::duration<double, std::micro>(now - wire.begun).count());
    const std::string answer = wire.bytes.substr(0, all);
    wire.bytes.erase(0, all);
    if (!ask(wire, answer)) out.problem = "a connection was closed";
  }

  const LoadOptions& options_;
  int events_;
  std::vector<Wire> wires_;
  std::vector<double> times_us_;
};

}  // namespace

LoadResult run_load(const LoadOptions& options) { return Load(options).run(); }

std::string ask_once(std::uint16_t port, const std::string& request, std::string* head) {
  const int socket = connect_to(port);
  if (socket < 0) return "";
  std::string bytes;
  std::array<char, 4096> piece;
  if (send_all(socket, request))
    while (whole_answer(bytes) == 0) {
      const ssize_t got = ::recv(socket, piece.data(), piece.size(), 0);
      if (got <= 0) break;
      bytes.append(piece.data(), static_cast<std::size_t>(got));
    }
  ::close(socket);
  if (whole_answer(bytes) == 0) return "";
  const std::size_t end = bytes.find("\r\n\r\n");
  if (head != nullptr) *head = bytes.substr(0, end);
  return bytes.substr(end + 4);
}

std::string get_request(const std::string& path) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
}

std::string post_request(const std::string& path, const std::string& headers,
                         const std::string& body) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
      "application/json, text/event-stream\r\n{}Content-Length: {}\r\n\r\n{}",
      path, headers, body.size(), body);
}

}  // namespace alfred::bench
