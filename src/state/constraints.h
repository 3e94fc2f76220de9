// What the user wants kept to, accumulated over turns: permanent constraints and those of the
// active goal. Merged by code, never read out of prose again.
//
// R1 a type the pack calls `many` adds up by (type, field, value); a `one`, or a field that holds one value, is
//    replaced by the newest, and the ledger says so (D12).
// R2 an override replaces what stands for its type and field; other fields stay.
// R3 a reset is applied first, then what came with it (A27).
// R4 permanent constraints survive every reset.
// R5 a goal ends by the user's word, by a new goal in another subdomain, or after some turns without any
//    of its entities; a quick look at another subdomain ends nothing.
// R6 merging the same snapshot again changes nothing (I-24).
// R7 a type the pack does not declare is left out and noted (A26).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contracts/constraint.h"
#include "pack/pack.h"

namespace alfred {

struct ActiveGoal {
  std::string description{};
  std::string subdomain{};  // empty: not known yet
  std::uint32_t started_turn = 0;
  std::uint32_t last_referenced_turn = 0;
  std::vector<Constraint> constraints{};
  friend bool operator==(const ActiveGoal&, const ActiveGoal&) = default;
};
template <>
struct Described<ActiveGoal> {
  static Shape make() {
    using G = ActiveGoal;
    return object("ActiveGoal",
                  {field<&G::description>("description", "What the user is after."),
                   field<&G::subdomain>("subdomain", "Where."),
                   field<&G::started_turn>("started_turn", "Since when."),
                   field<&G::last_referenced_turn>("last_referenced_turn", "When last."),
                   field<&G::constraints>("constraints", "What holds for it.")});
  }
};

struct SessionConstraints {
  std::vector<Constraint> permanent{};
  std::optional<ActiveGoal> active_goal{};
  friend bool operator==(const SessionConstraints&, const SessionConstraints&) = default;

  // Permanent first, then the goal's.
  std::vector<Constraint> all() const;
};
template <>
struct Described<SessionConstraints> {
  static Shape make() {
    using C = SessionConstraints;
    return object("SessionConstraints",
                  {field<&C::permanent>("permanent", "What always holds."),
                   field<&C::active_goal>("active_goal", "What holds for now.")});
  }
};

// What a merge did, for the ledger, each a sentence.
struct ConstraintMerge {
  SessionConstraints constraints{};
  std::vector<std::string> notes{};
};

struct MergeMoment {
  std::uint32_t turn = 0;
  std::string subdomain{};  // the message's; empty: unclear
  bool is_quick = false;    // a look-up
  bool is_of_goal = false;  // it speaks of the goal's entities
};

// Pure (R1–R7).
ConstraintMerge merge_constraints(const SessionConstraints& before,
                                  const TurnConstraintSnapshot& snapshot,
                                  std::span<const ConstraintType> types, const MergeMoment& moment);

// R5's third trigger: the goal that no turn has spoken of for so long. 0 turns it off.
ConstraintMerge forget_stale_goal(const SessionConstraints& before, std::uint32_t turn,
                                  std::uint32_t turns_without_reference);

// "protein: cod", for people and prompts.
std::string constraint_text(const Constraint& constraint);

}  // namespace alfred
