#include "turn/reply/reply.h"

#include "turn/answers_for_tests.h"
#include "turn/reply/checked_reply.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

// One book was created, named Emma.
class Reply : public testing::Test {
 protected:
  void create() {
    play.plan("add Emma", one_step("write"));
    play.answer(call_json("db_create", R"({"table":"books","data":{"title":"Emma"}})"));
    play.know("book", 812345670, "Emma");
    play.outcome(R"({"created":[{"ref":"book_1","label":"Emma"}],"count":1})");
    play.answer(kComplete);
    ASSERT_EQ(play.asked(), Node::reply);
  }
  std::string said(std::string_view text) {
    create();
    play.finish(text);
    return play.reply();
  }
  TurnPlay play;
};

TEST_F(Reply, R1_rows_and_artifacts_are_shown_whole_in_labels_and_without_refs) {
  play.plan("read", one_step("read"));
  play.answer(kReadBooks);
  play.know("book", 812345670, "Emma");
  play.know("author", 812345671, "Jane");
  play.outcome(R"({"rows":[{"id":"book_1","title":"Emma",
      "author_id":{"ref":"author_1","label":"Jane"},"chapters":[{"id":"chapter_1","name":"I"}]}],
      "has_more":false})");
  play.answer(R"({"action":"step_complete","result_summary":"x","data":{"best":"book_1"}})");
  const std::string content = play.section("Content");
  EXPECT_NE(content.find(R"({"title":"Emma","author":"Jane","chapters":[{"name":"I"}]})"),
            std::string::npos);
  EXPECT_NE(content.find(R"({"best":"Emma"})"), std::string::npos);
  EXPECT_EQ(play.ask().user.find("book_1"), std::string::npos);
  EXPECT_EQ(play.ask().facts_json.find("book_1"), std::string::npos);
  EXPECT_TRUE(play.ask().schema_json.empty());
  EXPECT_NE(play.ask().system.find("You are Alfred"), std::string::npos);
}

TEST_F(Reply, R1_its_sections_stand_in_order) {
  create();
  EXPECT_EQ(play.headings(), (std::vector<std::string>{"Entity Context", "Conversation History",
                                                       "What Happened (Reasoning Trace)", "Status",
                                                       "Message", "Your Task"}));
  EXPECT_EQ(play.section("Status"), "- Saved (1): Emma\n");
}

TEST_F(Reply, R3_without_a_usable_answer_the_reply_is_the_record) {
  for (const auto& [text, finish] :
       {std::pair{"", FinishReason::stop}, std::pair{" \n", FinishReason::stop},
        std::pair{"You have Em", FinishReason::length}, std::pair{"No.", FinishReason::refusal},
        std::pair{"\xC3\x28", FinishReason::stop}}) {
    TurnPlay one;
    one.know("book", 812345670, "Emma");
    one.plan("read", one_step("read"));
    one.answer(kReadBooks);
    one.outcome(kEmmaRead);
    one.answer(kComplete);
    one.answer(text, finish);
    ASSERT_EQ(one.asked(), Node::summarize);
    EXPECT_EQ(*one.turn().reply, "- Found (1): Emma");
  }
}

TEST_F(Reply, R3_a_question_is_asked_without_a_model_too) {
  play.plan("x", one_step("read"));
  play.answer(R"({"action":"ask_user","question":"Which shelf?"})");
  play.answer("");
  EXPECT_EQ(*play.turn().reply, "Which shelf?");
}

TEST_F(Reply, CheckedReply_R1_refs_become_labels) {
  EXPECT_EQ(said("I saved `book_1` for you, see book_1."), "I saved Emma for you, see Emma.");
}

TEST_F(Reply, CheckedReply_R2_A21_a_wrong_count_gets_the_record) {
  EXPECT_EQ(said("I saved 3 books, Emma among them."),
            "I saved 3 books, Emma among them.\n\nCorrection, from the record:\n- Saved (1): Emma");
  EXPECT_TRUE(play.has_change("reply_mismatch"));
  EXPECT_EQ(play.state.facts.last_ledger->errors.at(0).code, "reply_mismatch");
}

TEST_F(Reply, CheckedReply_R2_A21_a_ref_that_there_is_not_gets_the_record) {
  const std::string reply = said("Emma is book_1; `book_99` is there too.");
  EXPECT_NE(reply.find("Correction, from the record:"), std::string::npos);
  EXPECT_TRUE(reply.starts_with("Emma is Emma; (not in the records) is there too.")) << reply;
}

TEST_F(Reply, CheckedReply_R3_what_was_assumed_stands_at_the_end_unless_the_reply_says_it) {
  const auto reply_to = [&](std::string_view text) {
    play.plan("something nice", one_step("read"),
              R"({"ambiguity":"under_specified","default_assumptions":["only short novels"]})");
    play.answer(kComplete);
    play.finish(text);
    return play.reply();
  };
  EXPECT_EQ(reply_to("Here you are."),
            "Here you are.\n\nFor the record:\n- Assumed: only short novels");
  EXPECT_EQ(reply_to("I looked at short novels."), "I looked at short novels.");
}

TEST_F(Reply, CheckedReply_R4_a_summary_claims_only_what_the_ledger_has) {
  create();
  const Scene scene(play.state, play.world());
  SummarizeOutput ledger;
  ledger.entities_created = {{"book_1", "book", "Emma"}};
  for (const char* text : {"Saved Emma.", "Offered to delete it.", "Alfred saved one book.",
                           "Asked which of the saved books is meant."})
    EXPECT_TRUE(is_true_summary(scene, ledger, text)) << text;
  for (const char* text : {"Deleted Emma.", "Saved both: 2 books were saved.", "Alfred updated it.",
                           "Saved Emma. Then deleted the rest."})
    EXPECT_FALSE(is_true_summary(scene, ledger, text)) << text;
}

TEST_F(Reply, CheckedReply_R2_counts_are_understood_in_the_ways_people_say_them) {
  create();
  Scene scene(play.state, play.world());
  SummarizeOutput ledger;
  ledger.entities_created = {{"book_1", "book", "Emma"}};
  const auto wrong = [&](std::string_view text) {
    return !checked_reply(scene, ledger, text).mismatches.empty();
  };
  for (const char* text :
       {"Saved 2.", "saved two books", "I saved 2 old books.", "2 saved.", "2 books were saved.",
        "Two new books have been saved.", "I've deleted it.", "I have just updated Emma.",
        "We deleted Emma", "Deleted 1 book."})
    EXPECT_TRUE(wrong(text)) << text;
  for (const char* text :
       {"Saved 1.", "I saved one book: Emma.", "I added 12 eggs to it.", "Emma has 2 parts.",
        "I have not deleted it.", "I haven't updated anything.", "You deleted 3 books last week.",
        "It can be deleted.", "Nothing else changed.", "One book was saved.", "Saved Emma at 5."})
    EXPECT_FALSE(wrong(text)) << text;
}

TEST(CheckedReply, R2_what_things_are_called_is_no_claim_since_the_seventh_edition) {
  for (const std::optional<std::uint32_t> edition : {std::optional(kEdition), std::optional(6U)}) {
    TurnPlay play;
    play.change_settings([&](SessionSettings& settings) { settings.edition = edition; });
    play.know("book", 812345670, "Deleted Scenes");
    play.plan("read", one_step("read"));
    play.answer(kReadBooks);
    play.outcome(R"({"rows":[{"id":"book_1","title":"Deleted Scenes"}],"has_more":false})");
    play.answer(kComplete);
    const std::string text = "Volume 2 Deleted Scenes is on the shelf.";
    play.finish(text);
    EXPECT_EQ(play.reply() == text, edition == kEdition) << play.reply();
    EXPECT_EQ(play.has_change("reply_mismatch"), edition == 6U);
  }
}

TEST_F(Reply, CheckedReply_R2_a_deed_beside_a_name_is_a_claim) {
  play.know("book", 812345671, "Deleted Scenes");
  play.plan("read", one_step("read"));
  play.answer(kReadBooks);
  play.outcome(R"({"rows":[{"id":"book_1","title":"Deleted Scenes"}],"has_more":false})");
  play.answer(kComplete);
  play.finish("I have deleted Deleted Scenes.");
  EXPECT_NE(play.reply().find("Correction, from the record:\n- Nothing was changed."),
            std::string::npos)
      << play.reply();
}

// Scenario 37.
TEST_F(Reply, CheckedReply_R2_a_deed_that_was_not_done_is_denied) {
  play.plan("hi", one_step("read"));
  play.answer(kComplete);
  play.finish("I have deleted all of them for you.");
  EXPECT_EQ(play.reply(),
            "I have deleted all of them for you.\n\nCorrection, from the record:\n"
            "- Nothing was changed.");
}

TEST_F(Reply, CheckedReply_R3_what_was_done_stands_at_the_end_unless_the_reply_names_it) {
  EXPECT_EQ(said("Done!"), "Done!\n\nFor the record:\n- Saved (1): Emma");
}

TEST_F(Reply, CheckedReply_R3_what_was_done_and_is_denied_stands_at_the_end) {
  EXPECT_EQ(said("I could not save Emma."),
            "I could not save Emma.\n\nFor the record:\n- Saved (1): Emma");
}

TEST_F(Reply, CheckedReply_R3_another_deed_than_the_ledgers_gets_the_record) {
  const std::string reply = said("Emma has been deleted.");
  EXPECT_NE(reply.find("- Saved (1): Emma"), std::string::npos) << reply;
}

TEST_F(Reply, CheckedReply_R5_a_write_step_that_wrote_nothing_is_told) {
  const auto reply_to = [&](std::string_view text) {
    play.plan("add Emma", one_step("write"));
    play.answer(kComplete);
    play.finish(text);
    return play.reply();
  };
  EXPECT_EQ(reply_to("Emma has been added."),
            "Emma has been added.\n\nFor the record:\n- Nothing was changed.");
  EXPECT_EQ(reply_to("Done."), "Done.\n\nFor the record:\n- Nothing was changed.");
  EXPECT_EQ(reply_to("Emma is there already."), "Emma is there already.");
}

TEST_F(Reply, StatusBlock_R4_a_step_that_never_began_is_told) {
  play.plan("x", steps_json({step_json("read"), step_json("write", "books", 2)}));
  play.answer(R"({"action":"fail","details":"It is closed"})");
  EXPECT_EQ(play.section("Status"),
            "- Not finished: read books: It is closed\n- Not begun: write books\n");
  play.finish("It is closed. Emma is on your shelf.");
  EXPECT_NE(play.reply().find("- Not begun: write books"), std::string::npos) << play.reply();
}

TEST_F(Reply, CheckedReply_R3_what_was_made_is_called_unsaved) {
  play.plan("make", one_step("generate"));
  play.answer(complete_with({artifact_json("Dusk")}));
  play.finish("Here is Dusk.");
  EXPECT_EQ(play.reply(), "Here is Dusk.\n\nFor the record:\n- Made, not saved (1): Dusk");
}

TEST_F(Reply, CheckedReply_R3_a_reply_that_says_it_all_stands_as_it_is) {
  EXPECT_EQ(said("I saved 1 book: Emma. Shall I look for more?"),
            "I saved 1 book: Emma. Shall I look for more?");
  EXPECT_FALSE(play.has_change("reply_mismatch"));
}

TEST_F(Reply, StatusBlock_R1_what_was_changed_and_deleted_is_named) {
  play.know("book", 812345670, "Emma");
  play.know("book", 812345671, "Dusk");
  play.plan("x", one_step("write"));
  play.answer(call_json("db_update", R"({"table":"books","data":{"id":"book_1","pages":1}})"));
  play.outcome(R"({"updated":["book_1"],"count":1})");
  play.answer(call_json("db_delete", R"({"table":"books","filters":[]})"));
  play.deleted("book_2");
  play.outcome(R"({"deleted":[{"ref":"book_2","label":"Dusk"}],"count":1})");
  play.answer(kComplete);
  EXPECT_EQ(play.section("Status"), "- Changed (1): Emma\n- Deleted (1): Dusk\n");
  play.finish("Emma changed, Dusk deleted.");
  const SummarizeOutput& ledger = *play.state.facts.last_ledger;
  EXPECT_EQ(ledger.turn_summary, "1 of 1 steps, updated 1, deleted 1");
  EXPECT_EQ(ledger.tools_called.size(), 2u);
  EXPECT_EQ(ledger.entities_deleted.at(0).label, "Dusk");
}

TEST_F(Reply, StatusBlock_R2_a_read_changes_nothing) {
  play.plan("x", one_step("read"));
  play.answer(kComplete);
  EXPECT_EQ(play.section("Status"), "Nothing was changed.\n");
}

}  // namespace
}  // namespace alfred
