// What was decided and done, turn by turn (003, layer 3), and the ledger of a turn (001 §4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contracts/think_answer.h"
#include "contracts/understand_answer.h"

namespace alfred {

struct StepSummary {
  std::uint32_t step_num = 0;
  StepType type = StepType::read;
  std::string subdomain{};
  std::string description{};
  std::string outcome{};
  std::vector<std::string> entities_involved{};
  std::optional<std::string> note{};
  friend bool operator==(const StepSummary&, const StepSummary&) = default;
};
template <>
struct Described<StepSummary> {
  static Shape make() {
    using S = StepSummary;
    return object(
        "StepSummary",
        {field<&S::step_num>("step_num", "Its place."), field<&S::type>("type", "Its kind."),
         field<&S::subdomain>("subdomain", "Where."),
         field<&S::description>("description", "From the plan."),
         field<&S::outcome>("outcome", "What came of it."),
         field<&S::entities_involved>("entities_involved", "Refs it touched."),
         field<&S::note>("note", "For later steps.")});
  }
};

struct CurationReason {
  std::string ref{};
  std::string reason{};
  friend bool operator==(const CurationReason&, const CurationReason&) = default;
};
template <>
struct Described<CurationReason> {
  static Shape make() {
    return object("CurationReason", {field<&CurationReason::ref>("ref", "Which."),
                                     field<&CurationReason::reason>("reason", "Why.")});
  }
};

struct CurationSummary {
  std::vector<std::string> retained{};
  std::vector<std::string> demoted{};
  std::vector<std::string> dropped{};
  bool is_cleared = false;
  std::vector<CurationReason> reasons{};
  std::vector<std::string> ignored{};  // refs nobody knows (A25)
  friend bool operator==(const CurationSummary&, const CurationSummary&) = default;
};
template <>
struct Described<CurationSummary> {
  static Shape make() {
    using C = CurationSummary;
    return object("CurationSummary", {field<&C::retained>("retained", "Kept."),
                                      field<&C::demoted>("demoted", "No longer active."),
                                      field<&C::dropped>("dropped", "Turned down."),
                                      field<&C::is_cleared>("is_cleared", "All of it."),
                                      field<&C::reasons>("reasons", "Why."),
                                      field<&C::ignored>("ignored", "Not known.")});
  }
};

struct TurnExecutionSummary {
  std::uint32_t turn_num = 0;
  std::optional<Decision> think_decision{};
  std::string think_goal{};
  std::vector<StepSummary> steps{};
  CurationSummary entity_curation{};
  ConversationPhase conversation_phase = ConversationPhase::exploring;
  std::string user_expressed{};
  std::optional<std::string> blocked_reason{};
  friend bool operator==(const TurnExecutionSummary&, const TurnExecutionSummary&) = default;
};
template <>
struct Described<TurnExecutionSummary> {
  static Shape make() {
    using T = TurnExecutionSummary;
    return object("TurnExecutionSummary",
                  {field<&T::turn_num>("turn_num", "Its number."),
                   field<&T::think_decision>("think_decision", "What Think decided."),
                   field<&T::think_goal>("think_goal", "What for."),
                   field<&T::steps>("steps", "What was done."),
                   field<&T::entity_curation>("entity_curation", "What stayed in play."),
                   field<&T::conversation_phase>("conversation_phase", "Where it stands."),
                   field<&T::user_expressed>("user_expressed", "A wish beyond the request."),
                   field<&T::blocked_reason>("blocked_reason", "What was in the way.")});
  }
};

struct NamedEntity {
  std::string ref{};
  std::string type{};
  std::string label{};
  friend bool operator==(const NamedEntity&, const NamedEntity&) = default;
};
template <>
struct Described<NamedEntity> {
  static Shape make() {
    return object("NamedEntity", {field<&NamedEntity::ref>("ref", "Its ref."),
                                  field<&NamedEntity::type>("type", "Its type."),
                                  field<&NamedEntity::label>("label", "Its label.")});
  }
};

struct ToolCount {
  std::string tool{};
  std::string table{};
  std::uint32_t count = 0;
  friend bool operator==(const ToolCount&, const ToolCount&) = default;
};
template <>
struct Described<ToolCount> {
  static Shape make() {
    return object("ToolCount", {field<&ToolCount::tool>("tool", "Which."),
                                field<&ToolCount::table>("table", "On what."),
                                field<&ToolCount::count>("count", "How often.")});
  }
};

struct TypeCount {
  std::string type{};
  std::uint32_t count = 0;
  friend bool operator==(const TypeCount&, const TypeCount&) = default;
};
template <>
struct Described<TypeCount> {
  static Shape make() {
    return object("TypeCount", {field<&TypeCount::type>("type", "Which."),
                                field<&TypeCount::count>("count", "How many.")});
  }
};

struct LedgerError {
  std::string code{};
  std::string message{};
  std::optional<std::string> step_id{};
  friend bool operator==(const LedgerError&, const LedgerError&) = default;
};
template <>
struct Described<LedgerError> {
  static Shape make() {
    return object("LedgerError", {field<&LedgerError::code>("code", "Of docs/errors.md."),
                                  field<&LedgerError::message>("message", "What it was."),
                                  field<&LedgerError::step_id>("step_id", "Where.")});
  }
};

// SummarizeOutput: what happened in a turn, counted by code.
struct SummarizeOutput {
  std::string turn_summary{};
  std::uint32_t steps_completed = 0;
  std::uint32_t steps_total = 0;
  std::vector<ToolCount> tools_called{};
  std::vector<NamedEntity> entities_created{};
  std::vector<NamedEntity> entities_updated{};
  std::vector<NamedEntity> entities_deleted{};
  std::vector<TypeCount> artifacts_generated{};
  std::vector<TypeCount> artifacts_saved{};
  std::vector<LedgerError> errors{};
  friend bool operator==(const SummarizeOutput&, const SummarizeOutput&) = default;
};
template <>
struct Described<SummarizeOutput> {
  static Shape make() {
    using S = SummarizeOutput;
    return object("SummarizeOutput",
                  {field<&S::turn_summary>("turn_summary", "Factual and brief."),
                   field<&S::steps_completed>("steps_completed", "How many."),
                   field<&S::steps_total>("steps_total", "Of how many."),
                   field<&S::tools_called>("tools_called", "Calls that ran."),
                   field<&S::entities_created>("entities_created", "New rows."),
                   field<&S::entities_updated>("entities_updated", "Changed rows."),
                   field<&S::entities_deleted>("entities_deleted", "Deleted rows."),
                   field<&S::artifacts_generated>("artifacts_generated", "Made."),
                   field<&S::artifacts_saved>("artifacts_saved", "Saved."),
                   field<&S::errors>("errors", "What went wrong.")});
  }
};

struct ReasoningTrace {
  std::vector<TurnExecutionSummary> recent_summaries{};  // oldest first
  std::string reasoning_summary{};
  friend bool operator==(const ReasoningTrace&, const ReasoningTrace&) = default;
};
template <>
struct Described<ReasoningTrace> {
  static Shape make() {
    using R = ReasoningTrace;
    return object("ReasoningTrace",
                  {field<&R::recent_summaries>("recent_summaries", "The last turns."),
                   field<&R::reasoning_summary>("reasoning_summary", "Older ones.")});
  }
};

}  // namespace alfred
