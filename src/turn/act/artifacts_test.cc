#include "turn/act/artifacts.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

std::string refused(TurnPlay& play) { return play.section("Data Available"); }

TEST(Artifacts, R1_all_are_kept_whole_under_gen_refs) {
  TurnPlay play;
  play.plan("two", steps_json({step_json("generate", "books", 1, batch_json({"a", "b"}))}));
  play.answer(complete_with(
      {artifact_json("Dusk", R"(,"chapters":[{"name":"I"}],"mood":"x")"), artifact_json("Dawn")}));
  ASSERT_EQ(play.state.facts.artifacts.size(), 2u);
  EXPECT_EQ(write_json(play.state.artifact("gen_book_1")->content),
            R"({"title":"Dusk","chapters":[{"name":"I"}],"mood":"x"})");
  EXPECT_EQ(play.step().artifacts, (std::vector<std::string>{"gen_book_1", "gen_book_2"}));
  EXPECT_NE(play.section("Content").find("### Dusk (not saved)"), std::string::npos);
}

// 18b.
TEST(Artifacts, R1_fewer_or_more_than_asked_or_none_at_all_are_refused_and_none_is_kept) {
  TurnPlay play;
  play.plan("two", steps_json({step_json("generate", "books", 1, batch_json({"a", "b"}))}));
  play.answer(complete_with({artifact_json("Dusk")}));
  EXPECT_NE(refused(play).find("The step is to make 2; the answer has 1."), std::string::npos);
  play.answer(complete_with({artifact_json("A"), artifact_json("B"), artifact_json("C")}));
  EXPECT_NE(refused(play).find("the answer has 3."), std::string::npos);
  EXPECT_TRUE(play.state.facts.artifacts.empty());
  play.answer(complete_with({}));
  EXPECT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.step().status, StepStatus::blocked);
  TurnPlay any;
  any.plan("some", one_step("generate"));
  any.answer(complete_with({}));
  EXPECT_NE(refused(any).find("The answer has no artifacts"), std::string::npos);
}

TEST(Artifacts, R1_each_is_of_a_type_that_exists_with_a_label_and_an_object) {
  for (const auto& [artifact, code] :
       {std::pair{R"({"type":"boat","label":"x","content":{}})", "[schema]"},
        std::pair{R"({"type":"book","label":"","content":{}})", "[schema]"},
        std::pair{R"({"type":"book","label":"x","content":[]})", "[schema]"}}) {
    TurnPlay play;
    play.plan("x", one_step("generate"));
    play.answer(complete_with({artifact_json("Good"), artifact}));
    EXPECT_NE(refused(play).find(code), std::string::npos) << artifact;
    EXPECT_TRUE(play.state.facts.artifacts.empty());
  }
}

// Scenario 4.
TEST(Artifacts, R2_one_that_names_its_gen_ref_is_changed_in_place_in_a_later_turn) {
  TurnPlay play;
  play.plan("make one", one_step("generate"));
  play.answer(complete_with({artifact_json("Dusk")}));
  play.finish("Dusk is made, not saved.");
  play.plan("shorter", one_step("generate"));
  EXPECT_NE(play.section("Entities in Context").find(R"({"title":"Dusk"})"), std::string::npos);
  play.answer(complete_with({R"({"type":"book","label":"Dusk II","ref":"gen_book_1",
                                 "content":{"title":"Dusk II","pages":3}})"}));
  ASSERT_EQ(play.state.facts.artifacts.size(), 1u);
  EXPECT_EQ(write_json(play.state.artifact("gen_book_1")->content),
            R"({"title":"Dusk II","pages":3})");
  EXPECT_EQ(play.state.registry.label(play.state.registry.find("gen_book_1")), "Dusk II");
}

TEST(Artifacts, R2_no_other_ref_is_named_and_none_twice) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("make one", one_step("generate"));
  const auto with_ref = [](const char* ref) {
    return R"({"type":"book","label":"x","ref":")" + std::string(ref) + R"(","content":{}})";
  };
  play.answer(complete_with({with_ref("book_1")}));
  EXPECT_NE(refused(play).find("[ref_unknown]"), std::string::npos);
  play.answer(complete_with({artifact_json("Dusk")}));
  play.finish("Dusk is made, not saved.");
  play.plan("change it", one_step("generate"));
  play.answer(complete_with({with_ref("gen_book_1"), with_ref("gen_book_1")}));
  EXPECT_NE(refused(play).find("[batch_dup]"), std::string::npos);
  play.answer(complete_with({R"({"type":"author","label":"x","ref":"gen_book_1","content":{}})"}));
  EXPECT_NE(refused(play).find("[ref_type]"), std::string::npos);
  EXPECT_EQ(play.state.artifact("gen_book_1")->label, "Dusk");
}

// 18b, D12a.
TEST(Artifacts, R3_what_breaks_a_constraint_goes_back_and_the_third_blocks_the_step) {
  TurnPlay play;
  play.tell(PermanentConstraintsSet{{Constraint{"genre_excluded", "", Json("war"), 1.0}}});
  play.plan("make one", one_step("generate"));
  EXPECT_NE(play.section("User Profile").find("**Always:**\n- genre_excluded: war"),
            std::string::npos);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(play.asked(), Node::act);
    play.answer(complete_with({artifact_json("Dusk", R"(,"genre":"war")")}));
  }
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.step().status, StepStatus::blocked);
  EXPECT_TRUE(play.state.facts.artifacts.empty());
  EXPECT_NE(play.section("Status").find("genre_excluded: war"), std::string::npos);
}

TEST(Artifacts, R3_a_goal_about_other_things_does_not_bind) {
  TurnPlay play;
  ConstraintType must{.name = "genre_required"};
  must.check = {ConstraintCheck::Kind::required, {"genre"}};
  play.pack().constraint_types.push_back(must);
  play.plan("an author, for my gothic books", steps_json({step_json("generate", "people")}),
            constraint_json("genre_required", R"("gothic")"));
  play.answer(complete_with({R"({"type":"author","label":"Jane","content":{"name":"Jane"}})"}));
  EXPECT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.state.facts.artifacts.size(), 1u);
}

TEST(Artifacts, D7_a_key_that_a_model_made_up_is_masked_in_what_is_kept) {
  TurnPlay play;
  const std::string uuid = "a508000d-9b55-40f0-8886-dbdd88bd2de2";
  play.plan("make one", one_step("generate"));
  play.answer(complete_with({artifact_json("Dusk", R"(,"genre":")" + uuid + "\"")}));
  EXPECT_EQ(write_json(play.state.artifact("gen_book_1")->content),
            R"({"title":"Dusk","genre":"lit_1"})");
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.ask().user.find(uuid), std::string::npos);
}

}  // namespace
}  // namespace alfred
