// Calls that are taken back while they run, and calls beside each other (endpoint.h, R2 and R5).
#include <gtest/gtest.h>

#include <thread>

#include "surface/mcp/features_for_tests.h"
#include "surface/mcp/transport/http.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kWait = R"("name":"wait")";

class CancelThreads : public testing::Test {
 protected:
  ~CancelThreads() override {
    features.may_go = true;
    for (std::thread& one : threads) one.join();
  }
  void begin() {
    endpoint.receive(
        request_for_tests("initialize", R"("protocolVersion":"2025-11-25","capabilities":{})"),
        peer, sink);
  }
  // On a thread of its own; begun when this returns.
  void call(const std::string& text, McpPeer& by) {
    const int before = features.waiting;
    threads.emplace_back([this, text, &by] { endpoint.receive(text, by, sink); });
    ASSERT_TRUE(soon([&] { return features.waiting > before; }));
  }
  void cancel(std::string_view id, McpPeer& by) {
    endpoint.receive(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
            std::string(id) + "}}",
        by, sink);
  }
  bool has_answer(std::string_view id) {
    const std::lock_guard lock(sink->mutex);
    return std::any_of(sink->sent.begin(), sink->sent.end(), [&](const std::string& one) {
      return one.find("\"id\":" + std::string(id) + ",") != std::string::npos;
    });
  }

  ManualClock clock{1'000'000};
  SeededRandom random{5};
  FeaturesForTests features;
  McpEndpoint endpoint{features, clock, random};
  McpPeer peer;
  std::shared_ptr<SinkForTests> sink = std::make_shared<SinkForTests>();
  std::vector<std::thread> threads;
};

TEST_F(CancelThreads, R2_a_call_that_runs_is_stopped_and_not_answered) {
  begin();
  call(request_for_tests("tools/call", kWait, 7), peer);
  const int before = sink->finished;
  cancel("7", peer);
  EXPECT_TRUE(soon([&] { return features.stopped == 1; }));
  EXPECT_TRUE(soon([&] { return sink->finished > before; }));
  EXPECT_FALSE(has_answer("7"));
  features.may_go = true;
  endpoint.receive(request_for_tests("tools/call", kWait, 7), peer, sink);  // the id is free again
  EXPECT_TRUE(has_answer("7"));
}

TEST_F(CancelThreads, R2_the_same_in_2026) {
  call(request_for_tests("tools/call", std::string(kWait) + "," + meta_for_tests(), 8), peer);
  cancel("8", peer);
  EXPECT_TRUE(soon([&] { return features.stopped == 1; }));
  EXPECT_FALSE(has_answer("8"));
}

TEST_F(CancelThreads, R2_nobody_cancels_what_is_anothers) {
  begin();
  call(request_for_tests("tools/call", kWait, 7), peer);
  McpPeer other;
  cancel("7", other);
  cancel("8", peer);
  cancel("\"7\"", peer);
  features.may_go = true;
  EXPECT_TRUE(soon([&] { return has_answer("7"); }));
  EXPECT_EQ(features.stopped, 0);
}

TEST_F(CancelThreads, R5_G10_no_two_requests_have_the_same_id_at_once) {
  begin();
  call(request_for_tests("tools/call", kWait, 7), peer);
  const auto second = std::make_shared<SinkForTests>();
  endpoint.receive(request_for_tests("tools/list", "", 7), peer, second);
  EXPECT_EQ(second->last().at("error").at("code").as_int64(), -32600);
  EXPECT_EQ(features.calls, 1);
}

TEST_F(CancelThreads, R2_what_a_peer_asked_for_ends_with_it) {
  begin();
  endpoint.attach(peer);
  call(request_for_tests("tools/call", kWait, 7), peer);
  endpoint.detach(peer);
  EXPECT_TRUE(soon([&] { return features.stopped == 1; }));
}

class HttpThreads : public testing::Test {
 protected:
  HttpThreads() {
    auto first = std::make_unique<FeaturesForTests>();
    second = std::make_unique<FeaturesForTests>();
    opened = {first.get(), second.get()};
    const auto open = [this]() -> Result<std::unique_ptr<McpFeatures>> {
      return std::move(second);
    };
    pool = std::make_unique<FeaturePool>(std::move(first), open, 2, clock);
    endpoint = std::make_unique<McpEndpoint>(*pool, clock, random);
    http = std::make_unique<McpHttp>(*endpoint, random);
  }
  ~HttpThreads() override {
    for (FeaturesForTests* const one : opened) one->may_go = true;
    for (std::thread& one : threads) one.join();
  }
  HttpAnswer post(const std::string& body, HttpHeaders headers = {},
                  std::shared_ptr<StopFlag> is_gone = nullptr) {
    headers.emplace_back("content-type", "application/json");
    return http->answer({"POST", std::move(headers), body, "", std::move(is_gone)});
  }
  HttpAnswer call_modern(const std::string& more, std::shared_ptr<StopFlag> is_gone) {
    const std::string meta = meta_for_tests();
    return post(request_for_tests("tools/call", std::string(kWait) + "," +
                                                    meta.substr(0, meta.size() - 1) + more + "}"),
                {{"MCP-Protocol-Version", "2026-07-28"},
                 {"Mcp-Method", "tools/call"},
                 {"Mcp-Name", "wait"}},
                std::move(is_gone));
  }
  std::string begin() {
    const HttpAnswer answer =
        post(request_for_tests("initialize", R"("protocolVersion":"2025-11-25")"));
    return header_of(answer.headers, "mcp-session-id").value_or("");
  }

  ManualClock clock{1'000'000};
  OsRandom random;
  std::vector<FeaturesForTests*> opened;
  std::unique_ptr<FeaturesForTests> second;
  std::unique_ptr<FeaturePool> pool;
  std::unique_ptr<McpEndpoint> endpoint;
  std::unique_ptr<McpHttp> http;
  std::vector<std::thread> threads;
};

TEST_F(HttpThreads, R5_calls_run_beside_each_other) {
  const HttpHeaders session{{"Mcp-Session-Id", begin()}};
  std::atomic<int> answered = 0;
  for (int id = 1; id <= 2; ++id) {
    threads.emplace_back([&, id] {
      answered += post(request_for_tests("tools/call", kWait, id), session).status == 200 ? 1 : 0;
    });
    ASSERT_TRUE(soon([&] { return opened[static_cast<std::size_t>(id - 1)]->waiting == 1; }));
  }
  for (FeaturesForTests* const one : opened) one->may_go = true;
  EXPECT_TRUE(soon([&] { return answered == 2; }));
}

TEST_F(HttpThreads, R2_a_session_cancels_by_a_message) {
  const HttpHeaders session{{"Mcp-Session-Id", begin()}};
  HttpAnswer answer;
  threads.emplace_back([&] { answer = post(request_for_tests("tools/call", kWait, 3), session); });
  ASSERT_TRUE(soon([&] { return opened[0]->waiting == 1; }));
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}})",
                 session)
                .status,
            202);
  threads.back().join();
  threads.clear();
  EXPECT_EQ(opened[0]->stopped, 1);
  ASSERT_NE(answer.stream, nullptr);
  EXPECT_TRUE(answer.stream->is_finished());
  EXPECT_EQ(answer.stream->take(), "");
}

TEST_F(HttpThreads, R3_a_client_that_closes_its_connection_has_cancelled) {
  const auto is_gone = std::make_shared<StopFlag>(false);
  threads.emplace_back([&] { call_modern("", is_gone); });
  ASSERT_TRUE(soon([&] { return opened[0]->waiting == 1; }));
  *is_gone = true;
  EXPECT_TRUE(soon([&] { return opened[0]->stopped == 1; }));
}

TEST_F(HttpThreads, R3_R6_a_client_that_closes_the_stream_of_a_call_has_cancelled) {
  const HttpAnswer answer = call_modern(R"(,"progressToken":1)", nullptr);
  ASSERT_NE(answer.stream, nullptr);
  ASSERT_TRUE(static_cast<bool>(answer.work));
  threads.emplace_back(answer.work);
  ASSERT_TRUE(soon([&] { return opened[0]->waiting == 1; }));
  EXPECT_FALSE(answer.stream->is_finished());
  http->closed(answer.stream);
  EXPECT_TRUE(soon([&] { return opened[0]->stopped == 1; }));
}

TEST_F(HttpThreads, R2_up_to_2025_a_closed_stream_cancels_nothing) {
  const HttpHeaders session{{"Mcp-Session-Id", begin()}};
  const auto is_gone = std::make_shared<StopFlag>(true);
  const HttpAnswer answer =
      post(request_for_tests("tools/call", R"("name":"wait","_meta":{"progressToken":1})", 3),
           session, is_gone);
  threads.emplace_back(answer.work);
  ASSERT_TRUE(soon([&] { return opened[0]->waiting == 1; }));
  http->closed(answer.stream);
  opened[0]->may_go = true;
  EXPECT_TRUE(soon([&] { return answer.stream->is_finished(); }));
  EXPECT_EQ(opened[0]->stopped, 0);
}

TEST_F(HttpThreads, R5_everything_at_once) {
  for (FeaturesForTests* const one : opened) one->may_go = true;
  std::atomic<int> wrong = 0;
  for (int user = 0; user < 4; ++user)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const std::string id = begin();
        const HttpHeaders session{{"Mcp-Session-Id", id}};
        const HttpAnswer stream = http->answer({"GET", session, "", ""});
        post(request_for_tests("resources/subscribe", R"("uri":"test://one")"), session);
        const HttpAnswer touched =
            post(request_for_tests("tools/call", R"("name":"touch")", 2), session);
        post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})",
             session);
        const HttpAnswer asked =
            post(request_for_tests("tools/call", R"("name":"ask")", 4), session);
        const HttpAnswer listed = post(request_for_tests("tools/list", "", 5), session);
        if (touched.status != 200 || listed.status != 200 || !asked.stream || !stream.stream)
          ++wrong;
        if (stream.stream->take().find("test://one") == std::string::npos) ++wrong;
        http->closed(stream.stream);
        if (http->answer({"DELETE", session, "", ""}).status != 200) ++wrong;
        if (!asked.stream->is_finished()) ++wrong;
      }
    });
  for (std::thread& one : threads) one.join();
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace alfred::mcp
