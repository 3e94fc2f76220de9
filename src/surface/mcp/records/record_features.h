// RecordFeatures: a database as an MCP server. The tools on its rows in refs, its tables and rows
// as resources, and the approval of what they change.
//
// R1 a tool's error is a result with isError that names what came, what is allowed and what to call next.
// R2 an answer has at most kAnswerTokens by the declared estimator, cut at whole rows, and that of a write or a batch
//    at whole items (answer_budget.h); one row that is longer may have kMostAnswerBytes.
// R3 what needs approval is done after the user agreed to exactly what it does: by elicitation where the client
//    offers it; elsewhere a preview gives a code, and the call with this code is done, once.
// R4 a preview that is no longer true is shown again, as is one whose code was used.
// R5 nothing leaves that the guard knows for a key.
// R6 what is not seen goes out as its code point and is taken back as itself (visible_json.h).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "context/prompt_guard.h"
#include "context/prompt_texts.h"
#include "engine/record_service.h"
#include "surface/mcp/approval/approval_codes.h"
#include "surface/mcp/features.h"
#include "surface/mcp/records/tool_answer.h"

namespace alfred::mcp {

enum class Approval : std::uint8_t { always, destructive, never };

struct RecordServerOptions {
  bool is_read_only = false;
  Approval approval = Approval::destructive;
  // Of previews; those for the same things have the same. Null: its own.
  std::shared_ptr<ApprovalCodes> codes{};
  CoreTexts texts = embedded_core_texts();  // of the nodes' prompts
};

// The limits of a service that a model talks to (R2).
RecordLimits model_limits();

// R6.
Result<std::string> visible_answer(Result<std::string> answer);

class RecordFeatures final : public McpFeatures {
 public:
  static constexpr std::size_t kAnswerTokens = 8000;
  static constexpr std::size_t kMostAnswerBytes = 24'000;

  RecordFeatures(std::unique_ptr<RecordService> service, RecordServerOptions options,
                 Random& random);

  const ServerCard& card() const override { return card_; }
  JsonArray tools() override { return tools_; }
  JsonArray resources() override;
  JsonArray resource_templates() override;
  JsonArray prompts() override;
  McpOutcome call_tool(std::string_view name, const JsonObject& arguments,
                       const CallScope& scope) override;
  McpOutcome read_resource(const std::string& uri, const CallScope& scope) override;
  bool may_be_watched(const std::string& uri) override;
  McpOutcome get_prompt(std::string_view name, const JsonObject& arguments,
                        const CallScope& scope) override;
  McpOutcome complete(const JsonObject& params) override;
  bool may_leave(std::string_view text) override;
  std::string take_done() override { return std::exchange(done_, {}); }
  void distrust() override;
  std::int64_t place() const override { return service_->workspace().place(); }
  Result<void> catch_up() override;

 private:
  // The schema as the database has it now, as far as that can be found out.
  const Schema& fresh_schema();
  const JsonObject* find_tool(std::string_view name) const;
  McpOutcome run_tool(const JsonObject& tool, const JsonObject& given, const CallScope& scope);
  // All tables, or their names only where they are too many for an answer.
  Result<std::string> schema_text(std::string_view table);
  Result<std::string> read_tool(std::string_view name, const JsonObject& arguments);
  // Reads again with fewer rows until the answer fits (R2).
  Result<std::string> within_budget(Json params,
                                    const std::function<Result<std::string>(const Json&)>& read);
  Result<std::string> working_set(const JsonObject& arguments);
  Result<std::string> batch(const JsonObject& arguments);
  Result<std::string> batch_action(std::string_view action, const JsonObject& arguments,
                                   const std::vector<std::string>& items);
  OpId op_of(const JsonObject& arguments);

  // Writes (record_writes.cc).
  struct Preview {
    std::string answer{};      // of the dry run
    JsonArray before{};        // the rows that it would change
    std::string stands_for{};  // exactly this call on these rows with this answer
  };
  bool needs_approval(std::string_view tool) const;
  McpOutcome write(std::string_view tool, const JsonObject& arguments, const CallScope& scope);
  McpOutcome approve(std::string_view tool, const JsonObject& arguments, const Preview& preview,
                     const CallScope& scope);
  McpOutcome approve_by_code(std::string_view tool, const JsonObject& arguments,
                             const Preview& preview, const CallScope& scope);
  enum class Expected : std::uint8_t { done, failed };
  McpOutcome commit(std::string_view tool, const JsonObject& arguments, const CallScope& scope,
                    Expected expected = Expected::done);
  JsonObject write_error(const Error& error, std::string_view tool,
                         const JsonObject& arguments) const;
  JsonObject write_params(const JsonObject& arguments) const;
  JsonArray rows_before(std::string_view tool, const JsonObject& arguments);
  std::map<std::string, std::string, std::less<>> captions(const JsonObject& arguments);
  // What a person is asked (approval_text.h).
  std::string told(std::string_view tool, const JsonObject& arguments, const Preview& preview);
  Result<Preview> preview(std::string_view tool, const JsonObject& arguments);

  // Resources, prompts and completions (record_resources.cc, record_prompts.cc).
  McpOutcome node_prompt(std::string_view name, const JsonObject& given);
  Result<const Table*> table_of_ref(std::string_view ref);
  Result<std::string> read_ref(std::string_view ref);
  bool takes(const JsonObject& ref, std::string_view argument);
  std::vector<std::string> completed(std::string_view name, std::string_view value);
  bool names_row(std::string_view ref) const;  // one that is there and shown here
  std::vector<std::string> known_refs(std::string_view begin) const;
  std::vector<std::string> known_tables(std::string_view begin) const;

  std::unique_ptr<RecordService> service_;
  RecordServerOptions options_;
  PromptTexts texts_;  // after the service, whose pack it looks into
  Random& random_;
  ServerCard card_;
  JsonArray tools_;
  std::string done_;   // take_done()
  std::string asked_;  // by who gets an answer without rows (own_words.h, R4)
  std::optional<OwnWords> own_words_;
  const Schema* worded_ = nullptr;  // the schema whose words those are
  // Has learned all keys as of a place in the journal, where all that is registered is written
  // down; none after a call that failed, which may have the workspace loaded anew.
  std::optional<PromptGuard> guard_;
  std::int64_t guarded_place_ = 0;
};

}  // namespace alfred::mcp
