#include "state/constraints.h"

#include <algorithm>

namespace alfred {
namespace {

const ConstraintType* find_type(std::span<const ConstraintType> types, std::string_view name) {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const ConstraintType& type) { return type.name == name; });
  return found == types.end() ? nullptr : &*found;
}

bool holds_one(const ConstraintType& type, std::string_view field) {
  return !type.is_many ||
         std::find(type.one_fields.begin(), type.one_fields.end(), field) != type.one_fields.end();
}

// A constraint of type `one` is about one thing, whatever its field says.
bool is_same_place(const ConstraintType& type, const Constraint& a, const Constraint& b) {
  return a.type == b.type && (!type.is_many || a.field == b.field);
}

bool is_same(const Constraint& a, const Constraint& b) {
  return a.type == b.type && a.field == b.field && a.value == b.value;
}

class Merger {
 public:
  Merger(std::span<const ConstraintType> types, std::vector<Constraint>& into,
         std::vector<std::string>& notes)
      : types_(types), into_(into), notes_(notes) {}

  // is_override: what stands in the same place goes, also where values add up.
  void add(std::span<const Constraint> constraints, bool is_override) {
    std::vector<const Constraint*> known;
    for (const Constraint& constraint : constraints) {
      const ConstraintType* type = find_type(types_, constraint.type);
      if (type == nullptr)
        notes_.push_back("unknown constraint type left out: " + constraint.type);
      else
        known.push_back(&constraint);
    }
    if (is_override)
      for (const Constraint* constraint : known) clear_place(*constraint, constraints);
    for (const Constraint* constraint : known) add_one(*constraint);
  }

 private:
  // Removes what stands there, but for what the same snapshot says again.
  void clear_place(const Constraint& constraint, std::span<const Constraint> said) {
    const ConstraintType& type = *find_type(types_, constraint.type);
    std::erase_if(into_, [&](const Constraint& old) {
      if (!is_same_place(type, old, constraint)) return false;
      const bool is_said = std::any_of(said.begin(), said.end(),
                                       [&](const Constraint& one) { return is_same(one, old); });
      if (!is_said) notes_.push_back("replaced: " + constraint_text(old));
      return !is_said;
    });
  }

  void add_one(const Constraint& constraint) {
    const ConstraintType& type = *find_type(types_, constraint.type);
    const auto same = std::find_if(into_.begin(), into_.end(),
                                   [&](const Constraint& old) { return is_same(old, constraint); });
    if (same != into_.end()) {
      same->confidence = std::max(same->confidence, constraint.confidence);
      return;
    }
    if (holds_one(type, constraint.field))
      std::erase_if(into_, [&](const Constraint& old) {
        if (!is_same_place(type, old, constraint)) return false;
        notes_.push_back("replaced: " + constraint_text(old) + " by " +
                         constraint_text(constraint));
        return true;
      });
    into_.push_back(constraint);
  }

  std::span<const ConstraintType> types_;
  std::vector<Constraint>& into_;
  std::vector<std::string>& notes_;
};

void end_goal(SessionConstraints& constraints, std::string_view why,
              std::vector<std::string>& notes) {
  if (!constraints.active_goal) return;
  notes.push_back("goal ended (" + std::string(why) + "): " + constraints.active_goal->description);
  constraints.active_goal.reset();
}

bool says_something(const TurnConstraintSnapshot& snapshot) {
  return snapshot.goal_update || !snapshot.new_constraints.empty() ||
         !snapshot.override_constraints.empty();
}

}  // namespace

std::vector<Constraint> SessionConstraints::all() const {
  std::vector<Constraint> out = permanent;
  if (active_goal)
    out.insert(out.end(), active_goal->constraints.begin(), active_goal->constraints.end());
  return out;
}

ConstraintMerge merge_constraints(const SessionConstraints& before,
                                  const TurnConstraintSnapshot& snapshot,
                                  std::span<const ConstraintType> types,
                                  const MergeMoment& moment) {
  ConstraintMerge out{before, {}};
  std::optional<ActiveGoal>& goal = out.constraints.active_goal;
  if (snapshot.reset_goal) end_goal(out.constraints, "the user gave it up", out.notes);
  const bool is_elsewhere = goal && !goal->subdomain.empty() && !moment.subdomain.empty() &&
                            goal->subdomain != moment.subdomain;
  if (is_elsewhere && snapshot.goal_update && !moment.is_quick)
    end_goal(out.constraints, "a new goal elsewhere", out.notes);
  if (goal && moment.is_of_goal)
    goal->last_referenced_turn = std::max(goal->last_referenced_turn, moment.turn);
  if (!says_something(snapshot)) return out;
  if (!goal)
    goal = ActiveGoal{snapshot.goal_update.value_or("User request"),
                      moment.subdomain,
                      moment.turn,
                      moment.turn,
                      {}};
  if (snapshot.goal_update) goal->description = *snapshot.goal_update;
  if (goal->subdomain.empty()) goal->subdomain = moment.subdomain;
  goal->last_referenced_turn = std::max(goal->last_referenced_turn, moment.turn);
  Merger merger(types, goal->constraints, out.notes);
  merger.add(snapshot.override_constraints, true);
  merger.add(snapshot.new_constraints, false);
  return out;
}

ConstraintMerge forget_stale_goal(const SessionConstraints& before, std::uint32_t turn,
                                  std::uint32_t turns_without_reference) {
  ConstraintMerge out{before, {}};
  const std::optional<ActiveGoal>& goal = before.active_goal;
  if (turns_without_reference == 0 || !goal) return out;
  if (turn > goal->last_referenced_turn &&
      turn - goal->last_referenced_turn > turns_without_reference)
    end_goal(out.constraints,
             std::to_string(turns_without_reference) + " turns without a word of it", out.notes);
  return out;
}

std::string constraint_text(const Constraint& constraint) {
  const JsonString* text = constraint.value.if_string();
  const std::string value = text ? std::string(*text) : write_json(constraint.value);
  const std::string place =
      constraint.field.empty() ? constraint.type : constraint.type + " " + constraint.field;
  return place + ": " + value;
}

}  // namespace alfred
