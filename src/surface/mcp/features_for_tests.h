// For tests only: a server of a few tools that do one thing each, and a sink that keeps what it is
// sent.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "surface/mcp/endpoint.h"

namespace alfred::mcp {

class FeaturesForTests final : public McpFeatures {
 public:
  FeaturesForTests() {
    card_.name = "test";
    card_.version = "1";
    card_.page_size = 2;
    card_.capabilities = {{"tools", JsonObject()},
                          {"logging", JsonObject()},
                          {"resources", JsonObject{{"subscribe", true}}}};
  }
  const ServerCard& card() const override { return card_; }
  JsonArray tools() override {
    JsonArray all;
    for (const std::string& name : names) all.push_back(JsonObject{{"name", name}});
    if (!schema.empty()) all.push_back(JsonObject{{"name", "regional"}, {"inputSchema", schema}});
    return all;
  }
  JsonArray resources() override { return {}; }
  JsonArray resource_templates() override { return {}; }
  JsonArray prompts() override { return {}; }
  McpOutcome call_tool(std::string_view name, const JsonObject&, const CallScope& scope) override {
    ++calls;
    if (name == "ask" && scope.inputs.empty())
      return InputRequired{{{"q", JsonObject{{"method", "elicitation/create"},
                                             {"params", JsonObject{{"message", "Well?"}}}}}},
                           "kept"};
    if (name == "progress")
      for (const double done : {1.0, 2.0}) scope.progress(done, 2);
    if (name == "falling")
      for (const double done : {2.0, 1.0, 2.0, 3.0}) scope.progress(done, 3);
    if (name == "wait") return wait(scope);
    if (name == "no_memory") throw std::bad_alloc();
    if (name == "thrown") throw std::runtime_error("the-secret");
    if (name == "log") scope.log("info", "a line");
    if (name == "touch") scope.tell({"notifications/resources/updated", "test://one"});
    if (name == "write_leak") changed_by = "opn_d4n8xr1w6pqt";
    if (name == "leak" || name == "write_leak") return JsonObject{{"text", kSecret}};
    if (name == "written") return WrittenResult{R"("content":[],"structuredContent":{"a":1})"};
    if (name == "written_leak") return WrittenResult{"\"text\":\"" + std::string(kSecret) + "\""};
    if (name == "none") return RpcError{RpcCode::invalid_params, "There is no such tool."};
    return JsonObject{{"inputs", scope.inputs}, {"kept", scope.kept}};
  }
  McpOutcome read_resource(const std::string& uri, const CallScope&) override {
    return RpcError{RpcCode::resource_missing, "No.", JsonObject{{"uri", uri}}};
  }
  bool may_be_watched(const std::string& uri) override {
    return uri == "test://one" || uri == "test://two" || uri == "test://three";
  }
  McpOutcome get_prompt(std::string_view, const JsonObject&, const CallScope&) override {
    return RpcError{RpcCode::invalid_params, "No."};
  }
  McpOutcome complete(const JsonObject&) override { return JsonObject(); }
  bool may_leave(std::string_view text) override { return text.find(kSecret) == text.npos; }
  std::string take_done() override { return std::exchange(changed_by, {}); }
  void distrust() override { ++distrusted; }
  std::string changed_by;
  int distrusted = 0;

  static constexpr std::string_view kSecret = "the-secret";
  std::vector<std::string> names{"ask", "leak", "log", "progress", "touch"};
  JsonObject schema{};  // of the tool "regional"; empty: there is none
  std::atomic<int> calls = 0;
  std::atomic<int> waiting = 0;      // calls of "wait" that were begun
  std::atomic<int> stopped = 0;      // those that saw that they are wanted no more
  std::atomic<bool> may_go = false;  // ends them

 private:
  McpOutcome wait(const CallScope& scope) {
    ++waiting;
    while (!may_go && !is_stop_wanted()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (scope.is_cancelled()) ++stopped;
    return JsonObject{{"went", true}};
  }

  ServerCard card_;
};

class SinkForTests final : public McpSink {
 public:
  void send(std::string message) override {
    const std::lock_guard lock(mutex);
    sent.push_back(std::move(message));
  }
  void finish() override { ++finished; }
  // The last message, or null.
  Json last() {
    const std::lock_guard lock(mutex);
    return sent.empty() ? Json() : parse_json(sent.back(), JsonLimits::none()).value();
  }
  std::mutex mutex;
  std::vector<std::string> sent;
  std::atomic<int> finished = 0;
};

// Whether it comes to be so within ten seconds.
template <class Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 10'000 && !condition(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

inline std::string meta_for_tests() {
  return R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";
}

inline std::string request_for_tests(std::string_view method, std::string_view params, int id = 1) {
  return std::string(R"({"jsonrpc":"2.0","id":)") + std::to_string(id) + R"(,"method":")" +
         std::string(method) + R"(","params":{)" + std::string(params) + "}}";
}

}  // namespace alfred::mcp
