#include "state/constraints.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace alfred {
namespace {

const std::vector<ConstraintType> kTypes{
    {.name = "part_required",
     .is_many = true,
     .fields = {"main", "side"},
     .one_fields = {"main"},
     .place = ""},
    {.name = "part_excluded", .is_many = true, .fields = {}, .one_fields = {}, .place = ""},
    {.name = "taste",
     .is_many = true,
     .fields = {"heat", "other"},
     .one_fields = {"heat"},
     .place = ""},
    {.name = "time_limit", .is_many = false, .fields = {}, .one_fields = {}, .place = ""}};

Constraint one(std::string type, std::string field, Json value) {
  return {std::move(type), std::move(field), std::move(value), 1.0};
}

std::vector<std::string> texts(const SessionConstraints& constraints) {
  std::vector<std::string> out;
  for (const Constraint& constraint : constraints.all()) out.push_back(constraint_text(constraint));
  return out;
}

struct Talk {
  SessionConstraints constraints;
  std::uint32_t turn = 0;
  std::vector<std::string> notes;

  void hear(TurnConstraintSnapshot snapshot, std::string subdomain = "things",
            bool is_quick = false) {
    ConstraintMerge merged =
        merge_constraints(constraints, snapshot, kTypes, {++turn, std::move(subdomain), is_quick});
    constraints = std::move(merged.constraints);
    notes = std::move(merged.notes);
  }
};

TEST(Constraints, R1_values_of_a_many_add_up_and_the_second_is_not_lost) {
  Talk talk;
  talk.hear({.new_constraints = {one("part_required", "side", "rice"),
                                 one("part_required", "side", "peas")}});
  talk.hear({.new_constraints = {one("part_excluded", "", "nuts")}});
  EXPECT_EQ(texts(talk.constraints),
            (std::vector<std::string>{"part_required side: rice", "part_required side: peas",
                                      "part_excluded: nuts"}));
}

TEST(Constraints, R1_the_newest_of_a_one_replaces_and_the_ledger_says_so) {
  Talk talk;
  talk.hear({.new_constraints = {one("time_limit", "", 30), one("taste", "heat", "not_hot")}});
  talk.hear({.new_constraints = {one("time_limit", "", 20)}});
  EXPECT_EQ(texts(talk.constraints),
            (std::vector<std::string>{"taste heat: not_hot", "time_limit: 20"}));
  EXPECT_EQ(talk.notes, std::vector<std::string>{"replaced: time_limit: 30 by time_limit: 20"});
  talk.hear({.new_constraints = {one("taste", "heat", "hot")}});
  EXPECT_EQ(texts(talk.constraints),
            (std::vector<std::string>{"time_limit: 20", "taste heat: hot"}));
}

TEST(Constraints, R2_an_override_replaces_its_field_and_keeps_the_others) {
  Talk talk;
  talk.hear({.new_constraints = {one("part_required", "main", "cod"),
                                 one("part_required", "side", "rice"),
                                 one("part_required", "side", "peas")}});
  talk.hear({.override_constraints = {one("part_required", "main", "salmon")}});
  EXPECT_EQ(texts(talk.constraints),
            (std::vector<std::string>{"part_required side: rice", "part_required side: peas",
                                      "part_required main: salmon"}));
  talk.hear({.override_constraints = {one("part_required", "side", "beans"),
                                      one("part_required", "side", "peas")}});
  EXPECT_EQ(texts(talk.constraints),
            (std::vector<std::string>{"part_required side: peas", "part_required main: salmon",
                                      "part_required side: beans"}));
}

TEST(Constraints, A27_R3_a_reset_comes_before_what_came_with_it) {
  Talk talk;
  talk.hear({.new_constraints = {one("part_required", "main", "cod")}, .goal_update = "fish"});
  talk.hear({.new_constraints = {one("part_required", "main", "beef")},
             .reset_goal = true,
             .goal_update = "roast"});
  EXPECT_EQ(texts(talk.constraints), std::vector<std::string>{"part_required main: beef"});
  EXPECT_EQ(talk.constraints.active_goal->description, "roast");
  EXPECT_EQ(talk.constraints.active_goal->started_turn, 2U);
}

TEST(Constraints, R4_permanent_ones_survive) {
  Talk talk;
  talk.constraints.permanent = {one("part_excluded", "", "shellfish")};
  talk.hear({.new_constraints = {one("time_limit", "", 30)}});
  talk.hear({.reset_goal = true});
  EXPECT_EQ(texts(talk.constraints), std::vector<std::string>{"part_excluded: shellfish"});
  EXPECT_FALSE(talk.constraints.active_goal);
}

TEST(Constraints, R5_a_new_goal_elsewhere_ends_the_old_one_and_a_quick_look_does_not) {
  Talk talk;
  talk.hear({.new_constraints = {one("time_limit", "", 30)}, .goal_update = "dinner"});
  talk.hear({}, "lists", true);
  EXPECT_EQ(talk.constraints.active_goal->description, "dinner");
  talk.hear({.goal_update = "look"}, "lists", true);
  EXPECT_EQ(texts(talk.constraints), std::vector<std::string>{"time_limit: 30"});
  talk.hear({.goal_update = "plan the week"}, "plans");
  EXPECT_EQ(talk.constraints.active_goal->description, "plan the week");
  EXPECT_TRUE(texts(talk.constraints).empty());
}

TEST(Constraints, R5_three_turns_without_a_word_end_it_and_two_do_not) {
  Talk talk;
  talk.hear({.goal_update = "dinner"});
  EXPECT_TRUE(forget_stale_goal(talk.constraints, 4, 3).constraints.active_goal);
  EXPECT_FALSE(forget_stale_goal(talk.constraints, 5, 3).constraints.active_goal);
  EXPECT_TRUE(forget_stale_goal(talk.constraints, 50, 0).constraints.active_goal);
}

TEST(Constraints, A26_R7_an_undeclared_type_is_left_out_and_noted) {
  Talk talk;
  talk.hear({.new_constraints = {one("colour", "", "red"), one("time_limit", "", 5)}});
  EXPECT_EQ(texts(talk.constraints), std::vector<std::string>{"time_limit: 5"});
  EXPECT_EQ(talk.notes, std::vector<std::string>{"unknown constraint type left out: colour"});
}

Constraint any_constraint() {
  const ConstraintType& type = kTypes[*rc::gen::inRange<std::size_t>(0, kTypes.size())];
  const std::string field =
      type.fields.empty() ? "" : type.fields[*rc::gen::inRange<std::size_t>(0, type.fields.size())];
  return one(type.name, field, Json(*rc::gen::inRange(0, 4)));
}

TurnConstraintSnapshot any_snapshot() {
  TurnConstraintSnapshot out;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) out.new_constraints.push_back(any_constraint());
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    out.override_constraints.push_back(any_constraint());
  out.reset_goal = *rc::gen::inRange(0, 6) == 0;
  return out;
}

// A field that holds one value keeps the last that was said; else all that was said is there.
RC_GTEST_PROP(Constraints, I24_merge_is_repeatable_and_drops_nothing_it_was_not_told_to, ()) {
  Talk talk;
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
    const TurnConstraintSnapshot snapshot = any_snapshot();
    const SessionConstraints before = talk.constraints;
    talk.hear(snapshot);
    const ConstraintMerge again =
        merge_constraints(before, snapshot, kTypes, {talk.turn, "things", false});
    RC_ASSERT(again.constraints == talk.constraints);
    TurnConstraintSnapshot repeated = snapshot;
    repeated.reset_goal = false;
    const ConstraintMerge twice =
        merge_constraints(talk.constraints, repeated, kTypes, {talk.turn, "things", false});
    RC_ASSERT(twice.constraints.all().size() == talk.constraints.all().size());
    if (snapshot.reset_goal || !before.active_goal) continue;
    for (const Constraint& old : before.active_goal->constraints) {
      const auto touches = [&](const Constraint& said) { return said.type == old.type; };
      const bool is_touched =
          std::any_of(snapshot.new_constraints.begin(), snapshot.new_constraints.end(), touches) ||
          std::any_of(snapshot.override_constraints.begin(), snapshot.override_constraints.end(),
                      touches);
      const std::vector<Constraint> now = talk.constraints.all();
      RC_ASSERT(is_touched || std::find(now.begin(), now.end(), old) != now.end());
    }
  }
}

}  // namespace
}  // namespace alfred
