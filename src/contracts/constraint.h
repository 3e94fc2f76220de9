// What a user wants kept to, as a value: "cod", "not spicy", "under 30 minutes". Its type and field
// are declared by the pack; polarity is part of the value.
#pragma once

#include <string>
#include <vector>

#include "contracts/shape.h"

namespace alfred {

struct Constraint {
  std::string type{};
  std::string field{};
  Json value{};
  double confidence = 1.0;
  friend bool operator==(const Constraint&, const Constraint&) = default;
};
template <>
struct Described<Constraint> {
  static Shape make() {
    return object(
        "Constraint",
        {field<&Constraint::type>("type", "A constraint type of the pack.").longest(64),
         field<&Constraint::field>("field", "Which aspect it is about.").longest(64),
         field<&Constraint::value>("value", "A text or a number; not_x says the opposite."),
         field<&Constraint::confidence>("confidence", "How sure, from 0 to 1.").between(0, 1)});
  }
};

// What one message says about constraints.
struct TurnConstraintSnapshot {
  std::vector<Constraint> new_constraints{};
  std::vector<Constraint> override_constraints{};
  bool reset_goal = false;
  std::optional<std::string> goal_update{};
  std::vector<std::string> source_phrases{};
  friend bool operator==(const TurnConstraintSnapshot&, const TurnConstraintSnapshot&) = default;
};
template <>
struct Described<TurnConstraintSnapshot> {
  static Shape make() {
    using S = TurnConstraintSnapshot;
    return object(
        "TurnConstraintSnapshot",
        {field<&S::new_constraints>("new_constraints", "Mentioned in this message.").most(40),
         field<&S::override_constraints>("override_constraints",
                                         "These replace what stood for their type and field.")
             .most(40),
         field<&S::reset_goal>("reset_goal", "The user gave the goal up: never mind, start over."),
         field<&S::goal_update>("goal_update", "The new goal in a few words, if it changed.")
             .longest(200),
         field<&S::source_phrases>("source_phrases", "The user's words that say so.")
             .most(20)
             .longest(200)});
  }
};

}  // namespace alfred
