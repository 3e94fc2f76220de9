#include "turn/act/act.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

// Every kind of answer that cannot be used: it goes back with its code, and the third ends the
// step.
struct Unusable {
  const char* row;
  const char* text;
  const char* code;
  FinishReason finish = FinishReason::stop;
};

TEST(Act, R1_answers_that_cannot_be_used_go_back_and_the_third_blocks_the_step) {
  std::string deep;
  for (int i = 0; i < 1'000; ++i) deep += "{\"a\":";
  const std::vector<Unusable> rows{
      {"A1", "  ", "answer_empty"},
      {"A2", "I will read the books now.", "json"},
      {"A4", "Here: {\"a\":1} and {\"b\":2}", "answer_ambiguous"},
      {"A5", "{\"action\":", "answer_cut", FinishReason::length},
      {"A6", "{'action':'fail',}", "json"},
      {"A7", R"({"action":"fail","action":"fail","details":"x"})", "json_dupkey"},
      {"A8", deep.c_str(), "limit"},
      {"A9", "{\"action\":\"\xC3\x28\"}", "utf8"},
      {"A11", R"({"action":"explode"})", "schema"},
      {"A11", R"({"action":"step_complete","result_summary":"x","batch_progress":{}})", "schema"},
      {"A12", R"({"action":"tool_call","tool":"DB_READ","params":{}})", "tool"},
      {"A13", R"({"action":"tool_call","tool":"db_read"})", "schema"},
      {"A14", R"({"action":"tool_call","tool":"db_read","params":"x"})", "schema"},
      {"A15", R"({"action":null})", "schema"},
      {"C10", R"({"action":"tool_call","tool":"db_read","params":{"a":12345678901234567.12}})",
       "value"}};
  for (const Unusable& row : rows) {
    TurnPlay play;
    play.plan("go", steps_json({step_json("analyze"), step_json("read", "books", 2),
                                step_json("write", "books", 3)}));
    play.answer(kComplete);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(play.asked(), Node::act) << row.row << row.text;
      EXPECT_EQ(play.ask().attempt, static_cast<std::uint32_t>(i + 1));
      play.answer(row.text, row.finish);
      if (i < 2) {
        EXPECT_NE(play.section("What Already Happened").find("[" + std::string(row.code)),
                  std::string::npos)
            << row.row << ": " << play.section("What Already Happened");
      }
    }
    ASSERT_EQ(play.asked(), Node::reply) << row.row;
    EXPECT_EQ(play.step(0).status, StepStatus::complete);
    EXPECT_EQ(play.step(1).status, StepStatus::blocked);
    EXPECT_EQ(play.step(2).status, StepStatus::pending);
    play.finish();
    EXPECT_NE(play.reply().find("Not finished: read books"), std::string::npos);
  }
}

TEST(Act, A3_an_answer_in_one_code_fence_is_taken) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  play.answer(std::string("```json\n") + kComplete + "\n```");
  EXPECT_EQ(play.asked(), Node::reply);
}

TEST(Act, A10_a_byte_order_mark_is_passed_over) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  play.answer(std::string("\xEF\xBB\xBF") + kComplete);
  EXPECT_EQ(play.asked(), Node::reply);
}

TEST(Act, A11_analyze_and_generate_have_no_tools) {
  for (const char* type : {"analyze", "generate"}) {
    TurnPlay play;
    play.plan("go", one_step(type));
    play.answer(kReadBooks);
    ASSERT_EQ(play.asked(), Node::act);
    EXPECT_TRUE(play.last.calls.empty());
    EXPECT_NE(play.section("Data Available").find("[action]"), std::string::npos);
  }
}

TEST(Act, A13_a_field_nobody_knows_is_ignored_and_noted) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  play.answer(R"({"action":"step_complete","result_summary":"x","mood":"good"})");
  EXPECT_EQ(play.asked(), Node::reply);
  EXPECT_TRUE(play.has_change("answer_noted"));
}

TEST(Act, D15_an_error_of_the_records_goes_back_and_the_third_blocks_the_step) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  for (int i = 0; i < 3; ++i) {
    play.answer(call_json("db_read", R"({"table":"t)" + std::to_string(i) + R"("})"));
    play.outcome_error("table", "There is no such table.");
    if (i < 2) {
      const std::string happened = play.section("What Already Happened");
      const std::size_t told = happened.find("[table] There is no such table.");
      ASSERT_NE(told, std::string::npos);
      EXPECT_EQ(happened.find("There is no such table.", told + 10), std::string::npos) << happened;
      EXPECT_EQ(happened.find("(2 times)") != std::string::npos, i == 1) << happened;
    }
  }
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.step().status, StepStatus::blocked);
  play.finish("I read your books.");
  EXPECT_NE(play.reply().find("Not finished: read books: There is no such table."),
            std::string::npos);
}

TEST(Act, A22_the_same_call_with_the_same_result_three_times_blocks_the_step) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  for (int i = 0; i < 3; ++i) {
    play.answer(kReadBooks);
    play.outcome(R"({"rows":[],"has_more":false})");
  }
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.step().block->details,
            "The same call gave the same result 3 times. How shall it go on?");
  EXPECT_TRUE(std::ranges::any_of(play.changes, [](const std::string& change) {
    return change.find(R"("code":"repeated_call")") != std::string::npos;
  }));
  EXPECT_EQ(play.turn().pending->type, PendingType::ask_user);
}

TEST(Act, A23_the_cap_of_calls_blocks_the_step_and_its_items_stay_pending) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("go", steps_json({step_json("write", "books", 1, batch_json({"book_1"}))}));
  for (int i = 0; i < 10; ++i) {
    play.answer(call_json("db_read", R"({"table":"books","limit":)" + std::to_string(i) + "}"));
    play.outcome(R"({"rows":[],"has_more":false})");
  }
  play.answer(kReadBooks);
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.step().status, StepStatus::blocked);
  EXPECT_EQ(play.state.batch(*play.step().batch)->counts().pending, 1u);
  EXPECT_NE(play.section("Status").find("- Done: 0 of 1\n- Not done: Emma\n"), std::string::npos);
  play.finish("All done!");
  EXPECT_NE(play.reply().find("- Not done: Emma"), std::string::npos);
  // R6: the user's word lets it go on.
  play.say("go on");
  play.understand();
  ASSERT_EQ(play.asked(), Node::act);
  play.answer(kReadBooks);
  EXPECT_EQ(play.last.calls.size(), 1u);
}

TEST(Act, A19_a_completion_with_open_items_is_refused_and_the_third_blocks_the_step) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("go", steps_json({step_json("write", "books", 1, batch_json({"book_1"}))}));
  play.answer(kComplete);
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_EQ(play.ask().attempt, 2u);
  EXPECT_NE(play.section("What Already Happened").find("book_1"), std::string::npos);
  play.answer(kComplete);
  play.answer(kComplete);
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.step().status, StepStatus::blocked);
  EXPECT_EQ(play.state.batch(*play.step().batch)->counts().pending, 1u);
}

// 001 §7.4: failed items do not keep a step from completing; the reply names them.
TEST(Act, A19_a_step_completes_with_failed_items_and_the_reply_names_them) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.know("book", 812345671, "Dusk");
  play.plan("go", steps_json({step_json("write", "books", 1, batch_json({"book_1", "book_2"}))}));
  play.answer(call_json("db_delete", R"({"table":"books","filters":[{"field":"id","op":"in",)"
                                     R"("value":["book_1","book_2"]}]})"));
  play.deleted("book_1");
  play.move_item("book_2", "", "It is lent out.");
  play.outcome(R"({"total":2,"completed":[{"ref":"book_1","result":"book_1"}],
                  "failed":[{"ref":"book_2","error":"It is lent out."}],"pending":[]})");
  play.answer(kComplete);
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.section("Status"),
            "- Deleted (1): Emma\n- Done: 1 of 2\n- Failed: Dusk: It is lent out.\n");
  play.finish("Both are gone.");
  EXPECT_NE(play.reply().find("- Failed: Dusk: It is lent out."), std::string::npos);
}

TEST(Act, A20_progress_that_a_model_claims_is_refused_the_ledger_is_the_truth) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("go", steps_json({step_json("write", "books", 1, batch_json({"book_1"}))}));
  play.answer(R"({"action":"step_complete","result_summary":"x",
                  "batch_progress":{"completed":1,"total":1,"completed_items":["book_1"]}})");
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_EQ(play.state.batch(*play.step().batch)->counts().completed, 0u);
}

TEST(Act, R4_a_read_step_only_reads) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  play.answer(call_json("db_delete", R"({"table":"books"})"));
  EXPECT_TRUE(play.last.calls.empty());
  EXPECT_NE(play.section("What Already Happened").find("A read step only reads."),
            std::string::npos);
}

TEST(Act, R5_a_write_after_a_generate_is_about_what_was_made) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.know("book", 812345671, "Dusk");
  // Two rows are spoken of too ("like Emma and Dusk"), which are not what is saved.
  play.plan("make one like Emma and Dusk and save it",
            steps_json({step_json("generate"), step_json("write", "books", 2)}),
            R"({"entity_mentions":[{"raw_text":"Emma","entity_type":"book"},
                {"raw_text":"Dusk","entity_type":"book"}]})");
  play.answer(complete_with({artifact_json("Dawn")}));
  ASSERT_TRUE(play.step(1).batch);
  ASSERT_EQ(play.state.batch(*play.step(1).batch)->items().size(), 1u);
  EXPECT_EQ(play.state.batch(*play.step(1).batch)->items()[0].ref, "gen_book_1");
}

TEST(Act, R5_a_write_about_several_rows_is_a_batch_of_them_one_is_none) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.know("book", 812345671, "Dusk");
  const char* both = R"({"entity_mentions":[{"raw_text":"Emma","entity_type":"book"},
                         {"raw_text":"Dusk","entity_type":"book"}]})";
  play.plan("delete Emma and Dusk", one_step("write"), both);
  ASSERT_TRUE(play.step().batch);
  EXPECT_EQ(play.state.batch(*play.step().batch)->items().size(), 2u);
  TurnPlay single;
  single.know("book", 812345670, "Emma");
  single.plan("delete Emma", one_step("write"), mention_json("Emma"));
  EXPECT_FALSE(single.step().batch);
}

// 19: what the message turned away from is not what is saved.
TEST(Act, R5_what_was_dropped_is_no_item) {
  TurnPlay play;
  play.plan("make two", steps_json({step_json("generate", "books", 1, batch_json({"a", "b"}))}));
  play.answer(complete_with({artifact_json("Dusk"), artifact_json("Dawn")}));
  play.finish("Dusk and Dawn are made, not saved.");
  play.plan("forget those, make another and save it",
            steps_json({step_json("generate"), step_json("write", "books", 2)}),
            R"({"entity_mentions":[{"raw_text":"those","entity_type":"book"}],"entity_curation":
                {"retain":[],"demote":[],"drop":["gen_book_1","gen_book_2"],"clear_all":false}})");
  EXPECT_EQ(play.section("Entities in Context").find("Dusk"), std::string::npos);
  play.answer(complete_with({artifact_json("Noon")}));
  ASSERT_TRUE(play.step(1).batch);
  EXPECT_EQ(play.state.batch(*play.step(1).batch)->items().size(), 1u);
  EXPECT_EQ(play.state.batch(*play.step(1).batch)->items()[0].ref, "gen_book_3");
}

TEST(Act, a_schema_is_asked_for_once_and_only_of_a_subdomain_there_is) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  EXPECT_EQ(play.section("Schema").find("### chapters"), std::string::npos);
  play.answer(R"({"action":"request_schema","subdomain":"books"})");
  EXPECT_NE(play.section("What Already Happened").find("This schema is shown already."),
            std::string::npos);
  play.answer(R"({"action":"request_schema","subdomain":"boats"})");
  EXPECT_NE(play.section("What Already Happened").find("There is no such subdomain."),
            std::string::npos);
  TurnPlay other;
  other.plan("go", steps_json({step_json("read", "people")}));
  EXPECT_EQ(other.section("Schema").find("### books"), std::string::npos);
  other.answer(R"({"action":"request_schema","subdomain":"books"})");
  EXPECT_NE(other.section("Schema").find("### books (`book`)"), std::string::npos);
}

}  // namespace
}  // namespace alfred
