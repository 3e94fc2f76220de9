// TurnFeatures: whole turns for a host that lends its model, beside what another host of tools
// offers (`--turns`).
//
// R1 turn_start says something and gives the asks; each goes to the host's own model, and its answer back by
//    turn_answer, until the turn is finished and has a reply.
// R2 the same answer sent twice is taken once; the same idempotency_key is the same turn.
// R3 a turn is kept: with the session alone turn_answer gives it as it stands, after any stop.
// R4 what the session's own guard knows for a key does not leave either.
// R5 a turn whose start was cancelled is ended; a cancelled answer is not taken, or taken whole.
// R6 an answer that writes a batch tells its progress, item by item; of several batches as of one.
// R7 a turn begins with the tables as the database has them then.
// R8 what the session's guard let go leaves: a session has literals and keys of its own, of which the host of tools
//    beside it knows nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/session/session.h"
#include "surface/mcp/features.h"

namespace alfred::mcp {

struct TurnHost {
  RecordPlace place;
  const Clock& clock;
  Random& random;
  std::string zone{};  // of the user's clock
  std::vector<std::string> secrets{};
  SessionTuning tuning{};
};

// turn_start and turn_answer.
JsonArray turn_tools();

class TurnFeatures final : public McpFeatures {
 public:
  TurnFeatures(std::unique_ptr<McpFeatures> records, TurnHost host);

  const ServerCard& card() const override { return card_; }
  JsonArray tools() override;
  JsonArray resources() override { return records_->resources(); }
  JsonArray resource_templates() override { return records_->resource_templates(); }
  JsonArray prompts() override { return records_->prompts(); }
  McpOutcome call_tool(std::string_view name, const JsonObject& arguments,
                       const CallScope& scope) override;
  McpOutcome read_resource(const std::string& uri, const CallScope& scope) override {
    return records_->read_resource(uri, scope);
  }
  bool may_be_watched(const std::string& uri) override { return records_->may_be_watched(uri); }
  McpOutcome get_prompt(std::string_view name, const JsonObject& arguments,
                        const CallScope& scope) override {
    return records_->get_prompt(name, arguments, scope);
  }
  McpOutcome complete(const JsonObject& params) override { return records_->complete(params); }
  bool may_leave(std::string_view text) override;
  std::string take_done() override { return records_->take_done(); }
  void distrust() override { records_->distrust(); }
  std::int64_t place() const override { return records_->place(); }
  Result<void> catch_up() override { return records_->catch_up(); }

 private:
  Result<std::unique_ptr<Session>> open(const std::string& id);
  Result<std::string> start(const JsonObject& arguments, const CallScope& scope);
  Result<std::string> answer(const JsonObject& arguments, const CallScope& scope);
  Result<std::string> shown(Session& session, const std::string& turn);

  std::unique_ptr<McpFeatures> records_;
  TurnHost host_;
  ServerCard card_;
  JsonArray tools_;
  std::string let_go_{};  // by the session's guard, in the last call (R8)
};

}  // namespace alfred::mcp
