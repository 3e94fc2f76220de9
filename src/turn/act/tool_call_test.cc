#include "turn/act/tool_call.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSaveBoth = R"({"table":"books","refs":["gen_book_1","gen_book_2"]})";

class Saving : public testing::Test {
 protected:
  Saving() {
    play.plan("make two and save them",
              steps_json({step_json("generate", "books", 1, batch_json({"a", "b"})),
                          step_json("write", "books", 2)}));
    play.answer(complete_with(
        {artifact_json("Dusk", R"(,"pages":9)"), artifact_json("Dawn", R"(,"mood":"sad")")}));
  }
  TurnPlay play;
};

// 28c.
TEST_F(Saving, R2_refs_become_compiled_rows_that_name_their_items_and_what_did_not_fit_is_told) {
  play.answer(call_json("db_create", kSaveBoth));
  ASSERT_EQ(play.last.calls.size(), 1u);
  EXPECT_EQ(write_json(play.last.calls[0].params),
            R"({"table":"books","data":[{"title":"Dusk","pages":9,"ref":"gen_book_1"},)"
            R"({"title":"Dawn","ref":"gen_book_2"}]})");
  EXPECT_EQ(play.last.calls[0].batch, play.step(1).batch);
  EXPECT_EQ(play.step(1).discrepancies, std::vector<std::string>{"Dawn: mood: no column takes it"});
}

TEST_F(Saving, R2_the_table_may_be_left_out_but_not_be_another) {
  play.answer(call_json("db_create", R"({"refs":["gen_book_1"]})"));
  ASSERT_EQ(play.last.calls.size(), 1u);
  EXPECT_EQ(play.last.calls[0].params.at("table"), Json("books"));
  TurnPlay other;
  other.plan("x", steps_json({step_json("generate"), step_json("write", "books", 2)}));
  other.answer(complete_with({artifact_json("Dusk")}));
  other.answer(call_json("db_create", R"({"table":"authors","refs":["gen_book_1"]})"));
  EXPECT_TRUE(other.last.calls.empty());
  EXPECT_NE(other.section("What Already Happened").find("gen_book_1 is saved in books."),
            std::string::npos);
}

TEST_F(Saving, R2_only_what_is_generated_and_unsaved_is_saved_by_ref) {
  for (const char* params :
       {R"({"table":"books","refs":["gen_book_9"]})", R"({"table":"books","refs":[7]})"}) {
    TurnPlay one;
    one.plan("x", steps_json({step_json("generate"), step_json("write", "books", 2)}));
    one.answer(complete_with({artifact_json("Dusk")}));
    one.answer(call_json("db_create", params));
    EXPECT_TRUE(one.last.calls.empty());
    EXPECT_NE(one.section("What Already Happened").find("[ref_unknown]"), std::string::npos);
    EXPECT_NE(one.section("What Already Happened").find("Allowed: gen_book_1"), std::string::npos);
  }
  for (const char* params : {R"({"table":"books","refs":[]})", R"({"table":"books","refs":"x"})",
                             R"({"table":"books","refs":["gen_book_1"],"data":[]})"}) {
    TurnPlay one;
    one.plan("x", steps_json({step_json("generate"), step_json("write", "books", 2)}));
    one.answer(complete_with({artifact_json("Dusk")}));
    one.answer(call_json("db_create", params));
    EXPECT_TRUE(one.last.calls.empty());
    EXPECT_NE(one.section("What Already Happened").find("[schema]"), std::string::npos);
  }
}

class Deleting : public testing::Test {
 protected:
  Deleting() {
    play.know("book", 812345670, "Emma");
    play.know("book", 812345671, "Dusk");
    play.plan("delete both",
              steps_json({step_json("write", "books", 1, batch_json({"book_1", "book_2"}))}));
  }
  std::string params_of(std::string_view tool, std::string_view params) {
    play.answer(call_json(tool, params));
    return play.last.calls.empty() ? "" : write_json(play.last.calls[0].params);
  }
  TurnPlay play;
};

TEST_F(Deleting, R3_rows_named_by_filters_become_rows_that_name_their_items) {
  EXPECT_EQ(params_of("db_delete", R"({"table":"books","filters":[{"field":"id","op":"in",)"
                                   R"("value":["book_1","book_2"]}]})"),
            R"({"table":"books","data":[{"ref":"book_1"},{"ref":"book_2"}]})");
  EXPECT_EQ(play.last.calls[0].batch, play.step().batch);
}

TEST_F(Deleting, R3_an_update_carries_its_values_to_every_item) {
  EXPECT_EQ(params_of("db_update", R"({"table":"books","filters":[{"field":"id","op":"=",)"
                                   R"("value":"book_2"}],"data":{"pages":3}})"),
            R"({"table":"books","data":[{"ref":"book_2","pages":3}]})");
}

// "everything but book_1" names no items.
TEST_F(Deleting, R3_filters_that_say_more_or_otherwise_stay_as_they_are) {
  for (const std::string params :
       {R"({"table":"books","filters":[{"field":"id","op":"!=","value":"book_1"}]})",
        R"({"table":"books","filters":[{"field":"id","op":"not_in","value":["book_1"]}]})",
        R"({"table":"books","filters":[{"field":"title","op":"=","value":"Emma"}]})",
        R"({"table":"books","filters":[{"field":"id","op":"in","value":["book_1",2]}]})",
        R"({"table":"books","filters":[{"field":"id","op":"=","value":"book_1"}],)"
        R"("or_filters":[{"field":"pages","op":"=","value":1}]})"}) {
    TurnPlay one;
    one.know("book", 812345670, "Emma");
    one.plan("x", steps_json({step_json("write", "books", 1, batch_json({"book_1"}))}));
    one.answer(call_json("db_delete", params));
    ASSERT_EQ(one.last.calls.size(), 1u);
    EXPECT_EQ(write_json(one.last.calls[0].params), params);
  }
}

TEST_F(Deleting, R3_a_call_on_another_table_is_a_call_of_its_own) {
  EXPECT_EQ(params_of("db_create", R"({"table":"authors","data":{"name":"Jane"}})"),
            R"({"table":"authors","data":{"name":"Jane"}})");
  EXPECT_FALSE(play.last.calls[0].batch);
}

// D12a: again before a write, typed or generated.
TEST(ToolCall, R4_rows_that_break_a_constraint_of_the_goal_are_not_written) {
  TurnPlay play;
  play.plan("a book, no war", one_step("write"), constraint_json("genre_excluded", R"("war")"));
  play.answer(call_json("db_create", R"({"table":"books","data":[{"title":"x","genre":"love"},)"
                                     R"({"title":"y","genre":"war"}]})"));
  EXPECT_TRUE(play.last.calls.empty());
  EXPECT_NE(play.section("What Already Happened").find("[constraint]"), std::string::npos);
  EXPECT_NE(play.section("What Already Happened").find("(at data[1])"), std::string::npos);
  play.answer(call_json("db_create", R"({"table":"books","data":{"title":"y","genre":"war"}})"));
  EXPECT_TRUE(play.last.calls.empty());
  play.answer(call_json("db_create", R"({"table":"books","data":{"title":"y","genre":"war"}})"));
  EXPECT_EQ(play.asked(), Node::reply);  // the third time
  EXPECT_EQ(play.step().status, StepStatus::blocked);
}

TEST(ToolCall, R4_generated_content_is_held_against_what_always_holds_when_it_is_saved) {
  TurnPlay play;
  play.plan("make one", one_step("generate"));
  play.answer(complete_with({artifact_json("Dusk", R"(,"genre":"war")")}));
  play.finish("Dusk is made, not saved.");
  play.tell(PermanentConstraintsSet{{Constraint{"genre_excluded", "", Json("war"), 1.0}}});
  play.plan("save it", one_step("write"), mention_json("it"));
  play.answer(call_json("db_create", R"({"table":"books","refs":["gen_book_1"]})"));
  EXPECT_TRUE(play.last.calls.empty());
  EXPECT_NE(play.section("What Already Happened").find("[constraint]"), std::string::npos);
}

// CheckedRows R1, R2: no goal is needed, and an update is held against it too.
TEST(ToolCall, R4_typed_rows_are_held_against_what_always_holds) {
  const auto is_refused = [](std::string_view tool, std::string_view params) {
    TurnPlay play;
    play.know("book", 812345670, "Emma");
    play.know("author", 812345671, "Jane");
    play.tell(PermanentConstraintsSet{{Constraint{"genre_excluded", "", Json("war"), 1.0}}});
    play.plan("x", one_step("write"));
    play.answer(call_json(tool, params));
    return play.last.calls.empty();
  };
  EXPECT_TRUE(is_refused("db_create", R"({"table":"books","data":{"title":"y","genre":"war"}})"));
  EXPECT_TRUE(is_refused("db_update", R"({"table":"books","data":{"id":"book_1","genre":"war"}})"));
  EXPECT_TRUE(is_refused("db_update",
                         R"({"table":"books","filters":[{"field":"id","op":"=","value":"book_1"}],)"
                         R"("data":{"genre":"war"}})"));
  EXPECT_FALSE(is_refused("db_create", R"({"table":"books","data":{"title":"y","genre":"love"}})"));
  // Authors have no genre: their names are theirs.
  EXPECT_FALSE(is_refused("db_create", R"({"table":"authors","data":{"name":"war"}})"));
}

}  // namespace
}  // namespace alfred
