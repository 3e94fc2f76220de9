// The plan of a turn and what became of each step: the ledger that a completion is checked against.
//
// R1 a step's id, type, subdomain and group do not change after the plan is made.
// R2 read rows and artifacts are kept whole; only windows and budgets cut what is shown.
// R3 a step ends complete, blocked or failed; nothing else ends it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contracts/act_answer.h"
#include "contracts/ask.h"
#include "contracts/think_answer.h"

namespace alfred {

enum class StepStatus : std::uint8_t { pending, running, complete, blocked, failed, waiting };
template <>
struct Named<StepStatus> {
  static constexpr std::string_view name = "StepStatus";
  static constexpr std::array<std::string_view, 6> names{"pending", "running", "complete",
                                                         "blocked", "failed",  "waiting"};
};

// One call of a step and what it brought.
struct ToolResult {
  std::uint32_t call = 0;
  std::string tool{};
  Json params{};
  std::optional<Json> answer{};
  std::optional<CallError> error{};
  friend bool operator==(const ToolResult&, const ToolResult&) = default;
};
template <>
struct Described<ToolResult> {
  static Shape make() {
    using T = ToolResult;
    return object(
        "ToolResult",
        {field<&T::call>("call", "Its number in the turn."), field<&T::tool>("tool", "Which tool."),
         field<&T::params>("params", "In refs."), field<&T::answer>("answer", "In refs."),
         field<&T::error>("error", "Why it was refused.")});
  }
};

struct StepBlock {
  BlockedReason reason_code = BlockedReason::PLAN_INVALID;
  std::string details{};
  SuggestedNext suggested_next = SuggestedNext::fail;
  friend bool operator==(const StepBlock&, const StepBlock&) = default;
};
template <>
struct Described<StepBlock> {
  static Shape make() {
    using B = StepBlock;
    return object("StepBlock", {field<&B::reason_code>("reason_code", "Why."),
                                field<&B::details>("details", "What is in the way."),
                                field<&B::suggested_next>("suggested_next", "What would help.")});
  }
};

struct Step {
  std::string id{};  // stp_…
  StepType step_type = StepType::read;
  std::string subdomain{};
  std::uint32_t group = 1;
  std::string description{};
  std::optional<std::string> batch{};       // bat_…, when it is about several
  std::optional<std::uint32_t> expected{};  // of a generate: how many artifacts
  StepStatus status = StepStatus::pending;
  std::vector<ToolResult> calls{};
  std::uint32_t calls_before = 0;        // of these, made in an earlier turn
  std::vector<std::string> artifacts{};  // refs, in the order they were made
  std::optional<Json> data{};
  std::optional<std::string> result_summary{};
  std::optional<std::string> note_for_next_step{};
  std::optional<StepBlock> block{};
  std::optional<std::string> question{};  // waiting: what was asked
  std::optional<std::string> answer{};    // what the user said to it
  std::uint32_t repairs = 0;              // answers sent back to the model
  std::uint32_t refusals = 0;             // completions refused
  std::vector<CallError> faults{};        // what the model was told since its last good answer
  std::vector<std::string> schemas{};     // subdomains asked for beyond its own
  std::vector<std::string> retrieved{};   // steps whose cut data it asked for
  std::vector<std::string> discrepancies{};
  friend bool operator==(const Step&, const Step&) = default;
};
template <>
struct Described<Step> {
  static Shape make();
};

struct Plan {
  std::string goal{};
  Decision decision = Decision::plan_direct;
  std::vector<Step> steps{};
  std::uint32_t replans = 0;
  std::uint32_t kept = 0;  // steps at its head that a plan before this one ended
  bool is_quick = false;
  friend bool operator==(const Plan&, const Plan&) = default;

  // The group that runs now: the lowest with a step that is not ended; 0 when all are.
  std::uint32_t current_group() const;
  bool is_finished() const { return current_group() == 0; }
};
template <>
struct Described<Plan> {
  static Shape make() {
    return object("Plan", {field<&Plan::goal>("goal", "What the turn is for."),
                           field<&Plan::decision>("decision", "What Think decided."),
                           field<&Plan::steps>("steps", "In order."),
                           field<&Plan::replans>("replans", "How often it was planned again."),
                           field<&Plan::kept>("kept", "Steps of a plan before."),
                           field<&Plan::is_quick>("is_quick", "Whether Think was passed over.")});
  }
};

bool is_ended(StepStatus status);

// What a plan must be before anything runs. Errors: plan (A16), batch_count (A17), batch_dup (A18).
Result<void> check_plan(const ThinkAnswer& answer, std::span<const std::string> subdomains);

}  // namespace alfred
