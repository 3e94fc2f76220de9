#include "turn/round.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

TEST(Round, R1_a_group_begins_when_the_one_before_has_ended) {
  TurnPlay play;
  play.plan("go", steps_json({step_json("read"), step_json("analyze", "books", 2)}));
  ASSERT_EQ(play.last.asks.size(), 1u);
  EXPECT_EQ(play.ask().step, 0u);
  play.answer(kComplete);
  ASSERT_EQ(play.last.asks.size(), 1u);
  EXPECT_EQ(play.ask().step, 1u);
}

TEST(Round, R2_after_a_failed_step_no_later_group_begins) {
  for (const std::string& answer :
       {std::string(R"({"action":"fail","details":"no shelf"})"), blocked_json("fail")}) {
    TurnPlay play;
    play.plan("go", steps_json({step_json("read"), step_json("write", "books", 2)}));
    play.answer(answer);
    ASSERT_EQ(play.asked(), Node::reply);
    EXPECT_EQ(play.step(1).status, StepStatus::pending);
    EXPECT_NE(play.section("Status").find("Not finished: read books: no shelf"), std::string::npos);
    EXPECT_FALSE(play.turn().pending);
  }
}

TEST(Round, R2_what_runs_beside_a_blocked_step_goes_on_to_its_end) {
  TurnPlay play;
  play.plan("go", steps_json({step_json("read"), step_json("read", "people")}));
  const std::uint32_t second = play.last.asks[1].id;
  play.answer_ask(play.last.asks[0].id, blocked_json("fail"));
  play.answer_ask(second,
                  R"({"action":"tool_call","tool":"db_read","params":{"table":"authors"}})");
  play.outcome(R"({"rows":[],"has_more":false})");
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_EQ(play.ask().step, 1u);
  play.answer(kComplete);
  EXPECT_EQ(play.asked(), Node::reply);
}

TEST(Round, R3_a_question_of_one_step_is_asked_though_another_failed) {
  TurnPlay play;
  play.plan("go", steps_json({step_json("read"), step_json("read", "people")}));
  const std::uint32_t second = play.last.asks[1].id;
  play.answer_ask(play.last.asks[0].id, blocked_json("fail"));
  play.answer_ask(second, R"({"action":"ask_user","question":"Which Jane?"})");
  ASSERT_EQ(play.asked(), Node::reply);
  ASSERT_TRUE(play.turn().pending);
  EXPECT_EQ(play.turn().pending->context, "Which Jane?");
  EXPECT_NE(play.section("To Ask the User").find("Which Jane?"), std::string::npos);
}

// D16, 28a.
TEST(Round, R3_another_plan_is_made_once_and_knows_what_was_done) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("go", steps_json({step_json("read"), step_json("write", "books", 2)}));
  play.answer(kReadBooks);
  play.outcome(kEmmaRead);
  play.answer(kComplete);
  play.answer(blocked_json("replan"));
  ASSERT_EQ(play.asked(), Node::think);
  const std::string done = play.section("What Was Done Before This Plan");
  EXPECT_NE(done.find("read books → read 1"), std::string::npos);
  EXPECT_NE(done.find("blocked: no shelf"), std::string::npos);
  play.think(one_step("write"));
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_EQ(play.turn().plan->kept, 2u);
  EXPECT_EQ(play.ask().step, 2u);
  EXPECT_EQ(play.step(0).status, StepStatus::complete);
  EXPECT_EQ(play.step(2).group, 3u);
  play.answer(blocked_json("replan"));
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_NE(play.section("Status").find("Not finished: write books: no shelf"), std::string::npos);
}

TEST(Round, R3_what_a_blocked_step_wrote_before_the_replan_stays_in_the_ledger) {
  TurnPlay play;
  play.plan("go", one_step("write"));
  play.answer(call_json("db_create", R"({"table":"books","data":{"title":"Emma"}})"));
  play.know("book", 812345670, "Emma");
  play.outcome(R"({"created":[{"ref":"book_1","label":"Emma"}],"count":1})");
  play.answer(blocked_json("replan"));
  play.think(one_step("read"));
  play.answer(kComplete);
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_NE(play.section("Status").find("- Saved (1): Emma"), std::string::npos);
  EXPECT_EQ(play.section("Status").find("Not finished"), std::string::npos);
  play.finish("ok");
  ASSERT_TRUE(play.state.facts.last_ledger);
  EXPECT_EQ(play.state.facts.last_ledger->entities_created.size(), 1u);
}

// 29, A24.
TEST(Round, A24_a_question_in_a_batch_keeps_it_and_the_answer_goes_on_with_it) {
  TurnPlay play;
  play.plan("make two", steps_json({step_json("generate", "books", 1, batch_json({"a", "b"})),
                                    step_json("write", "books", 2)}));
  play.answer(complete_with({artifact_json("Dusk"), artifact_json("Dawn")}));
  play.answer(call_json("db_create", R"({"table":"books","refs":["gen_book_1"]})"));
  play.saved("gen_book_1", 812345671);
  play.outcome(R"({"total":2,"completed":[{"ref":"gen_book_1","result":"book_1"}],
                  "failed":[],"pending":["gen_book_2"]})");
  play.answer(R"({"action":"ask_user","question":"Dawn too?"})");
  play.finish("Dusk is saved. Dawn too?");
  ASSERT_TRUE(play.state.facts.conversation.pending);
  play.say("yes, that one too");
  EXPECT_NE(play.section("What the Message May Answer").find("Dawn too?"), std::string::npos);
  play.understand();
  ASSERT_EQ(play.asked(), Node::act);  // no second plan
  EXPECT_EQ(play.ask().step, 1u);
  EXPECT_NE(play.section("Task").find("You asked: Dawn too?\nThe user answered: yes, that one too"),
            std::string::npos);
  EXPECT_NE(play.section("Batch Manifest").find("| gen_book_1 | Dusk | complete | book_1 |"),
            std::string::npos);
  EXPECT_NE(play.section("Batch Manifest").find("| gen_book_2 | Dawn | pending | — |"),
            std::string::npos);
  play.answer(call_json("db_create", R"({"table":"books","refs":["gen_book_2"]})"));
  play.saved("gen_book_2", 812345672);
  play.outcome(R"({"total":2,"completed":[{"ref":"gen_book_1","result":"book_1"},
                  {"ref":"gen_book_2","result":"book_2"}],"failed":[],"pending":[]})");
  play.answer(kComplete);
  EXPECT_EQ(play.section("Status"), "- Saved (1): Dawn\n");  // what this turn did
  play.finish("Dawn is saved.");
  EXPECT_FALSE(play.state.facts.conversation.pending);
}

TEST(Round, the_third_unusable_answer_of_a_node_ends_the_turn_and_says_so) {
  TurnPlay play;
  play.say("hello");
  play.answer("");
  EXPECT_EQ(play.ask().attempt, 2u);
  EXPECT_NE(play.section("Your Last Answer Was Refused").find("[answer_empty]"), std::string::npos);
  play.answer("nonsense");
  play.answer("nonsense");
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_TRUE(play.has_change("turn_failed"));
  EXPECT_NE(play.section("Status").find("Failed:"), std::string::npos);
  play.finish("Sorry.");
  EXPECT_NE(play.reply().find("For the record:\n- Failed:"), std::string::npos);
}

}  // namespace
}  // namespace alfred
