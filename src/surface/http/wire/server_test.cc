// The server's threads, by clients on real sockets.
#include "surface/http/wire/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "surface/http/wire/soon_for_tests.h"
#include "surface/http/wire/stream_buffer.h"

namespace alfred::http {
namespace {

// /long works until it is let go or its client has gone; /stream writes, /silent asks again and
// again whether somebody still reads, /live is fed by work of its own; anything else is answered at
// once.
class HandlerForTests final : public HttpHandler {
 public:
  Lane lane_of(const HttpRequest& request) const override {
    if (request.path() == "/here") return Lane::here;
    if (request.path() == "/turn") return Lane::turn;
    if (request.path().starts_with("/together")) return Lane::together;
    if (request.path().starts_with("/between")) return Lane::between;
    return request.path() == "/brief" ? Lane::brief : Lane::call;
  }
  std::optional<HttpResponse> refuse_head(const HttpRequest& head) override {
    if (head.path() != "/shut") return std::nullopt;
    HttpResponse out;
    out.status = 401;
    return out;
  }
  HttpResponse answer(const HttpRequest& request) override {
    HttpResponse out;
    out.body = std::string(request.path());
    if (request.path() == "/here") reads = std::this_thread::get_id();
    if (request.path() == "/long") {
      ++long_ones;
      while (!may_go && !*request.is_gone)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (*request.is_gone) ++gone;
    }
    if (request.path() == "/stream")
      out.stream = [](ResponseStream& stream) {
        for (int i = 0; i < 10; ++i) stream.write("piece");
      };
    if (request.path() == "/silent")
      out.stream = [this](ResponseStream& stream) {
        while (stream.write("")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++gone;
      };
    if (request.path() == "/live") {
      const auto buffer = std::make_shared<StreamBuffer>(1024);
      out.live = buffer;
      out.work = [buffer] {
        for (int i = 0; i < 10; ++i) buffer->write("piece");
        buffer->finish();
      };
    }
    return out;
  }
  // A group that begins with /together/first waits until it is let go, one that begins with
  // /between/hold until it may go on.
  std::vector<HttpResponse> answer_all(std::span<const HttpRequest* const> requests) override {
    groups.push_back(requests.size());
    for (const HttpRequest* const one : requests) grouped.emplace_back(one->path());
    answers = std::this_thread::get_id();
    ++begun_groups;
    while (requests[0]->path() == "/between/hold" && !may_go_on)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    while (requests[0]->path() == "/together/first" && !may_go)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (requests[0]->path() == "/together/throws") throw std::runtime_error("on purpose");
    return HttpHandler::answer_all(requests);
  }
  HttpResponse refuse(const Refusal& refusal) override {
    HttpResponse out;
    out.status = refusal.status;
    return out;
  }
  void drain() override { may_go = !waits_for_last_call; }
  void last_call() override { may_go = true; }

  std::atomic<bool> waits_for_last_call{false};
  std::atomic<bool> may_go{false};
  std::atomic<int> long_ones{0};
  std::vector<std::size_t> groups;         // of the lane `together`; nobody reads it while it grows
  std::vector<std::string> grouped;        // all of them
  std::atomic<std::thread::id> reads{};    // who answered /here last
  std::atomic<std::thread::id> answers{};  // and a group
  std::atomic<bool> may_go_on{false};
  std::atomic<int> begun_groups{0};
  std::atomic<int> gone{0};
};

class ServerThreads : public testing::Test {
 protected:
  ServerThreads() {
    ServerOptions options;
    options.limits.tick_ms = 10;
    options.limits.heartbeat_ms = 20;
    options.limits.last_word_ms = options.limits.drain_ms - 10;
    options.is_end_wanted = [this] { return is_over.load(); };
    server = Server::open(options, handler).value();
    runner = std::thread([this] { is_drained = server->run(); });
  }
  ~ServerThreads() override { end(); }
  void end() {
    is_over = true;
    if (runner.joinable()) runner.join();
  }
  int connected() const {
    const int wire = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(wire, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return wire;
  }
  static void send(int wire, const std::string& path) {
    const std::string text = "GET " + path + " HTTP/1.1\r\nHost: here\r\n\r\n";
    EXPECT_EQ(::send(wire, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  static std::string receive(int wire, const std::string& wanted) {
    std::string out;
    char bytes[1024];
    while (out.find(wanted) == std::string::npos) {
      const ssize_t got = ::recv(wire, bytes, sizeof bytes, 0);
      if (got <= 0) break;
      out.append(bytes, static_cast<std::size_t>(got));
    }
    return out;
  }
  // Whoever runs then is answered, and the server is drained.
  void end_while_one_runs() {
    const int wire = connected();
    send(wire, "/long");
    ASSERT_TRUE(soon([&] { return handler.long_ones == 1; }));
    end();
    EXPECT_NE(receive(wire, "/long").find("200 OK"), std::string::npos);
    EXPECT_TRUE(is_drained);
    ::close(wire);
  }

  HandlerForTests handler;
  std::unique_ptr<Server> server;
  std::atomic<bool> is_over{false};
  std::atomic<bool> is_drained{false};
  std::thread runner;
};

// Its writer keeps looking, and nothing is ever told: a word of the server's own finds out.
TEST_F(ServerThreads, a_client_that_left_a_silent_stream_is_noticed) {
  const int wire = connected();
  send(wire, "/silent");
  EXPECT_NE(receive(wire, ": still at it").find("200 OK"), std::string::npos);
  EXPECT_EQ(handler.gone, 0);
  ::close(wire);
  EXPECT_TRUE(soon([&] { return handler.gone == 1; }));
}

TEST_F(ServerThreads, R9_who_waits_at_the_same_time_is_answered_together_each_its_own) {
  const int first = connected();
  send(first, "/together/first");
  ASSERT_TRUE(soon([&] { return handler.begun_groups == 1; }));
  std::vector<int> wires;
  for (const char* const path : {"/together/a", "/together/b", "/together/c"}) {
    wires.push_back(connected());
    send(wires.back(), path);
  }
  ASSERT_TRUE(soon([&] { return server->counts().working == 4; }));
  handler.may_go = true;
  EXPECT_NE(receive(first, "/first").find("200 OK"), std::string::npos);
  EXPECT_NE(receive(wires[0], "/together/a").find("200 OK"), std::string::npos);
  EXPECT_NE(receive(wires[1], "/together/b").find("200 OK"), std::string::npos);
  EXPECT_NE(receive(wires[2], "/together/c").find("200 OK"), std::string::npos);
  EXPECT_EQ(handler.groups, (std::vector<std::size_t>{1, 3}));
  send(first, "/together/throws");
  EXPECT_NE(receive(first, "\r\n\r\n").find("500 "), std::string::npos);
  send(wires[0], "/together/d");
  EXPECT_NE(receive(wires[0], "/together/d").find("200 OK"), std::string::npos);
  for (const int wire : wires) ::close(wire);
  ::close(first);
}

TEST_F(ServerThreads, R9_who_comes_alone_is_answered_where_it_was_read_until_one_takes_long) {
  const int wire = connected();
  const auto ask = [&](const std::string& path) {
    send(wire, path);
    EXPECT_NE(receive(wire, path).find("200 OK"), std::string::npos) << path;
  };
  // Where the machine stands still for a moment one may lose the loop, and a hundred others with
  // it.
  bool was_here = false;
  for (int i = 0; i < 300 && !was_here; ++i) {
    ask("/together/a");
    ask("/here");
    was_here = handler.answers == handler.reads;
  }
  EXPECT_TRUE(was_here);
  const int first = connected();
  const int before = handler.begun_groups;
  send(first, "/together/first");
  ASSERT_TRUE(soon([&] { return handler.begun_groups > before; }));
  ask("/here");  // nobody waits for it
  handler.may_go = true;
  EXPECT_NE(receive(first, "/first").find("200 OK"), std::string::npos);
  for (int i = 0; i < 10; ++i) {
    ask("/together/b");
    ask("/here");
    EXPECT_NE(handler.answers, handler.reads) << i;
  }
  ::close(first);
  ::close(wire);
}

TEST_F(ServerThreads, R9_who_goes_between_is_answered_before_those_that_wait_but_only_once) {
  const int first = connected();
  send(first, "/together/first");
  ASSERT_TRUE(soon([&] { return handler.begun_groups == 1; }));
  std::vector<int> wires;
  const auto ask = [&](const char* path) {
    wires.push_back(connected());
    send(wires.back(), path);
    const std::size_t asked = wires.size() + 1;
    ASSERT_TRUE(soon([&] { return server->counts().working == asked; }));
  };
  for (const char* const path : {"/together/a", "/between/hold", "/together/b", "/between/c"})
    ask(path);
  handler.may_go = true;
  EXPECT_NE(receive(first, "/first").find("200 OK"), std::string::npos);
  ASSERT_TRUE(soon([&] { return handler.begun_groups == 2; }));
  wires.push_back(connected());
  send(wires.back(), "/between/d");
  ASSERT_TRUE(soon([&] { return server->counts().working == 5; }));
  handler.may_go_on = true;
  for (std::size_t i = 0; i < wires.size(); ++i)
    EXPECT_NE(receive(wires[i], "\r\n\r\n/").find("200 OK"), std::string::npos) << i;
  EXPECT_EQ(handler.grouped,
            (std::vector<std::string>{"/together/first", "/between/hold", "/between/c",
                                      "/together/a", "/together/b", "/between/d"}));
  EXPECT_EQ(handler.groups, (std::vector<std::size_t>{1, 2, 2, 1}));
  for (const int wire : wires) ::close(wire);
  ::close(first);
}

TEST_F(ServerThreads, no_door_and_no_connection_is_left_to_a_program_that_is_started) {
  const int wire = connected();
  send(wire, "/here");
  receive(wire, "/here");
  int ours = 0;
  for (int descriptor = 3; descriptor < 1024; ++descriptor) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
        address.sin_family != AF_INET || ntohs(address.sin_port) != server->port())
      continue;
    ++ours;
    EXPECT_EQ(::fcntl(descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC) << descriptor;
  }
  EXPECT_EQ(ours, 2);  // the door, and what came through it
  ::close(wire);
}

TEST_F(ServerThreads, R1_every_lane_answers_many_clients_at_once) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      const int wire = connected();
      for (int round = 0; round < 20; ++round)
        for (const char* path : {"/here", "/brief", "/turn", "/call", "/stream", "/live"}) {
          send(wire, path);
          const bool is_streamed =
              std::string_view(path) == "/stream" || std::string_view(path) == "/live";
          const std::string out = receive(wire, is_streamed ? "0\r\n\r\n" : path);
          if (!out.starts_with("HTTP/1.1 200")) ++wrong;
          if (is_streamed && out.find("piece") == std::string::npos) ++wrong;
        }
      ::close(wire);
    });
  for (std::thread& one : clients) one.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(soon([&] { return server->counts().connections == 0; }));
}

TEST_F(ServerThreads, R5_who_answers_can_see_that_its_client_has_gone) {
  const int wire = connected();
  send(wire, "/long");
  ASSERT_TRUE(soon([&] { return handler.long_ones == 1; }));
  EXPECT_EQ(handler.gone, 0);
  ::close(wire);
  EXPECT_TRUE(soon([&] { return handler.gone == 1; }));
  EXPECT_TRUE(soon([&] { return server->counts().working == 0; }));
}

TEST_F(ServerThreads, R8_a_body_is_read_only_behind_a_head_that_may_pass) {
  for (const char* path : {"/shut", "/here"})
    for (const char* size : {"9", "9000000"}) {
      const int wire = connected();
      const std::string text = std::string("POST ") + path +
                               " HTTP/1.1\r\nHost: here\r\nExpect: 100-continue\r\n"
                               "Content-Length: " +
                               size + "\r\n\r\n";
      ASSERT_EQ(::send(wire, text.data(), text.size(), MSG_NOSIGNAL),
                static_cast<ssize_t>(text.size()));
      const std::string_view wanted = path == std::string_view("/shut") ? "HTTP/1.1 401"
                                      : size == std::string_view("9")   ? "HTTP/1.1 100"
                                                                        : "HTTP/1.1 413";
      EXPECT_TRUE(receive(wire, "\r\n\r\n").starts_with(wanted)) << path << size;
      ::close(wire);
    }
}

TEST_F(ServerThreads, R6_what_runs_may_finish) {
  end_while_one_runs();
  EXPECT_EQ(handler.gone, 0);
}

TEST_F(ServerThreads, R6_what_still_runs_is_told_before_its_time_is_over) {
  handler.waits_for_last_call = true;
  end_while_one_runs();
}

}  // namespace
}  // namespace alfred::http
