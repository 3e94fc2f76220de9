#include "turn/summarize/summarize.h"

#include "base/utf8.h"
#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

// A turn that says something and is summarized as given.
void talk(TurnPlay& play, std::string_view message, std::string_view reply,
          std::string_view summary) {
  play.say(message);
  play.understand();
  play.think(one_step("analyze"));
  play.answer(kComplete);
  play.answer(reply);
  ASSERT_EQ(play.asked(), Node::summarize);
  play.answer(summary);
  EXPECT_TRUE(play.last.is_finished);
}
std::string told(std::string_view assistant, std::string_view story) {
  return R"({"assistant_summary":")" + std::string(assistant) + R"(","history_summary":)" +
         std::string(story) + R"(,"engagement_summary":"books"})";
}

TEST(Summarize, R1_inside_the_window_the_story_stays_what_it_was) {
  TurnPlay play;
  talk(play, "one", "first", told("first", "\"made up\""));
  EXPECT_EQ(play.state.facts.conversation.history_summary, "");
  EXPECT_EQ(play.state.facts.conversation.engagement_summary, "books");
  EXPECT_EQ(play.state.facts.conversation.recent.size(), 1u);
}

// Scenario 27.
TEST(Summarize, R3_past_the_window_the_story_keeps_exact_names_and_numbers_and_no_refs) {
  TurnPlay play;
  play.know("book", 812345670, "Gothic Emma");
  talk(play, "how long is Gothic Emma", "It has 471 pages.",
       told("Gothic Emma has 471 pages", "null"));
  for (int i = 0; i < 2; ++i) talk(play, "hm", "ok", told("ok", "null"));
  talk(play, "and?", "ok", told("ok", "\"The user asked about book_1 once.\""));
  const Conversation& conversation = play.state.facts.conversation;
  EXPECT_EQ(conversation.recent.size(), 3u);
  EXPECT_EQ(conversation.history_summary, "The user asked about Gothic Emma once. (Also: 471.)");
  talk(play, "and?", "ok", told("ok", "\"They talked.\""));
  EXPECT_EQ(play.state.facts.conversation.history_summary,
            "They talked. (Also: Gothic Emma, 471.)");
  play.say("what was that?");
  EXPECT_NE(play.section("Conversation History").find("**Earlier:** They talked."),
            std::string::npos);
}

TEST(Summarize, R2_an_unusable_answer_ends_the_turn_all_the_same) {
  TurnPlay play;
  play.know("book", 812345670, "Gothic Emma");
  talk(play, "about Gothic Emma", "It has 471 pages.", "nonsense");
  EXPECT_EQ(play.state.facts.conversation.recent.at(0).assistant_summary, "It has 471 pages.");
  for (int i = 0; i < 3; ++i) talk(play, "hm", "ok", "");
  EXPECT_EQ(play.state.facts.conversation.history_summary,
            "The user said: about Gothic Emma Alfred: It has 471 pages.");
  ASSERT_TRUE(play.state.facts.last_ledger);
  EXPECT_EQ(play.state.facts.last_ledger->turn_summary, "1 of 1 steps");
}

TEST(Summarize, R5_a_proposal_is_not_remembered_as_a_deed) {
  TurnPlay play;
  play.say("tidy up");
  play.understand();
  play.propose(one_step("write"));
  play.answer("Shall I tidy up?");
  play.answer(
      R"({"assistant_summary":"Deleted the old ones.","history_summary":null,"engagement_summary":null})");
  EXPECT_EQ(play.state.facts.conversation.recent.at(0).assistant_summary, "Shall I tidy up?");
}

TEST(Summarize, R3_the_story_is_bounded) {
  TurnPlay play;
  for (int i = 0; i < 15; ++i) talk(play, std::string(400, 'x'), std::string(400, 'y'), "");
  EXPECT_LE(count_code_points(play.state.facts.conversation.history_summary), 6'001u);
  EXPECT_TRUE(play.state.facts.conversation.history_summary.starts_with("…"));
}

// Scenario 21, D17.
TEST(Summarize, D17_data_is_in_view_for_two_turns_and_then_refs_and_labels) {
  TurnPlay play;
  play.plan("read", one_step("read"));
  play.know("book", 812345670, "Emma");
  play.answer(kReadBooks);
  play.outcome(R"({"rows":[{"id":"book_1","title":"Emma","pages":471}],"has_more":false})");
  play.answer(kComplete);
  play.finish("Emma.");
  for (int turn = 2; turn <= 4; ++turn) {
    play.plan("go on", one_step("analyze"));
    const std::string seen = play.section("Entities in Context");
    EXPECT_EQ(seen.find("pages: 471") != std::string::npos, turn <= 3) << turn;
    play.answer(kComplete);
    play.finish("ok");
    EXPECT_LE(play.state.facts.earlier_steps.size(), 2u);
  }
  // Retained with a reason it is listed, without data.
  play.plan("keep Emma", one_step("analyze"),
            R"({"entity_curation":{"retain":[{"ref":"book_1","reason":"asked again"}],
                "demote":[],"drop":[],"clear_all":false}})");
  EXPECT_NE(play.section("Entities in Context").find("- `book_1`: Emma (book, read)"),
            std::string::npos);
  EXPECT_EQ(play.section("Entities in Context").find("471"), std::string::npos);
}

// D23: artifacts outlive every window.
TEST(Summarize, D23_what_is_not_saved_stays_whole) {
  TurnPlay play;
  play.plan("make", one_step("generate"));
  play.answer(complete_with({artifact_json("Dusk", R"(,"pages":471)")}));
  play.finish("Dusk, not saved.");
  for (int i = 0; i < 5; ++i) talk(play, "hm", "ok", "");
  play.plan("show it", one_step("read"));
  EXPECT_NE(play.section("Entities in Context").find(R"({"title":"Dusk","pages":471})"),
            std::string::npos);
}

TEST(Summarize, R1_its_sections_stand_in_order) {
  TurnPlay play;
  for (int i = 0; i < 3; ++i) talk(play, "hm", "ok", told("ok", "null"));
  play.say("last");
  play.understand();
  play.think(one_step("analyze"));
  play.answer(kComplete);
  play.answer("done");
  EXPECT_EQ(play.headings(),
            (std::vector<std::string>{"The Turn That Becomes Part of It", "Status of This Turn",
                                      "Message", "Reply", "Your Task"}));
}

}  // namespace
}  // namespace alfred
