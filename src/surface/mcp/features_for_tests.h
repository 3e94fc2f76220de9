// For tests only: a server of a few tools that do one thing each, and a sink that keeps what it is
// sent.
#pragma once

#include <string>
#include <vector>

#include "surface/mcp/endpoint.h"

namespace alfred::mcp {

class FeaturesForTests final : public McpFeatures {
 public:
  FeaturesForTests() {
    card_.name = "test";
    card_.version = "1";
    card_.page_size = 2;
    card_.capabilities = {{"tools", JsonObject()}};
  }
  const ServerCard& card() const override { return card_; }
  JsonArray tools() override {
    JsonArray all;
    for (const std::string& name : names) all.push_back(JsonObject{{"name", name}});
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
    if (name == "log") scope.log("info", "a line");
    if (name == "touch") scope.tell({"notifications/resources/updated", "test://one"});
    if (name == "leak") return JsonObject{{"text", kSecret}};
    if (name == "none") return RpcError{RpcCode::invalid_params, "There is no such tool."};
    return JsonObject{{"inputs", scope.inputs}, {"kept", scope.kept}};
  }
  McpOutcome read_resource(const std::string& uri, const CallScope&) override {
    return RpcError{RpcCode::resource_missing, "No.", JsonObject{{"uri", uri}}};
  }
  McpOutcome get_prompt(std::string_view, const JsonObject&, const CallScope&) override {
    return RpcError{RpcCode::invalid_params, "No."};
  }
  McpOutcome complete(const JsonObject&) override { return JsonObject(); }
  bool may_leave(std::string_view text) override { return text.find(kSecret) == text.npos; }

  static constexpr std::string_view kSecret = "the-secret";
  std::vector<std::string> names{"ask", "leak", "log", "progress", "touch"};
  int calls = 0;

 private:
  ServerCard card_;
};

class SinkForTests final : public McpSink {
 public:
  void send(const std::string& message) override { sent.push_back(message); }
  void finish() override { ++finished; }
  // The last message, or null.
  Json last() const {
    return sent.empty() ? Json() : parse_json(sent.back(), JsonLimits::none()).value();
  }
  std::vector<std::string> sent;
  int finished = 0;
};

inline std::string meta_for_tests() {
  return R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";
}

inline std::string request_for_tests(std::string_view method, std::string_view params, int id = 1) {
  return std::string(R"({"jsonrpc":"2.0","id":)") + std::to_string(id) + R"(,"method":")" +
         std::string(method) + R"(","params":{)" + std::string(params) + "}}";
}

}  // namespace alfred::mcp
