// Server: sockets, connections and threads. It knows HTTP as far as its bytes go and nothing of
// routes.
//
// R1 one thread at a time accepts, reads and writes; what takes longer runs on pooled threads, turns on threads of their
//    own, so neither makes the other wait, and nothing makes accepting wait for longer than a
//    moment (relay_loop.h).
// R2 a connection has so long for a head, a body, to be idle and to take what is written; then it is closed (G7).
// R3 connections are bounded, in all and for each address but loopback. At the bound the one that has been without a whole
//    request for longest goes; where none is, the new one gets 503.
// R4 what is waiting for a thread is bounded; beyond, 503. What is waiting to be written to a stream is bounded; beyond,
//    the stream is cut off and who writes to it is told (G12).
// R5 a client that goes away ends nothing but its connection: the work goes on to its commit (F3), unless its handler
//    looks at HttpRequest::is_gone.
// R6 when an end is wanted nothing is accepted any more, the handler is told, what runs may finish for so long, then run()
//    returns (F2). Shortly before the handler is told again, so that nobody is left without a last
//    word.
// R7 a live stream has no thread. When its client goes away it is told at once.
// R8 a body is read for those only whose head the handler lets pass; others get their answer and the end (G3).
// R9 requests that are answered together have one thread, which takes all that wait, in their order: who comes while it is
//    busy is of the next group. Those that go between two groups are such a group themselves. One
//    that comes alone is answered by the thread that read it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "alfred/error.h"
#include "surface/http/wire/http_message.h"
#include "surface/http/wire/request_reader.h"

namespace alfred::http {

// Which thread answers: the one that reads (what never waits and is no stream), one of a few, one
// for turns, one of those for calls that may take long and are none of the server's own, or the one
// for what is best done together with others (R9), or between two groups of these.
enum class Lane : std::uint8_t { here, brief, turn, call, together, between };

class HttpHandler {
 public:
  HttpHandler() = default;
  HttpHandler(const HttpHandler&) = delete;
  HttpHandler& operator=(const HttpHandler&) = delete;
  virtual ~HttpHandler() = default;
  virtual Lane lane_of(const HttpRequest& request) const = 0;
  // What a request gets whose body has not been read, where its head is enough to refuse it;
  // nothing: its body may come. Called on the thread that reads.
  virtual std::optional<HttpResponse> refuse_head(const HttpRequest& head) = 0;
  virtual HttpResponse answer(const HttpRequest& request) = 0;
  // Requests of the lane `together`, or of `between`: the answer of each, in their order. None of
  // them is a stream.
  virtual std::vector<HttpResponse> answer_all(std::span<const HttpRequest* const> requests);
  // What a request gets that never became one, or that there is no room for.
  virtual HttpResponse refuse(const Refusal& refusal) = 0;
  // An end is wanted: streams that would go on for ever are to finish.
  virtual void drain() {}
  // The time that it had is nearly over: what still runs is to say so and end.
  virtual void last_call() {}
};

// One more than there are processors: each of more has fewer calls that it can answer together, and
// wakes more often.
inline std::size_t threads_for_calls() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 3, 8);
}

struct ServerLimits {
  ReaderLimits reader{};
  std::int64_t head_ms = 5'000;
  std::int64_t body_ms = 15'000;
  std::int64_t idle_ms = 60'000;
  std::int64_t write_ms = 30'000;
  std::int64_t drain_ms = 10'000;
  std::int64_t last_word_ms = 2'000;   // of these, the last
  std::int64_t tick_ms = 100;          // how often times are looked at
  std::int64_t heartbeat_ms = 15'000;  // a word on a stream that is silent
  std::size_t connections = 256;
  std::size_t connections_of_one = 64;
  std::size_t turn_threads = 64;
  std::size_t brief_threads = 32;  // who waits for a commit waits on one: so many may share it
  std::size_t call_threads = threads_for_calls();
  std::size_t together = 64;               // at most so many of the lane `together` in one group
  std::size_t waiting = 512;               // for a thread
  std::size_t stream_bytes = 1024 * 1024;  // written and not sent
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // an IP address; empty: none
  std::uint16_t port = 0;             // 0: one that is free
  std::string socket_path{};          // a Unix socket; empty: none
  ServerLimits limits{};
  std::function<bool()> is_end_wanted{};
};

struct ServerCounts {
  std::size_t connections = 0;
  std::size_t working = 0;  // requests and streams that are being answered
  std::size_t refused = 0;  // since the start: no room
  std::size_t timed_out = 0;
};

class Server {
 public:
  // Listens; nothing is accepted before run(). Error: file, with the address and the system's
  // reason (F10).
  static Result<std::unique_ptr<Server>> open(const ServerOptions& options, HttpHandler& handler);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  std::uint16_t port() const;  // 0: it has none
  ServerCounts counts() const;
  // Until an end is wanted. False: something was still running when its time was over; the process
  // should end then, since its threads do not.
  bool run();

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace alfred::http
