#include "turn/understand/understand.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kQuick =
    R"({"quick_mode":true,"quick_mode_confidence":"high","quick_subdomain":"books",
        "quick_intent":"list the books"})";

// A session with two novels in play.
class Understand : public testing::Test {
 protected:
  Understand() {
    play.know("book", 812345670, "Gothic Emma");
    play.know("book", 812345671, "Gothic Nights");
  }
  TurnPlay play;
};

TEST_F(Understand, R1_code_resolves_who_is_meant) {
  play.say("delete gothic nights");
  play.understand(mention_json("gothic nights"));
  ASSERT_EQ(play.asked(), Node::think);
  EXPECT_NE(play.section("Signals").find("- \"gothic nights\" (book): `book_2`\n"),
            std::string::npos);
  EXPECT_EQ(play.state.registry.entry(play.state.registry.find("book_2")).last_referenced_phrase,
            "gothic nights");
}

// Scenario 22.
TEST_F(Understand, R1_one_question_when_two_could_be_meant_and_nothing_runs_before_its_answer) {
  play.say("delete the gothic book");
  play.understand(mention_json("the gothic book"));
  ASSERT_EQ(play.asked(), Node::reply);
  ASSERT_TRUE(play.turn().pending);
  EXPECT_EQ(play.turn().pending->type, PendingType::disambiguate);
  EXPECT_EQ(play.turn().pending->candidates, (std::vector<std::string>{"book_1", "book_2"}));
  EXPECT_EQ(play.section("To Ask the User"),
            "**Waiting for the user** (disambiguate): Which book did you mean?\n- Gothic Emma\n"
            "- Gothic Nights\n");
  EXPECT_FALSE(play.turn().plan);
  play.finish("Gothic Emma or Gothic Nights?");

  play.know("book", 812345672, "Plain Nights");  // would match, but nobody was asked about it
  play.say("the nights one");
  EXPECT_NE(play.section("What the Message May Answer").find("had said: delete the gothic book"),
            std::string::npos);
  play.understand(mention_json("the nights one"));
  ASSERT_EQ(play.asked(), Node::think);
  EXPECT_EQ(play.turn().mentions[0].resolved, std::vector<std::string>{"book_2"});
  EXPECT_NE(play.section("Pending").find("had said: delete the gothic book"), std::string::npos);
}

TEST_F(Understand, A25_curation_of_refs_nobody_knows_is_ignored_and_noted) {
  play.say("forget it");
  play.understand(R"({"entity_curation":{"retain":[{"ref":"book_77","reason":"x"}],
      "demote":["book_1"],"drop":["book_99"],"clear_all":false}})");
  EXPECT_EQ(play.turn().curation.ignored, (std::vector<std::string>{"book_77", "book_99"}));
  EXPECT_EQ(play.turn().curation.demoted, std::vector<std::string>{"book_1"});
  EXPECT_EQ(play.section("Curation This Turn"), "- set aside: `book_1`\n");
  EXPECT_EQ(play.section("Entity Context").find("Gothic Emma"), std::string::npos);
}

TEST_F(Understand, R2_clear_all_drops_all_in_play_and_forgets_what_is_unsaved) {
  play.plan("make one", one_step("generate"));
  play.answer(complete_with({artifact_json("Dusk")}));
  play.finish("Dusk is made, not saved.");
  play.say("forget all that");
  play.understand(R"({"entity_curation":{"retain":[],"demote":[],"drop":[],"clear_all":true}})");
  EXPECT_TRUE(play.state.facts.artifacts.empty());
  EXPECT_EQ(play.section("Entity Context"), "*No entities yet.*\n");
  EXPECT_EQ(play.turn().curation.dropped,
            (std::vector<std::string>{"book_1", "book_2", "gen_book_1"}));
  EXPECT_NE(play.state.registry.find("gen_book_1"), kNoEntity);  // still known, never reused
}

// A27, and 001's early return.
TEST_F(Understand, A27_a_reset_comes_first_then_what_came_with_it) {
  play.say("no war");
  play.understand(constraint_json("genre_excluded", R"("war")"));
  play.think(one_step("read"));
  play.answer(kComplete);
  play.finish();
  play.say("never mind, two of something without horror");
  play.understand(R"({"quick_subdomain":"books","constraint_snapshot":{"new_constraints":[
      {"type":"genre_excluded","field":"","value":"horror","confidence":1}],
      "override_constraints":[],"reset_goal":true,"goal_update":"two","source_phrases":[]}})");
  ASSERT_TRUE(play.state.facts.constraints.active_goal);
  EXPECT_EQ(play.section("Active Goal"), "**two** (since turn 2)\n- genre_excluded: horror\n");
  EXPECT_EQ(play.turn().constraint_notes.at(0), "goal ended (the user gave it up): User request");
}

TEST_F(Understand, A26_a_constraint_of_an_unknown_type_is_left_out_and_noted) {
  play.say("in blue");
  play.understand(constraint_json("colour", R"("blue")"));
  EXPECT_EQ(play.turn().constraint_notes.at(0), "unknown constraint type left out: colour");
}

TEST_F(Understand, R4_high_confidence_goes_straight_to_one_read) {
  play.say("my books");
  play.understand(kQuick);
  ASSERT_EQ(play.asked(), Node::act_quick);
  EXPECT_EQ(play.step().step_type, StepType::read);
  EXPECT_EQ(play.step().description, "list the books");
  play.answer(R"({"tool":"db_read","params":{"table":"books"}})");
  play.outcome(R"({"rows":[],"has_more":false})");
  ASSERT_EQ(play.asked(), Node::reply);
  play.finish("None.");
  EXPECT_FALSE(play.state.facts.trace.recent_summaries.back().think_decision);
}

TEST_F(Understand, R4_only_a_read_is_quick) {
  play.say("my books");
  play.understand(kQuick);
  for (int i = 0; i < 3; ++i) play.answer(R"({"tool":"db_delete","params":{"table":"books"}})");
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.step().status, StepStatus::blocked);
}

// 28b.
TEST_F(Understand, R4_medium_confidence_goes_through_think_which_knows_it) {
  play.say("my books");
  play.understand(R"({"quick_mode":true,"quick_subdomain":"books"})");
  ASSERT_EQ(play.asked(), Node::think);
  EXPECT_NE(play.section("Signals").find("taken for a quick look-up, but not surely"),
            std::string::npos);
}

TEST_F(Understand, R4_an_unknown_subdomain_is_not_quick) {
  play.say("my boats");
  play.understand(
      R"({"quick_mode":true,"quick_mode_confidence":"high","quick_subdomain":"boats"})");
  EXPECT_EQ(play.asked(), Node::think);
}

TEST_F(Understand, R4_with_something_pending_nothing_is_quick) {
  play.say("hm");
  play.understand();
  play.answer(R"({"goal":"g","decision":"clarify","steps":[],"proposal":null,
                  "questions":["Which ones?"]})");
  play.finish("Which ones?");
  play.say("my books");
  play.understand(kQuick);
  EXPECT_EQ(play.asked(), Node::think);
}

// Scenario 28.
TEST_F(Understand, R5_a_yes_runs_the_plan_that_was_proposed_without_think) {
  play.say("tidy up");
  play.understand();
  play.propose(steps_json({step_json("write", "books", 1, batch_json({"book_1", "book_2"}))}));
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_FALSE(play.turn().plan);
  const std::string batch = *play.turn().pending->plan->steps[0].batch;
  play.finish("Shall I?");
  EXPECT_EQ(play.state.facts.trace.recent_summaries.back().think_decision, Decision::propose);
  play.say("yes");
  play.understand(R"({"conversation_phase":"confirming"})");
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_EQ(play.step().batch, batch);
  EXPECT_NE(play.section("Batch Manifest").find("Completed: 0 of 2"), std::string::npos);
}

TEST_F(Understand, R5_anything_but_a_plain_yes_is_planned_anew) {
  for (const char* answer :
       {R"({"conversation_phase":"narrowing"})",
        R"({"conversation_phase":"confirming","constraint_snapshot":{"new_constraints":[
            {"type":"count","field":"","value":2,"confidence":1}],"override_constraints":[],
            "reset_goal":false,"goal_update":null,"source_phrases":[]}})",
        R"({"conversation_phase":"confirming","entity_curation":
            {"retain":[],"demote":[],"drop":[],"clear_all":true}})"}) {
    TurnPlay one;
    one.say("tidy up");
    one.understand();
    one.propose(one_step("write"));
    one.finish("Shall I?");
    one.say("yes, but");
    one.understand(answer);
    EXPECT_EQ(one.asked(), Node::think) << answer;
    EXPECT_NE(one.section("Pending").find("Shall I?"), std::string::npos);
  }
}

TEST_F(Understand, A28_a_long_processed_message_is_cut_and_noted) {
  play.say("x");
  play.understand(R"({"processed_message":")" + std::string(100'000, 'x') + R"("})");
  EXPECT_EQ(play.turn().understood->processed_message.size(), 50u);
  EXPECT_TRUE(play.has_change("answer_noted"));
}

TEST_F(Understand, D26_ambiguity_and_assumptions_reach_think_and_the_reply) {
  play.say("what can I read?");
  play.understand(R"({"ambiguity":"under_specified","default_assumptions":["only novels"]})");
  EXPECT_NE(play.section("Signals").find("the request is under_specified\n- assumed: only novels"),
            std::string::npos);
  play.think(one_step("read"));
  play.answer(kComplete);
  EXPECT_NE(play.section("What Happened (Reasoning Trace)").find("- assumed: only novels"),
            std::string::npos);
}

}  // namespace
}  // namespace alfred
