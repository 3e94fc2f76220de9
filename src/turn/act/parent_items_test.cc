#include "turn/act/parent_items.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

class ParentItems : public testing::Test {
 protected:
  // Both books are meant; the step gets a manifest of them.
  void start() {
    play.know("book", 812345671, "Emma");
    play.know("book", 812345672, "Persuasion");
    play.plan("give both books a preface", one_step("write"), mention_json("both"));
    ASSERT_TRUE(play.step().batch);
    ASSERT_EQ(play.state.batch(*play.step().batch)->items().size(), 2u);
  }
  std::size_t completed() { return play.state.batch(*play.step().batch)->counts().completed; }

  TurnPlay play;
};

TEST_F(ParentItems, R1_a_row_that_links_to_an_item_completes_it) {
  start();
  play.answer(call_json("db_create",
                        R"({"table":"chapters","data":{"book_id":"book_1","name":"Preface"}})"));
  play.outcome(R"({"created":[{"ref":"chapter_1"}],"count":1})");
  EXPECT_EQ(completed(), 1u);
  play.answer(kComplete);
  EXPECT_FALSE(is_ended(play.step().status)) << "one of two is pending";
  play.answer(call_json("db_update", R"({"table":"chapters","data":{"name":"Preface"},
      "filters":[{"field":"book_id","op":"=","value":"book_2"}]})"));
  play.outcome(R"({"updated":[{"ref":"chapter_2"}],"count":1})");
  EXPECT_EQ(completed(), 2u);
  play.answer(kComplete);
  EXPECT_EQ(play.step().status, StepStatus::complete);
}

TEST_F(ParentItems, R1_a_row_that_was_read_under_an_item_completes_it) {
  play.know("book", 812345671, "Emma");
  play.know("book", 812345672, "Persuasion");
  play.plan("show both", one_step("read"));
  play.answer(kReadBooks);
  play.outcome(
      R"({"rows":[{"id":"book_1","title":"Emma","chapters":[{"id":"chapter_7","name":"I"}]},
                           {"id":"book_2","title":"Persuasion","chapters":[]}],"has_more":false})");
  play.answer(kComplete);
  play.finish();
  play.plan("rename in both", one_step("write"), mention_json("both"));
  play.answer(call_json("db_delete", R"({"table":"chapters",
      "filters":[{"field":"id","op":"=","value":"chapter_7"}]})"));
  play.outcome(R"({"deleted":[{"ref":"chapter_7"}],"count":1})");
  EXPECT_EQ(completed(), 1u);
}

TEST_F(ParentItems, R1_a_refused_call_and_a_row_that_leads_elsewhere_complete_nothing) {
  start();
  const std::string call =
      call_json("db_create", R"({"table":"chapters","data":{"book_id":"book_9","name":"x"}})");
  play.answer(call);
  play.outcome_error("ref_unknown", "no book_9");
  EXPECT_EQ(completed(), 0u);
  play.answer(call);
  play.outcome(R"({"created":[{"ref":"chapter_1"}],"count":1})");
  EXPECT_EQ(completed(), 0u);
}

TEST_F(ParentItems, R2_what_is_not_saved_is_complete_when_it_is_saved) {
  play.plan("make one", one_step("generate"));
  play.answer(complete_with({artifact_json("Emma")}));
  play.finish();
  play.plan("save it", one_step("write"), mention_json("it"));
  ASSERT_TRUE(play.step().batch);
  play.answer(call_json(
      "db_create", R"({"table":"chapters","data":{"book_id":"gen_book_1","name":"Preface"}})"));
  play.outcome(R"({"created":[{"ref":"chapter_1"}],"count":1})");
  EXPECT_EQ(completed(), 0u);
}

}  // namespace
}  // namespace alfred
