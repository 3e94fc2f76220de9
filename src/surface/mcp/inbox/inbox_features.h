// InboxFeatures: an agent's inbox for an MCP client, beside what the server offers anyway: tools to
// read, ack and send, and the resource inbox://<agent>.
//
// R1 an answer is cut as inbox_page.h says.
// R2 what strangers wrote is data in the answer, and the instructions say so.
#pragma once

#include <memory>
#include <string>

#include "inbox/inbox.h"
#include "surface/mcp/features.h"
#include "surface/mcp/inbox/inbox_page.h"

namespace alfred::mcp {

JsonArray inbox_tools();

class InboxFeatures final : public McpFeatures {
 public:
  InboxFeatures(std::unique_ptr<McpFeatures> base, Inbox& inbox, std::string agent);

  const ServerCard& card() const override { return card_; }
  JsonArray tools() override;
  JsonArray resources() override;
  JsonArray resource_templates() override { return base_->resource_templates(); }
  JsonArray prompts() override { return base_->prompts(); }
  McpOutcome call_tool(std::string_view name, const JsonObject& arguments,
                       const CallScope& scope) override;
  McpOutcome read_resource(const std::string& uri, const CallScope& scope) override;
  bool may_be_watched(const std::string& uri) override;
  McpOutcome get_prompt(std::string_view name, const JsonObject& arguments,
                        const CallScope& scope) override {
    return base_->get_prompt(name, arguments, scope);
  }
  McpOutcome complete(const JsonObject& params) override { return base_->complete(params); }
  bool may_leave(std::string_view text) override { return base_->may_leave(text); }
  std::string take_done() override { return base_->take_done(); }
  void distrust() override { base_->distrust(); }
  std::int64_t place() const override { return base_->place(); }
  Result<void> catch_up() override { return base_->catch_up(); }

 private:
  Result<Json> run(std::string_view name, const JsonObject& arguments);
  Result<Json> read(const JsonObject& arguments);

  std::unique_ptr<McpFeatures> base_;
  Inbox& inbox_;
  std::string agent_;
  ServerCard card_;
  JsonArray tools_;
};

}  // namespace alfred::mcp
