// One connection: reads requests, has them answered, writes the answers, one after the other. For
// server.cc.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "surface/http/wire/group_lane.h"
#include "surface/http/wire/relay_loop.h"
#include "surface/http/wire/server.h"
#include "surface/http/wire/stream_buffer.h"
#include "surface/http/wire/worker_pool.h"

namespace alfred::http {

namespace asio = boost::asio;
using Moment = std::chrono::steady_clock::time_point;

// What all connections of a server share.
struct Workplace {
  HttpHandler& handler;
  ServerLimits limits;
  RelayLoop loop;
  WorkerPool brief;
  WorkerPool turns;
  WorkerPool calls;
  std::atomic<std::size_t> working{0};
  std::atomic<std::size_t> connections{0};
  std::atomic<std::size_t> refused{0};
  std::atomic<std::size_t> timed_out{0};
  std::atomic<bool> is_draining{false};
  GroupLane together;

  Workplace(HttpHandler& one, const ServerLimits& bounds)
      : handler(one),
        limits(bounds),
        brief(bounds.brief_threads),
        turns(bounds.turn_threads),
        calls(bounds.call_threads),
        together(one, loop, bounds.together) {}
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  // Who answers in the middle of the loop goes on with what else is here.
  ~Workplace() { loop.end(); }
  asio::io_context& io() { return loop.io(); }
};

// Work that is counted while it lasts.
class Counted {
 public:
  explicit Counted(std::atomic<std::size_t>& count) : count_(&count) { ++*count_; }
  Counted(Counted&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  Counted& operator=(Counted&&) = delete;
  ~Counted() {
    if (count_ != nullptr) --*count_;
  }

 private:
  std::atomic<std::size_t>* count_;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Socket = asio::generic::stream_protocol::socket;
  struct Peer {
    std::string address{};  // empty: local, never counted
    bool is_socket_file = false;
  };

  Connection(Workplace& place, Socket socket, Peer peer);
  // Its whole life; whoever starts it keeps it alive.
  asio::awaitable<void> run();

  const Peer& peer() const { return peer_; }
  bool is_late(Moment now) const { return now >= deadline_; }
  // Without a whole request, since when.
  bool is_waiting() const {
    return phase_ == Phase::idle || phase_ == Phase::head || phase_ == Phase::body;
  }
  bool is_idle() const { return phase_ == Phase::idle; }
  Moment since() const { return since_; }
  // Whether the client of a request that is being answered has gone; then the request is told.
  void look_for_end();
  void close();

 private:
  enum class Phase : std::uint8_t { idle, head, body, working, writing };
  void enter(Phase phase);
  asio::awaitable<bool> read_request();
  std::optional<HttpResponse> refusal_of_head();
  asio::awaitable<void> turn_away(HttpResponse refused);
  // What of an answer is not sent yet, and whether the connection goes on behind it.
  struct Served {
    std::string rest;
    bool keeps_alive = false;
  };
  Served serve_here(const HttpRequest& request);
  asio::awaitable<bool> serve(HttpRequest received, Lane lane);
  using RequestPtr = std::shared_ptr<const HttpRequest>;
  asio::awaitable<HttpResponse> start(RequestPtr request, Lane lane);
  asio::awaitable<HttpResponse> answer(RequestPtr request, Lane lane);
  std::size_t send_now(std::string_view bytes);
  asio::awaitable<bool> write(std::string bytes);
  asio::awaitable<bool> write_stream(LiveStream& stream, bool is_chunked);
  asio::awaitable<bool> send_pieces(HttpResponse response, bool is_chunked);
  std::shared_ptr<LiveStream> start_stream(HttpResponse response);
  void watch_end();

  Workplace& place_;
  Socket socket_;
  Peer peer_;
  RequestReader reader_;
  bool has_passed_ = false;            // the head of the request that is being read
  std::array<char, 16 * 1024> bytes_;  // what was read last
  asio::steady_timer wake_;
  bool is_gone_ = false;  // the client, while a live stream lasts
  std::shared_ptr<StopFlag> told_gone_;
  Phase phase_ = Phase::idle;
  Moment since_;
  Moment deadline_;
};

}  // namespace alfred::http
