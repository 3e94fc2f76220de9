#include "turn/turn.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

// Generates two, saves them by ref, one read beside: every kind of move but questions.
void play_whole_turn(TurnPlay& play) {
  play.know("book", 812345670, "Emma");
  play.say("read my books, make two new ones and save them");
  play.understand();
  play.think(
      steps_json({step_json("read"), step_json("generate", "books", 2, batch_json({"one", "two"})),
                  step_json("write", "books", 3)}));
  play.answer(kReadBooks);
  play.outcome(kEmmaRead);
  play.answer(kComplete);
  play.answer("not JSON");
  play.answer(complete_with({artifact_json("Dusk"), artifact_json("Dawn", R"(,"mood":"sad")")}));
  play.answer(kComplete);  // refused: nothing is saved
  play.answer(call_json("db_create", R"({"table":"books","refs":["gen_book_1","gen_book_2"]})"));
  play.saved("gen_book_1", 812345671);
  play.saved("gen_book_2", 812345672);
  play.outcome(R"({"total":2,"completed":[{"ref":"gen_book_1","result":"book_2"},
                  {"ref":"gen_book_2","result":"book_3"}],"failed":[],"pending":[]})");
  play.answer(kComplete);
  play.finish("Saved 2 books: Dusk and Dawn.");
}

TEST(Turn, R1_a_machine_made_anew_after_every_move_goes_on_to_the_same_bytes) {
  TurnPlay once;
  play_whole_turn(once);
  TurnPlay reloaded;
  reloaded.is_reloaded = true;
  play_whole_turn(reloaded);
  EXPECT_EQ(once.changes, reloaded.changes);
  EXPECT_EQ(write_session(once.state), write_session(reloaded.state));
  ASSERT_EQ(once.asks.size(), reloaded.asks.size());
  for (std::size_t i = 0; i < once.asks.size(); ++i)
    EXPECT_EQ(once.asks[i].user, reloaded.asks[i].user);
  EXPECT_EQ(once.reply().substr(0, 29), "Saved 2 books: Dusk and Dawn.");
  EXPECT_NE(once.reply().find("Left out: Dawn: mood: no column takes it"), std::string::npos);
}

TEST(Turn, R1_without_a_turn_there_is_nothing_to_resume) {
  TurnPlay play;
  const TurnMove move = Turn(play.state, play.world()).resume();
  EXPECT_TRUE(move.asks.empty());
  EXPECT_TRUE(move.calls.empty());
  EXPECT_TRUE(move.changes.empty());
}

// Scenario 38.
TEST(Turn, R2_who_answers_first_changes_nothing_but_the_order_of_the_answers) {
  std::vector<std::vector<std::string>> journals;
  std::vector<std::string> sessions;
  for (const bool is_reversed : {false, true}) {
    TurnPlay play;
    play.plan("books and people", steps_json({step_json("read"), step_json("read", "people")}));
    ASSERT_EQ(play.last.asks.size(), 2u);
    const std::uint32_t first = play.last.asks[0].id;
    const std::uint32_t second = play.last.asks[1].id;
    EXPECT_EQ(play.last.asks[0].step, 0u);
    EXPECT_EQ(play.last.asks[1].step, 1u);
    const char* people = R"({"action":"tool_call","tool":"db_read","params":{"table":"authors"}})";
    if (is_reversed) {
      play.answer_ask(second, people);
      EXPECT_TRUE(play.last.asks.empty());
      EXPECT_TRUE(play.last.calls.empty());
      play.answer_ask(first, kReadBooks);
    } else {
      play.answer_ask(first, kReadBooks);
      play.answer_ask(second, people);
    }
    ASSERT_EQ(play.last.calls.size(), 2u);
    EXPECT_EQ(play.last.calls[0].params.at("table"), Json("books"));
    const std::uint32_t later = play.last.calls[1].id;
    play.outcome(R"({"rows":[],"has_more":false})");
    EXPECT_TRUE(play.last.asks.empty());
    EXPECT_TRUE(Turn(play.state, play.world()).outcome({999, Json(), std::nullopt}).has_value() ==
                false);
    play.last.calls = {RecordCall{.id = later}};
    play.outcome(R"({"rows":[],"has_more":false})");
    ASSERT_EQ(play.last.asks.size(), 2u);
    sessions.push_back(write_session(play.state));
    std::vector<std::string> journal;
    for (const std::string& line : play.changes)
      if (line.find("answer_taken") == std::string::npos) journal.push_back(line);
    journals.push_back(std::move(journal));
  }
  EXPECT_EQ(journals[0], journals[1]);
  EXPECT_EQ(sessions[0], sessions[1]);
}

TEST(Turn, R4_a_turn_cannot_begin_in_the_middle_of_one) {
  TurnPlay play;
  play.say("hello");
  const Result<TurnMove> move =
      Turn(play.state, play.world()).start({.message = "again", .id = "trn_000000000009"});
  ASSERT_FALSE(move);
  EXPECT_EQ(move.error().code, ErrorCode::turn_open);
}

TEST(Turn, R4_a_message_says_something_and_is_at_most_65536_bytes_of_utf8) {
  TurnPlay play;
  const auto start = [&](std::string message) {
    SessionState state;
    return Turn(state, play.world())
        .start({.message = std::move(message), .id = "t", .seed = std::string(64, 'a')});
  };
  EXPECT_EQ(start("").error().code, ErrorCode::value);
  EXPECT_EQ(start(" \n\t ").error().code, ErrorCode::value);
  EXPECT_EQ(start(std::string(65'537, 'a')).error().code, ErrorCode::limit);
  EXPECT_EQ(start("bad \xC3\x28").error().code, ErrorCode::utf8);
  EXPECT_TRUE(start(std::string(65'536, 'a')).has_value());
  EXPECT_TRUE(play.state.facts.turn == 0);
}

TEST(Turn, R4_an_answer_to_no_ask_is_refused_and_changes_nothing) {
  TurnPlay play;
  EXPECT_EQ(Turn(play.state, play.world()).answer({1, "x"}).error().code, ErrorCode::bug);
  play.say("hello");
  const std::string before = write_session(play.state);
  EXPECT_FALSE(Turn(play.state, play.world()).answer({77, "x"}));
  EXPECT_EQ(write_session(play.state), before);
}

// I-39: whatever is answered, always the same thing, the turn ends.
TEST(Turn, R4_every_stubborn_model_comes_to_an_end) {
  const std::vector<std::string> stubborn{
      "",
      "no",
      "{}",
      kReadBooks,
      kComplete,
      complete_with({artifact_json("X")}),
      blocked_json("replan"),
      blocked_json("ask_user"),
      R"({"action":"request_schema","subdomain":"people"})",
      R"({"action":"retrieve_step","step_id":"stp_000000000000"})"};
  for (const std::string& answer : stubborn)
    for (const char* type : {"read", "write", "generate", "analyze"}) {
      TurnPlay play;
      play.plan("go", one_step(type));
      for (int moves = 0; moves < 200 && !play.last.is_finished; ++moves) {
        if (!play.last.calls.empty())
          play.outcome(R"({"rows":[],"has_more":false})");
        else if (play.asked() == Node::think)
          play.think(one_step(type));
        else
          play.answer(answer);
      }
      EXPECT_TRUE(play.last.is_finished) << type << ": " << answer;
      EXPECT_FALSE(play.reply().empty());
    }
}

TEST(Turn, D7_a_key_in_the_message_is_masked_before_anybody_sees_it) {
  TurnPlay play;
  const std::string uuid = "a508000d-9b55-40f0-8886-dbdd88bd2de2";
  play.say("what is " + uuid + "?");
  EXPECT_EQ(play.turn().message, "what is lit_1?");
  EXPECT_EQ(play.ask().user.find(uuid), std::string::npos);
  EXPECT_EQ(play.ask().facts_json.find(uuid), std::string::npos);
}

}  // namespace
}  // namespace alfred
