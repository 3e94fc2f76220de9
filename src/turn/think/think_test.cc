#include "turn/think/think.h"

#include "contracts/wake_up.h"
#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

TEST(Think, A16_plans_without_steps_with_too_many_or_with_groups_that_jump_are_refused) {
  std::string many = "[";
  for (int i = 0; i < 13; ++i) many += (i > 0 ? "," : "") + step_json("read");
  for (const std::string& steps :
       {std::string("[]"), many + "]", steps_json({step_json("read", "books", 2)}),
        steps_json({step_json("read"), step_json("read", "books", 3)}),
        steps_json({step_json("read", "boats")})}) {
    TurnPlay play;
    play.say("go");
    play.understand();
    play.think(steps);
    ASSERT_EQ(play.asked(), Node::think) << steps;
    EXPECT_NE(play.section("Your Last Answer Was Refused").find("[plan]"), std::string::npos);
    EXPECT_FALSE(play.turn().plan);
  }
}

TEST(Think, R5_what_came_in_by_itself_may_only_be_told) {
  TurnPlay play;
  play.say(wake_up_message({}));
  play.understand();
  play.think("[]");
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_FALSE(play.has_change("turn_failed"));
  play.finish();
}

TEST(Think, A17_A18_a_batch_counts_its_items_and_names_each_once) {
  for (const auto& [batch, code] :
       {std::pair{R"({"total":3,"items":[{"ref":"a","label":"x"}]})", "[batch_count]"},
        std::pair{R"({"total":2,"items":[{"ref":"a","label":"x"},{"ref":"a","label":"y"}]})",
                  "[batch_dup]"}}) {
    TurnPlay play;
    play.say("go");
    play.understand();
    play.think(steps_json({step_json("write", "books", 1, batch)}));
    ASSERT_EQ(play.asked(), Node::think);
    EXPECT_NE(play.section("Your Last Answer Was Refused").find(code), std::string::npos);
    EXPECT_TRUE(play.state.batches.empty());
  }
}

TEST(Think, R1_the_third_plan_in_vain_ends_the_turn_and_nothing_ran) {
  TurnPlay play;
  play.say("go");
  play.understand();
  for (int i = 0; i < 3; ++i) play.think("[]");
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_TRUE(play.has_change("turn_failed"));
  EXPECT_FALSE(play.turn().plan);
  play.finish();
}

TEST(Think, R1_a_batch_of_the_plan_becomes_a_manifest) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("go", steps_json({step_json("write", "books", 1, batch_json({"book_1"}))}));
  ASSERT_TRUE(play.step().batch);
  EXPECT_EQ(play.state.batch(*play.step().batch)->table(), "books");
  EXPECT_NE(play.section("Batch Manifest").find("| book_1 | Emma | pending | — |"),
            std::string::npos);
}

TEST(Think, R2_the_stated_count_is_what_a_generate_has_to_make) {
  TurnPlay play;
  play.plan("make 3", one_step("generate"), constraint_json("count", "3"));
  EXPECT_EQ(play.step().expected, 3u);
  EXPECT_NE(play.section("Task").find("Make exactly 3."), std::string::npos);
}

TEST(Think, R3_a_proposal_keeps_its_plan_and_runs_nothing) {
  TurnPlay play;
  play.say("tidy");
  play.understand();
  play.propose(one_step("write"));
  EXPECT_EQ(play.asked(), Node::reply);
  ASSERT_TRUE(play.turn().pending);
  EXPECT_EQ(play.turn().pending->plan->steps.size(), 1u);
  EXPECT_EQ(play.section("Status"), "Nothing was changed.\n");
}

TEST(Think, R3_clarify_and_propose_need_their_words) {
  for (const char* answer :
       {R"({"goal":"g","decision":"propose","steps":[],"proposal":null,"questions":[]})",
        R"({"goal":"g","decision":"clarify","steps":[],"proposal":null,"questions":[]})"}) {
    TurnPlay play;
    play.say("tidy");
    play.understand();
    play.answer(answer);
    EXPECT_EQ(play.asked(), Node::think);
  }
}

// 003: what Think is shown, in its order.
TEST(Think, I26_its_sections_stand_in_order_and_hold_refs_and_labels_only) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("read", one_step("read"), R"({"user_expressed":"likes short ones"})");
  play.answer(kReadBooks);
  play.outcome(R"({"rows":[{"id":"book_1","title":"Emma","pages":471}],"has_more":false})");
  play.answer(kComplete);
  play.finish("You have Emma.");
  play.say("and now?");
  play.understand(constraint_json("count", "2"));
  EXPECT_EQ(play.headings(),
            (std::vector<std::string>{"Active Goal", "Dashboard", "Entity Context",
                                      "Conversation History", "What Happened (Reasoning Trace)",
                                      "Signals", "Message", "Subdomains", "Your Task"}));
  EXPECT_NE(play.section("Entity Context").find("**DO NOT re-read:** `book_1`"), std::string::npos);
  EXPECT_EQ(play.ask().user.find("471"), std::string::npos);
  EXPECT_NE(play.section("What Happened (Reasoning Trace)").find("read books → read 1"),
            std::string::npos);
  EXPECT_NE(play.section("What Happened (Reasoning Trace)").find("likes short ones"),
            std::string::npos);
}

}  // namespace
}  // namespace alfred
