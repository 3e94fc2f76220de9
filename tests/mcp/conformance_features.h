// The tools, resources and prompts that the public conformance suites of MCP call by name. They
// stand on the same endpoint and the same HTTP adapter as a server of records.
#pragma once

#include "surface/mcp/features.h"

namespace alfred::mcp {

class ConformanceFeatures final : public McpFeatures {
 public:
  ConformanceFeatures();
  const ServerCard& card() const override { return card_; }
  JsonArray tools() override;
  JsonArray resources() override;
  JsonArray resource_templates() override;
  JsonArray prompts() override;
  McpOutcome call_tool(std::string_view name, const JsonObject& arguments,
                       const CallScope& scope) override;
  McpOutcome read_resource(const std::string& uri, const CallScope& scope) override;
  bool may_be_watched(const std::string& uri) override { return uri.starts_with("test://"); }
  McpOutcome get_prompt(std::string_view name, const JsonObject& arguments,
                        const CallScope& scope) override;
  McpOutcome complete(const JsonObject& params) override;
  bool may_leave(std::string_view) override { return true; }

 private:
  ServerCard card_;
};

}  // namespace alfred::mcp
