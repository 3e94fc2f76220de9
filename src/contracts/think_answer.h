// What Think gives: a plan, a proposal or a question. Steps say what is to be done where, in which
// group, and on which items; how it is done is Act's.
#pragma once

#include "contracts/node.h"

namespace alfred {

struct PlannedItem {
  std::string ref{};
  std::string label{};
  friend bool operator==(const PlannedItem&, const PlannedItem&) = default;
};
template <>
struct Described<PlannedItem> {
  static Shape make() {
    return object(
        "BatchItem",
        {field<&PlannedItem::ref>("ref", "The entity, or a name for one to be made.").longest(80),
         field<&PlannedItem::label>("label", "What people call it.").longest(200)});
  }
};

struct PlannedBatch {
  std::uint32_t total = 0;
  std::vector<PlannedItem> items{};
  friend bool operator==(const PlannedBatch&, const PlannedBatch&) = default;
};
template <>
struct Described<PlannedBatch> {
  static Shape make() {
    return object(
        "Batch",
        {field<&PlannedBatch::total>("total", "How many; the number of items.").between(1, 500),
         field<&PlannedBatch::items>("items", "Each of them, once.").most(500)});
  }
};

struct PlannedStep {
  StepType step_type = StepType::read;
  std::string subdomain{};
  std::uint32_t group = 1;
  std::string description{};
  std::optional<PlannedBatch> batch{};
  friend bool operator==(const PlannedStep&, const PlannedStep&) = default;
};
template <>
struct Described<PlannedStep> {
  static Shape make() {
    using S = PlannedStep;
    return object(
        "Step",
        {field<&S::step_type>("step_type", "What kind of work it is."),
         field<&S::subdomain>("subdomain", "Which part of the domain it is in.").longest(64),
         field<&S::group>("group", "Steps of one group run side by side; groups run in order.")
             .between(1, 12),
         field<&S::description>("description", "What is to be done, for people.").longest(400),
         field<&S::batch>("batch", "The items, when it is about several.")});
  }
};

enum class Decision : std::uint8_t { plan_direct, propose, clarify };
template <>
struct Named<Decision> {
  static constexpr std::string_view name = "Decision";
  static constexpr std::array<std::string_view, 3> names{"plan_direct", "propose", "clarify"};
};

struct ThinkAnswer {
  static constexpr std::size_t kSteps = 12;

  std::string goal{};
  Decision decision = Decision::plan_direct;
  std::vector<PlannedStep> steps{};
  std::optional<std::string> proposal{};
  std::vector<std::string> questions{};
  friend bool operator==(const ThinkAnswer&, const ThinkAnswer&) = default;
};
template <>
struct Described<ThinkAnswer> {
  static Shape make() {
    using A = ThinkAnswer;
    return object("ThinkAnswer",
                  {field<&A::goal>("goal", "What the user is after, in one sentence.").longest(400),
                   field<&A::decision>("decision", "Run the steps, propose them first, or ask."),
                   field<&A::steps>("steps", "For plan_direct and propose."),
                   field<&A::proposal>("proposal", "For propose: what would be done, for the user.")
                       .longest(2000),
                   field<&A::questions>("questions", "For clarify: what has to be known.")
                       .most(5)
                       .longest(400)});
  }
};

}  // namespace alfred
