#include "turn/prompt/answer_facts.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

class AnswerFacts : public testing::Test {
 protected:
  AnswerFacts() {
    play.know("book", 812345671, "Emma");
    play.plan("show all", one_step("read"));
    play.answer(kReadBooks);
    play.outcome(
        R"({"rows":[{"id":"book_1","title":"Emma","chapters":[{"id":"chapter_7","name":"I"}]}],
            "has_more":false})");
    play.answer(kComplete);
    play.finish();
  }
  JsonObject facts() const { return json_for_tests(play.ask().facts_json).as_object(); }

  TurnPlay play;
};

TEST_F(AnswerFacts, a_model_gets_no_rows_in_its_facts) {
  play.plan("delete it", one_step("write"), mention_json("it"));
  EXPECT_FALSE(facts().contains("shown"));
  EXPECT_FALSE(facts().contains("results"));
}

TEST_F(AnswerFacts, what_the_turn_before_kept_is_there_once) {
  play.change_settings([](SessionSettings& settings) { settings.whole_facts = true; });
  play.plan("show more", one_step("read"));
  play.answer(
      R"({"action":"step_complete","result_summary":"done","data":{"list":"show all","cursor":"abc"}})");
  play.finish();
  play.say("more");
  EXPECT_EQ(write_json(facts().at("kept")), R"({"list":"show all","cursor":"abc"})");
  play.understand();
  play.think(one_step("analyze"));
  play.answer(kComplete);
  const JsonObject told = json_for_tests(play.ask().facts_json).as_object();
  EXPECT_EQ(write_json(told.at("kept")), R"({"list":"show all"})") << "a reply sees no cursor";
  play.finish();
  play.say("and now?");
  EXPECT_FALSE(facts().contains("kept"));
}

TEST_F(AnswerFacts, who_answers_from_facts_gets_what_was_shown_and_what_came_of_the_steps) {
  play.change_settings([](SessionSettings& settings) { settings.whole_facts = true; });
  play.plan("delete it", one_step("write"), mention_json("it"));
  const JsonObject act = facts();
  EXPECT_EQ(write_json(act.at("shown")), R"(["book_1","chapter_7"])");
  EXPECT_EQ(act.at("previous").as_string(), "show all");
  EXPECT_EQ(act.at("mentions").as_array().at(0).at("labels").as_array().at(0).as_string(), "Emma");
  play.answer(call_json("db_delete", R"({"table":"books",
      "filters":[{"field":"id","op":"=","value":"book_1"}]})"));
  play.outcome(R"({"deleted":[{"ref":"book_1","label":"Emma"}],"count":1})");
  play.answer(kComplete);
  const std::string reply = play.ask().facts_json;
  EXPECT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(reply.find("book_1"), std::string::npos) << "the reply sees labels";
  EXPECT_NE(reply.find("Emma"), std::string::npos);
  EXPECT_NE(reply.find(R"("previous_reply":")"), std::string::npos) << "what came of it then";
}

}  // namespace
}  // namespace alfred
