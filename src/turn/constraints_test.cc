// Constraints over turns, as the machine keeps them (scenarios 18 and 18a).
#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

class Goals : public testing::Test {
 protected:
  Goals() {
    ConstraintType part{.name = "part"};
    part.fields = {"hero", "place"};
    part.one_fields = {"hero"};
    play.pack().constraint_types.push_back(part);
    play.pack().constraint_types.push_back({.name = "mood", .is_many = false});
    play.tell(PermanentConstraintsSet{{Constraint{"genre_excluded", "", Json("war"), 1.0}}});
  }
  void turn(std::string_view message, std::string_view understood) {
    play.say(message);
    play.understand(understood);
    goal = play.section("Active Goal");
    play.think(one_step("analyze"));
    play.answer(kComplete);
    play.finish("ok");
  }
  TurnPlay play;
  std::string goal;
};

TEST_F(Goals, S18_every_constraint_of_every_turn_is_in_the_generation_prompt) {
  turn("books with a knight", constraint_json("part", R"("knight")", false, "hero"));
  turn("by the sea", constraint_json("part", R"("sea")", false, "place"));
  turn("not sad", constraint_json("mood", R"("not_sad")"));
  play.plan("make 3", one_step("generate"), constraint_json("count", "3"));
  const std::string profile = play.section("User Profile");
  for (const char* line : {"- genre_excluded: war", "- part hero: knight", "- part place: sea",
                           "- mood: not_sad", "- count: 3"})
    EXPECT_NE(profile.find(line), std::string::npos) << line;
  EXPECT_EQ(play.step().expected, 3u);
  play.answer(complete_with({artifact_json("A"), artifact_json("B"), artifact_json("C")}));
  play.finish("A, B and C are made, not saved.");
  turn("actually make it sad", constraint_json("mood", R"("sad")", true));
  EXPECT_NE(goal.find("- mood: sad"), std::string::npos);
  EXPECT_EQ(goal.find("not_sad"), std::string::npos);
  EXPECT_NE(goal.find("- part place: sea"), std::string::npos);
  turn("never mind, start over",
       R"({"constraint_snapshot":{"new_constraints":[],"override_constraints":[],
           "reset_goal":true,"goal_update":null,"source_phrases":[]}})");
  EXPECT_EQ(goal, "");
  EXPECT_EQ(play.state.facts.constraints.permanent.size(), 1u);
}

TEST_F(Goals, S18a_a_replaced_value_leaves_the_other_fields) {
  turn("a knight by the sea", constraint_json("part", R"("knight")", false, "hero"));
  turn("sea", constraint_json("part", R"("sea")", false, "place"));
  turn("a thief instead of the knight", constraint_json("part", R"("thief")", true, "hero"));
  EXPECT_NE(goal.find("- part hero: thief"), std::string::npos);
  EXPECT_EQ(goal.find("knight"), std::string::npos);
  EXPECT_NE(goal.find("- part place: sea"), std::string::npos);
}

TEST_F(Goals, S18a_a_goal_elsewhere_closes_it_and_a_quick_look_does_not) {
  turn("a knight", constraint_json("part", R"("knight")", false, "hero"));
  play.say("who wrote it?");
  play.understand(R"({"quick_mode":true,"quick_mode_confidence":"high",
                      "quick_subdomain":"people"})");
  ASSERT_EQ(play.asked(), Node::act_quick);
  EXPECT_TRUE(play.state.facts.constraints.active_goal);
  play.answer(R"({"tool":"db_read","params":{"table":"authors"}})");
  play.outcome(R"({"rows":[],"has_more":false})");
  play.finish("Nobody.");
  turn("now authors", R"({"quick_subdomain":"people","constraint_snapshot":{
      "new_constraints":[],"override_constraints":[],"reset_goal":false,
      "goal_update":"find authors","source_phrases":[]}})");
  EXPECT_EQ(goal, "**find authors** (since turn 3)\n");
}

TEST_F(Goals, S18a_a_goal_nobody_speaks_of_for_three_turns_is_forgotten) {
  turn("a knight", constraint_json("part", R"("knight")", false, "hero"));
  for (int i = 0; i < 3; ++i) {
    turn("something else", "{}");
    EXPECT_NE(goal, "") << i;
  }
  play.say("and now");
  EXPECT_FALSE(play.state.facts.constraints.active_goal);
  EXPECT_TRUE(play.has_change("constraints_merged"));
}

TEST_F(Goals, S18a_the_number_of_turns_is_a_setting) {
  play.change_settings([](SessionSettings& settings) { settings.goal_turns = 0; });
  turn("a knight", constraint_json("part", R"("knight")", false, "hero"));
  for (int i = 0; i < 6; ++i) turn("something else", "{}");
  EXPECT_TRUE(play.state.facts.constraints.active_goal);
}

}  // namespace
}  // namespace alfred
