// Ask and Answer: how a turn lends itself a model. RecordCall and CallOutcome: how it reaches rows.
// Both are values, so a turn can stop at one, be stored and go on with the outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "contracts/node.h"

namespace alfred {

// "Show this to the model." facts_json is the canonical JSON of what the prompt's sections hold, in
// refs and labels; an interpreter without a model answers from it. It and the schema are texts
// since they are written once, then looked through and kept, and rarely read.
struct Ask {
  std::uint32_t id = 0;  // within its turn
  Node node = Node::understand;
  std::optional<StepType> step_type{};
  std::optional<std::uint32_t> step{};  // index of the step it is for
  std::uint32_t attempt = 1;            // counts repairs
  bool was_cut = false;                 // the answer before ended too early: it needs more room
  std::string system{};
  std::string user{};
  std::string schema_json{};  // of the answer; empty: plain text
  std::string facts_json{};
};

enum class FinishReason : std::uint8_t { stop, length, refusal };
template <>
struct Named<FinishReason> {
  static constexpr std::string_view name = "FinishReason";
  static constexpr std::array<std::string_view, 3> names{"stop", "length", "refusal"};
};

struct Answer {
  std::uint32_t ask = 0;
  std::string text{};
  FinishReason finish = FinishReason::stop;
  friend bool operator==(const Answer&, const Answer&) = default;
};
template <>
struct Described<Answer> {
  static Shape make() {
    return object("Answer", {field<&Answer::ask>("ask", "Which ask it answers."),
                             field<&Answer::text>("text", "What the model said."),
                             field<&Answer::finish>("finish", "Why it stopped.")});
  }
};

// What a call is for, which says how its outcome is used.
enum class CallPurpose : std::uint8_t { tool, background, profile, dashboard };
template <>
struct Named<CallPurpose> {
  static constexpr std::string_view name = "CallPurpose";
  static constexpr std::array<std::string_view, 4> names{"tool", "background", "profile",
                                                         "dashboard"};
};

// "Run this on the records."
struct RecordCall {
  std::uint32_t id = 0;  // within its turn
  CallPurpose purpose = CallPurpose::tool;
  std::optional<std::uint32_t> step{};
  std::string tool{};
  Json params{};
  std::optional<std::string> batch{};  // whose items its rows name
  friend bool operator==(const RecordCall&, const RecordCall&) = default;
};
template <>
struct Described<RecordCall> {
  static Shape make() {
    using C = RecordCall;
    return object(
        "RecordCall",
        {field<&C::id>("id", "Its number in the turn."), field<&C::purpose>("purpose", "What for."),
         field<&C::step>("step", "For which step."), field<&C::tool>("tool", "Which tool."),
         field<&C::params>("params", "In refs."),
         field<&C::batch>("batch", "Whose items its rows name.")});
  }
};

struct CallError {
  std::string code{};
  std::string message{};
  std::string path{};
  std::vector<std::string> allowed{};
  friend bool operator==(const CallError&, const CallError&) = default;
};
template <>
struct Described<CallError> {
  static Shape make() {
    return object("CallError",
                  {field<&CallError::code>("code", "Of docs/errors.md."),
                   field<&CallError::message>("message", "What is wrong and what to do."),
                   field<&CallError::path>("path", "Where in the parameters."),
                   field<&CallError::allowed>("allowed", "What would have been taken.")});
  }
};

struct CallOutcome {
  std::uint32_t call = 0;
  std::optional<Json> answer{};  // in refs
  std::optional<CallError> error{};
};
template <>
struct Described<CallOutcome> {
  static Shape make() {
    return object("CallOutcome",
                  {field<&CallOutcome::call>("call", "Which call it is of."),
                   field<&CallOutcome::answer>("answer", "What it brought, in refs."),
                   field<&CallOutcome::error>("error", "Why it was refused.")});
  }
};

}  // namespace alfred
