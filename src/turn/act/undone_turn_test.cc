#include "turn/act/undone_turn.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

class UndoneTurn : public testing::Test {
 protected:
  TurnPlay play;
};

TEST_F(UndoneTurn, R1_content_whose_save_was_taken_back_is_unsaved_under_a_new_ref) {
  play.plan("make one", one_step("generate"));
  play.answer(complete_with({artifact_json("Emma")}));
  play.finish();
  const Json made = play.state.artifact("gen_book_1")->content;
  play.plan("save it", one_step("write"), mention_json("it"));
  play.answer(call_json("db_create", R"({"table":"books","refs":["gen_book_1"]})"));
  play.saved("gen_book_1", 812345671);
  play.outcome(R"({"completed":[{"ref":"gen_book_1","result":"book_1"}],"pending":[],"count":1})");
  play.answer(kComplete);
  play.finish();
  ASSERT_TRUE(play.state.artifact("gen_book_1")->saved_as);
  play.plan("undo that", one_step("write"));
  play.answer(call_json("db_undo", "{}"));
  play.deleted("book_1");
  play.outcome(R"({"deleted":[{"ref":"book_1","label":"Emma"}],"count":1})");
  EXPECT_EQ(play.state.artifact("gen_book_1"), nullptr);
  const StoredArtifact* again = play.state.artifact("gen_book_2");
  ASSERT_NE(again, nullptr);
  EXPECT_FALSE(again->saved_as);
  EXPECT_EQ(again->label, "Emma");
  EXPECT_EQ(again->content, made);
  play.answer(kComplete);
  play.finish();
  play.plan("save it", one_step("write"), mention_json("it"));
  ASSERT_TRUE(play.step().batch);
  EXPECT_EQ(play.state.batch(*play.step().batch)->items()[0].ref, "gen_book_2");
}

TEST_F(UndoneTurn, R2_items_that_the_undo_touched_are_complete_and_others_say_why_not) {
  play.know("book", 812345671, "Emma");
  play.know("book", 812345672, "Persuasion");
  play.plan("undo both", one_step("write"), mention_json("both"));
  ASSERT_TRUE(play.step().batch);
  play.answer(call_json("db_undo", "{}"));
  play.outcome(R"({"updated":["book_1"],"count":1})");
  const BatchManifest& batch = *play.state.batch(*play.step().batch);
  ASSERT_EQ(batch.items().size(), 2u);
  EXPECT_EQ(batch.items()[0].status, ItemStatus::complete);
  EXPECT_EQ(batch.items()[1].status, ItemStatus::failed);
  play.answer(kComplete);
  EXPECT_EQ(play.step().status, StepStatus::complete);
}

TEST_F(UndoneTurn, R2_a_dry_run_and_a_refused_undo_settle_nothing) {
  play.know("book", 812345671, "Emma");
  play.know("book", 812345672, "Persuasion");
  play.plan("undo both", one_step("write"), mention_json("both"));
  play.answer(call_json("db_undo", R"({"dry_run":true})"));
  play.outcome(R"({"updated":["book_1"],"count":1})");
  play.answer(call_json("db_undo", "{}"));
  play.outcome_error("conflict", "book_1 was changed since.");
  EXPECT_EQ(play.state.batch(*play.step().batch)->counts().pending, 2u);
}

}  // namespace
}  // namespace alfred
