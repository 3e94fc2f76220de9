// InboxResources: the inboxes of all agents of a server as resources, beside what it offers anyway.
//
// R1 inbox://<agent> for every agent, but for one whose name the guard holds back. A completion has at most
//    kMostValues of them, and says whether there are more.
// R2 reading changes nothing. What strangers wrote is data in the answer, and the instructions say so.
#pragma once

#include <memory>
#include <string>

#include "surface/mcp/inbox/inbox_page.h"

namespace alfred::mcp {

class InboxResources final : public McpFeatures {
 public:
  static constexpr std::size_t kMostValues = 100;  // as the protocol has it

  InboxResources(std::unique_ptr<McpFeatures> base, Inbox& inbox);

  const ServerCard& card() const override { return card_; }
  JsonArray tools() override { return base_->tools(); }
  JsonArray resources() override;
  JsonArray resource_templates() override;
  JsonArray prompts() override { return base_->prompts(); }
  McpOutcome call_tool(std::string_view name, const JsonObject& arguments,
                       const CallScope& scope) override {
    return base_->call_tool(name, arguments, scope);
  }
  McpOutcome read_resource(const std::string& uri, const CallScope& scope) override;
  bool may_be_watched(const std::string& uri) override;
  McpOutcome get_prompt(std::string_view name, const JsonObject& arguments,
                        const CallScope& scope) override {
    return base_->get_prompt(name, arguments, scope);
  }
  McpOutcome complete(const JsonObject& params) override;
  bool may_leave(std::string_view text) override { return base_->may_leave(text); }
  std::string take_done() override { return base_->take_done(); }
  void distrust() override { base_->distrust(); }
  std::int64_t place() const override { return base_->place(); }
  Result<void> catch_up() override { return base_->catch_up(); }

 private:
  std::vector<std::string> agents();

  std::unique_ptr<McpFeatures> base_;
  Inbox& inbox_;
  ServerCard card_;
};

}  // namespace alfred::mcp
