// What Act gives: 002's ActDecision. One action at a time; which actions a step has depends on its
// type (actions_of).
//
// R1 tool_call and request_schema are for read and write steps; retrieve_step and retrieve_archive
//    for read data that a budget cut; step_complete, ask_user, blocked and fail for all.
// R2 each action needs its own fields and no others count.
#pragma once

#include <span>

#include "contracts/node.h"

namespace alfred {

enum class Action : std::uint8_t {
  tool_call,
  step_complete,
  ask_user,
  blocked,
  fail,
  request_schema,
  retrieve_step,
  retrieve_archive,
};
template <>
struct Named<Action> {
  static constexpr std::string_view name = "Action";
  static constexpr std::array<std::string_view, 8> names{
      "tool_call", "step_complete",  "ask_user",      "blocked",
      "fail",      "request_schema", "retrieve_step", "retrieve_archive"};
};

enum class BlockedReason : std::uint8_t { INSUFFICIENT_INFO, PLAN_INVALID, TOOL_FAILURE };
template <>
struct Named<BlockedReason> {
  static constexpr std::string_view name = "BlockedReason";
  static constexpr std::array<std::string_view, 3> names{"INSUFFICIENT_INFO", "PLAN_INVALID",
                                                         "TOOL_FAILURE"};
};

enum class SuggestedNext : std::uint8_t { ask_user, replan, fail };
template <>
struct Named<SuggestedNext> {
  static constexpr std::string_view name = "SuggestedNext";
  static constexpr std::array<std::string_view, 3> names{"ask_user", "replan", "fail"};
};

// Something generated, whole. A ref that is known edits that one in place.
struct Artifact {
  std::string type{};
  std::string label{};
  std::optional<std::string> ref{};
  Json content{};
  friend bool operator==(const Artifact&, const Artifact&) = default;
};
template <>
struct Described<Artifact> {
  static Shape make() {
    return object(
        "Artifact",
        {field<&Artifact::type>("type", "Its entity type.").longest(64),
         field<&Artifact::label>("label", "What people will call it.").longest(200),
         field<&Artifact::ref>("ref", "Which generated one this changes; none for a new one.")
             .as_ref()
             .longest(80),
         field<&Artifact::content>("content", "All of it, as an object.")});
  }
};

struct ActAnswer {
  Action action = Action::blocked;
  std::optional<std::string> tool{};
  std::optional<Json> params{};
  std::optional<std::string> result_summary{};
  std::optional<Json> data{};
  std::vector<Artifact> artifacts{};
  std::optional<std::string> note_for_next_step{};
  std::optional<std::string> question{};
  std::optional<BlockedReason> reason_code{};
  std::optional<std::string> details{};
  std::optional<SuggestedNext> suggested_next{};
  std::optional<std::string> subdomain{};
  std::optional<std::string> step_id{};
  friend bool operator==(const ActAnswer&, const ActAnswer&) = default;
};
template <>
struct Described<ActAnswer> {
  static Shape make();
};

// The actions of a step type, in the order of Action (R1).
std::span<const Action> actions_of(StepType type);
// The tools there are.
std::span<const std::string_view> tool_names();
// Whether the action is one of the step's, and its fields are there (R2). Errors: action (A11),
// tool (A12), schema (A13).
Result<void> check_act_answer(const ActAnswer& answer, StepType type);

// Act Quick's: the one read.
struct ActQuickAnswer {
  std::string tool{};
  Json params{};
  friend bool operator==(const ActQuickAnswer&, const ActQuickAnswer&) = default;
};
template <>
struct Described<ActQuickAnswer> {
  static Shape make() {
    return object(
        "ActQuickAnswer",
        {field<&ActQuickAnswer::tool>("tool", "db_read; nothing else is quick.").longest(64),
         field<&ActQuickAnswer::params>("params", "Its parameters, as an object.")});
  }
};
Result<void> check_act_quick_answer(const ActQuickAnswer& answer);

}  // namespace alfred
