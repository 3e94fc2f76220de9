// For tests only: a model that asks a server on loopback, with a clock and waits that cost no time.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/chat_http/chat_http.h"
#include "interpreter/chat_http/chat_server_for_tests.h"

namespace alfred {

inline Ask think_for_tests() {
  return {.id = 7,
          .node = Node::think,
          .system = "Plan.",
          .user = "add milk",
          .schema_json = R"({"type":"object","properties":{"a":{"type":"string"}},)"
                         R"("required":["a"],"additionalProperties":false})"};
}
inline Ask reply_for_tests() {
  return {.id = 8, .node = Node::reply, .system = "Tell.", .user = "done"};
}

// One after the other; the last again and again.
inline HttpServerForTests::Respond in_turn_for_tests(std::vector<ResponseForTests> responses) {
  auto next = std::make_shared<std::atomic<std::size_t>>(0);
  return [responses = std::move(responses), next](const RequestForTests&) {
    return responses[std::min(next->fetch_add(1), responses.size() - 1)];
  };
}

inline ResponseForTests said_for_tests(const std::string& text, ChatWire wire = ChatWire::openai) {
  return response_for_tests(200, "application/json", whole_for_tests(wire, {text}));
}
inline ResponseForTests refused_for_tests(int status, const std::string& message,
                                          const std::string& headers = "Retry-After-Ms: 1\r\n") {
  return response_for_tests(status, "application/json",
                            write_json(JsonObject{{"error", JsonObject{{"message", message}}}}),
                            headers);
}

class ChatForTests : public testing::Test {
 protected:
  static constexpr const char* kKey =
      "sk-not-a-secret-but-longer-than-what-a-message-quotes-of-a-text";

  ChatSettings settings_at(const std::string& address) const {
    ChatSettings settings;
    settings.wire = wire;
    settings.url = address + path_for_tests(wire);
    settings.model = "small";
    settings.key = kKey;
    settings.is_bearer = wire == ChatWire::openai;
    settings.timeouts = timeouts;
    return settings;
  }
  ChatPorts ports() {
    return {clock, random, [this](std::int64_t ms) {
              const std::lock_guard lock(sleeping);
              clock.advance_ms(ms);
            }};
  }
  ChatWatch watch() {
    ChatWatch out;
    out.on_usage = [this](const Ask&, const ModelUsage& one) { usage = one; };
    out.on_retry = [this](const Ask&, std::string_view why, std::int64_t wait_ms) {
      retries.emplace_back(std::string(why), wait_ms);
    };
    return out;
  }
  Result<Answer> ask(const HttpServerForTests::Respond& respond,
                     const Ask& asked = think_for_tests()) {
    HttpServerForTests server(respond);
    ChatHttp chat(settings_at(server.url()), ports(), watch());
    Result<Answer> answer = chat.answer(asked);
    requests = server.requests();
    return answer;
  }
  Json sent(std::size_t at = 0) const {
    return parse_json(requests.at(at).body, JsonLimits::none()).value();
  }

  ChatWire wire = ChatWire::openai;
  HttpTimeouts timeouts{1'000, 200, 200, 700};
  ManualClock clock{1'770'000'000'000};
  SeededRandom random{1};
  std::mutex sleeping;
  std::optional<ModelUsage> usage;
  std::vector<std::pair<std::string, std::int64_t>> retries;
  std::vector<RequestForTests> requests;
};

}  // namespace alfred
