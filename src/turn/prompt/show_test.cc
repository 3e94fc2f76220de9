#include "turn/prompt/show.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kUuid = "a508000d-9b55-40f0-8886-dbdd88bd2de2";
constexpr const char* kSecret = "sk-canary-secret-42";

// Answers that bring a key into a prompt as our own bug would: rows that were not translated.
std::string leaking_rows() {
  return R"({"rows":[{"id":"book_1","title":"Emma","genre":")" + std::string(kUuid) +
         R"("}],"has_more":false})";
}

TEST(Show, R1_I3_a_prompt_with_a_key_never_leaves_and_the_turn_ends_with_the_record) {
  TurnPlay play;
  play.plan("go", steps_json({step_json("write"), step_json("read", "books", 2)}));
  play.answer(call_json("db_create", R"({"table":"books","data":{"title":"Emma"}})"));
  play.know("book", 812345670, "Emma");
  play.outcome(R"({"created":[{"ref":"book_1","label":"Emma"}],"count":1})");
  play.answer(kComplete);
  play.answer(kReadBooks);
  play.outcome(leaking_rows());
  // No act, no reply: the record speaks. Summarize sees no rows.
  ASSERT_EQ(play.asked(), Node::summarize);
  EXPECT_TRUE(play.has_change("turn_failed"));
  EXPECT_EQ(
      *play.turn().reply,
      "- Found (1): Emma\n- Saved (1): Emma\n- Not finished: read books\n"
      "- Failed: Nothing was sent to the model: the act prompt would have shown a database key.");
  for (const Ask& ask : play.asks) EXPECT_EQ(ask.user.find(kUuid), std::string::npos);
  for (const std::string& line : play.changes)
    if (line.find("turn_failed") != std::string::npos) {
      EXPECT_EQ(line.find("a508000d"), std::string::npos);
    }
  play.answer("");
  EXPECT_TRUE(play.last.is_finished);
}

TEST(Show, R1_I4_a_secret_in_any_part_of_an_ask_is_refused) {
  TurnPlay play;
  play.open_world().secrets = {kSecret};
  play.say(std::string("my key is ") + kSecret);
  EXPECT_TRUE(play.last.is_finished);  // not even Summarize may see it
  EXPECT_EQ(play.asks.size(), 0u);
  EXPECT_NE(play.reply().find("would have shown a secret"), std::string::npos);
  EXPECT_EQ(play.reply().find(kSecret), std::string::npos);
}

TEST(Show, R2_the_asks_of_a_round_are_made_all_or_none) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("go", steps_json({step_json("read"), step_json("read", "people")}));
  const std::uint32_t second = play.last.asks[1].id;
  play.answer_ask(play.last.asks[0].id, kReadBooks);
  play.answer_ask(second, R"({"action":"request_schema","subdomain":"books"})");
  const std::size_t before = play.asks.size();
  play.outcome(leaking_rows());
  EXPECT_EQ(play.asked(), Node::summarize);
  EXPECT_EQ(play.asks.size(), before + 1);
}

TEST(Show, R3_an_ask_that_may_no_longer_be_shown_after_a_restart_ends_the_turn_too) {
  TurnPlay play;
  play.say("hello canary-secret-77");
  ASSERT_EQ(play.asked(), Node::understand);
  play.open_world().secrets = {"canary-secret-77"};
  const TurnMove move = Turn(play.state, play.world()).resume();
  EXPECT_TRUE(move.asks.empty());
  EXPECT_TRUE(move.is_finished);
}

TEST(Show, R3_a_prompt_that_cannot_fit_ends_the_turn) {
  TurnPlay play;
  play.change_settings([](SessionSettings& settings) { settings.prompt_tokens = 900; });
  play.say(std::string(60'000, 'a'));
  ASSERT_EQ(play.asked(), Node::summarize);  // which sees only the message's beginning
  EXPECT_EQ(play.asks.size(), 1u);
  EXPECT_NE(play.turn().reply->find("more to show to the model than fits"), std::string::npos);
}

// A session of before keeps the bytes it had.
TEST(Show, what_is_invisible_is_shown_since_the_second_edition) {
  for (const std::optional<std::uint32_t> edition : {std::optional(kEdition), std::optional(1U)}) {
    TurnPlay play;
    play.change_settings([&](SessionSettings& settings) { settings.edition = edition; });
    play.say("show\u202e me");
    const bool is_raw = play.ask().user.find("\u202e") != std::string::npos;
    EXPECT_EQ(is_raw, edition == 1U);
    EXPECT_EQ(play.ask().user.find("\\u{202e}") == std::string::npos, is_raw);
    EXPECT_EQ(play.has_change("ask_made"), true);
  }
}

// A key that a model types itself is masked; its next prompt can correct it (scenario 12).
TEST(Masking, R1_keys_that_a_model_made_up_never_come_back_to_it) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  play.answer(
      call_json("db_read", R"({"table":"books","filters":[{"field":"id","op":"=","value":")" +
                               std::string(kUuid) + R"("}]})"));
  ASSERT_EQ(play.last.calls.size(), 1u);
  EXPECT_NE(write_json(play.last.calls[0].params).find("lit_1"), std::string::npos);
  play.outcome_error("ref_syntax", "Use refs.");
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_NE(play.ask().user.find("lit_1"), std::string::npos);
  play.answer(R"({"action":"step_complete","result_summary":"x","note_for_next_step":")" +
              std::string(kUuid) + R"("})");
  play.finish("It is " + std::string(kUuid) + ".");
  EXPECT_EQ(play.reply(), "It is lit_1.");
}

TEST(Masking, R1_a_key_written_with_escapes_is_masked_too) {
  TurnPlay play;
  play.plan("go", one_step("read"));
  play.answer(R"({"action":"step_complete","result_summary":"x","data":{"k":
      "\u0061508000d-9b55-40f0-8886-dbdd88bd2de2"}})");
  EXPECT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.ask().user.find(kUuid), std::string::npos);
}

TEST(Masking, R1_a_literal_that_was_shown_stays_what_it_is) {
  TurnPlay play;
  play.plan("note " + std::string(kUuid), one_step("write"));
  play.answer(call_json("db_create", R"({"table":"books","data":{"title":"lit_1"}})"));
  EXPECT_EQ(write_json(play.last.calls.at(0).params),
            R"({"table":"books","data":{"title":"lit_1"}})");
}

// "order 812345670", and then the row with that key is read.
TEST(Masking, R2_what_turns_out_to_be_a_key_later_is_hidden_from_then_on) {
  TurnPlay play;
  play.plan("read number 812345670", one_step("read"));
  EXPECT_NE(play.asks.front().user.find("812345670"), std::string::npos);
  play.answer(kReadBooks);
  play.know("book", 812345670, "Emma");
  play.outcome(kEmmaRead);
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_EQ(play.ask().user.find("812345670"), std::string::npos);
  play.answer(kComplete);
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.ask().user.find("812345670"), std::string::npos);
  EXPECT_EQ(play.section("Message"), "```\nread number lit_1\n```\n");
  EXPECT_EQ(play.ask().facts_json.find("812345670"), std::string::npos);
  play.finish("It is Emma.");
}

TEST(Masking, R2_it_is_hidden_in_the_reply_too) {
  TurnPlay play;
  play.plan("go", R"([{"step_type":"read","subdomain":"books","group":1,"batch":null,
                       "description":"read 812345670"}])");
  play.answer(kReadBooks);
  play.know("book", 812345670, "Emma");
  play.outcome(kEmmaRead);
  play.answer(blocked_json("fail"));
  play.finish("Sorry.");
  EXPECT_NE(play.reply().find("read lit_1"), std::string::npos) << play.reply();
  EXPECT_EQ(play.reply().find("812345670"), std::string::npos) << play.reply();
}

}  // namespace
}  // namespace alfred
