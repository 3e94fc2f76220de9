#include "turn/act/act_data.h"

#include "base/utf8.h"
#include "turn/answers_for_tests.h"
#include "turn/prompt/budget.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

std::string rows_json(std::size_t from, std::size_t upto, std::string_view type = "book") {
  std::string rows;
  for (std::size_t i = from; i <= upto; ++i)
    rows += (rows.empty() ? "" : ",") + (R"({"id":")" + std::string(type) + "_") +
            std::to_string(i) + R"(","title":"Volume )" + std::to_string(i) +
            R"(","genre":"a märchen of no small length, told again and again","pages":)" +
            std::to_string(1000 + i) + "}";
  return R"({"rows":[)" + rows + R"(],"has_more":false})";
}

// 30 books were read in the last turn and 30 in a step of this one; Act is asked for the next step.
void play_many(TurnPlay& play, std::uint32_t tokens, std::string_view type = "read") {
  for (int i = 0; i < 60; ++i) play.know("book", 812345600 + i, "Volume " + std::to_string(i + 1));
  play.plan("read", one_step("read"));
  play.answer(kReadBooks);
  play.outcome(rows_json(1, 30));
  play.answer(kComplete);
  play.finish("Many.");
  play.change_settings([&](SessionSettings& settings) { settings.prompt_tokens = tokens; });
  play.plan("more", steps_json({step_json("read"), step_json(type, "books", 2)}));
  play.answer(kReadBooks);
  play.outcome(rows_json(31, 60));
  play.answer(kComplete);
}

std::size_t shown_rows(const TurnPlay& play) {
  const std::string entities = play.section("Entities in Context");
  std::size_t rows = 0;
  for (std::size_t at = entities.find("pages: "); at != std::string::npos;
       at = entities.find("pages: ", at + 1))
    ++rows;
  return rows;
}

TEST(ActData, R1_every_row_stands_once) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("read", one_step("read"));
  play.answer(kReadBooks);
  play.outcome(R"({"rows":[{"id":"book_1","title":"Emma","pages":471}],"has_more":true,
                  "cursor":"c2"})");
  EXPECT_NE(play.section("What Already Happened")
                .find("- `db_read` {\"table\":\"books\"} → 1 row: `book_1` (see Entities in "
                      "Context) {\"has_more\":true,\"cursor\":\"c2\"}\n"),
            std::string::npos);
  const std::string& user = play.ask().user;
  EXPECT_EQ(user.find("471"), user.rfind("471"));
}

TEST(ActData, R1_rows_without_an_entity_in_play_stand_with_their_call) {
  TurnPlay play;
  play.plan("read", one_step("read"));
  play.answer(call_json("db_read", R"({"table":"chapters"})"));
  play.know("chapter", 812345670, "One");
  play.outcome(R"({"rows":[{"id":"chapter_1","name":"One"}],"has_more":false})");
  EXPECT_NE(play.section("What Already Happened")
                .find("→ 1 row\n  {\"id\":\"chapter_1\",\"name\":\"One\"}\n"),
            std::string::npos);
}

TEST(ActData, R2_I28_no_prompt_is_over_its_budget_and_the_oldest_rows_go_first) {
  TurnPlay whole;
  play_many(whole, 60'000);
  ASSERT_EQ(shown_rows(whole), 60u);
  const auto all = static_cast<std::uint32_t>(prompt_tokens(whole.ask()));
  std::size_t last = 60;
  for (const std::uint32_t tokens : {all - 1, all - 200, all - 400, all - 600}) {
    TurnPlay play;
    play_many(play, tokens);
    ASSERT_EQ(play.asked(), Node::act) << tokens;
    EXPECT_LE(prompt_tokens(play.ask()), tokens);
    EXPECT_TRUE(is_utf8(play.ask().user));
    const std::size_t shown = shown_rows(play);
    EXPECT_LT(shown, last);
    last = shown;
    if (shown > 30) {
      EXPECT_NE(play.ask().user.find("pages: 1031"), std::string::npos);  // this turn's
    }
    EXPECT_EQ(play.ask().user.find("pages: 1030"), std::string::npos);  // the last turn's
  }
}

// The budget that cuts some rows of the last turn and none of this one.
std::uint32_t tight() {
  TurnPlay whole;
  play_many(whole, 60'000);
  return static_cast<std::uint32_t>(prompt_tokens(whole.ask())) - 300;
}

TEST(ActData, R2_the_same_state_gives_the_same_bytes) {
  TurnPlay one;
  TurnPlay two;
  const std::uint32_t budget = tight();
  play_many(one, budget);
  play_many(two, budget);
  EXPECT_EQ(one.ask().user, two.ask().user);
}

TEST(ActData, R3_what_is_cut_keeps_its_ref_and_says_how_to_see_it) {
  TurnPlay play;
  play_many(play, tight());
  const std::string entities = play.section("Entities in Context");
  for (int i = 1; i <= 60; ++i)
    EXPECT_NE(entities.find("`book_" + std::to_string(i) + "`"), std::string::npos) << i;
  const std::string step = play.state.facts.earlier_steps.back().steps[0].id;
  EXPECT_NE(entities.find(" more rows; `retrieve_archive` " + step + " shows them\n"),
            std::string::npos)
      << entities.substr(entities.size() - 300);
  EXPECT_NE(play.section("DECISION").find("`retrieve_archive`"), std::string::npos);
  // Nothing is cut: nothing to retrieve.
  TurnPlay whole;
  play_many(whole, 60'000);
  EXPECT_EQ(whole.section("DECISION").find("retrieve"), std::string::npos);
  EXPECT_EQ(whole.ask().schema_json.find("retrieve_archive\""), std::string::npos);
}

TEST(ActData, R2_what_the_step_retrieves_comes_back_and_other_rows_go) {
  TurnPlay play;
  const std::uint32_t budget = tight();
  play_many(play, budget);
  EXPECT_EQ(play.ask().user.find("pages: 1030"), std::string::npos);
  const std::string step = play.state.facts.earlier_steps.back().steps[0].id;
  play.answer(R"({"action":"retrieve_archive","step_id":")" + step + "\"}");
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_TRUE(play.has_change("data_retrieved"));
  EXPECT_LE(prompt_tokens(play.ask()), budget);
  EXPECT_NE(play.ask().user.find("pages: 1030"), std::string::npos);
  EXPECT_EQ(play.ask().user.find("pages: 1060"), std::string::npos);
  play.answer(R"({"action":"retrieve_archive","step_id":")" + step + "\"}");
  EXPECT_NE(play.section("What Already Happened").find("is shown already"), std::string::npos);
  play.answer(R"({"action":"retrieve_step","step_id":"stp_zzzzzzzzzzzz"})");
  EXPECT_NE(play.section("What Already Happened").find("No step of this id"), std::string::npos);
}

TEST(ActData, R2_rows_that_stand_with_their_call_are_cut_too) {
  TurnPlay play;
  play.change_settings([](SessionSettings& settings) { settings.prompt_tokens = 3'500; });
  play.plan("read", one_step("read"));
  play.answer(call_json("db_read", R"({"table":"chapters"})"));
  play.outcome(rows_json(1, 120, "chapter"));
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_LE(prompt_tokens(play.ask()), 3'500u);
  EXPECT_NE(play.section("What Already Happened").find(" more rows\n"), std::string::npos);
  EXPECT_NE(play.section("What Already Happened").find("\"chapter_1\""), std::string::npos);
  EXPECT_EQ(play.section("What Already Happened").find("chapter_120"), std::string::npos);
  play.change_settings([](SessionSettings& settings) { settings.prompt_tokens = 2'000; });
  play.answer(kComplete);
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_LE(prompt_tokens(play.ask()), 2'000u);
  EXPECT_NE(play.section("Content").find(" more rows\n"), std::string::npos);
}

TEST(ActData, R4_content_to_save_is_never_cut) {
  TurnPlay play;
  play.plan("make", one_step("generate"));
  play.answer(
      complete_with({artifact_json("Dusk", R"(,"genre":")" + std::string(6'000, 'w') + "\"")}));
  play.finish("Dusk, not saved.");
  play_many(play, 4'500, "write");
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_LE(prompt_tokens(play.ask()), 4'500u);
  EXPECT_NE(play.section("Content to Save").find(std::string(6'000, 'w')), std::string::npos);
  EXPECT_LT(shown_rows(play), 60u);
}

TEST(ActData, I28_the_other_nodes_cut_entries_spoken_of_longest_ago) {
  TurnPlay play;
  for (int i = 0; i < 400; ++i) play.know("book", 812345600 + i, "Volume " + std::to_string(i + 1));
  play.change_settings([](SessionSettings& settings) { settings.prompt_tokens = 4'000; });
  play.say("go");
  ASSERT_EQ(play.asked(), Node::understand);
  EXPECT_LE(prompt_tokens(play.ask()), 4'000u);
  EXPECT_NE(play.section("Entity Context").find(" more, spoken of earlier\n"), std::string::npos);
  play.understand();
  ASSERT_EQ(play.asked(), Node::think);
  EXPECT_LE(prompt_tokens(play.ask()), 4'000u);
}

}  // namespace
}  // namespace alfred
