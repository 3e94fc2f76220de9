#include "turn/turn.h"

#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kReadBooks =
    R"([{"step_type":"read","subdomain":"books","group":1,"description":"read","batch":null}])";

TEST(Turn, a_turn_from_its_message_to_its_end) {
  TurnPlay play;
  play.say("what books do I have");
  play.understand();
  play.think(kReadBooks);
  ASSERT_EQ(play.asked(), Node::act);
  play.answer(R"({"action":"tool_call","tool":"db_read","params":{"table":"books"}})");
  ASSERT_EQ(play.last.calls.size(), 1u);
  EXPECT_EQ(play.last.calls[0].tool, "db_read");
  play.know("book", 1, "Emma");
  play.outcome(R"({"rows":[{"id":"book_1","title":"Emma","pages":400}],"has_more":false})");
  play.answer(R"({"action":"step_complete","result_summary":"one"})");
  if (getenv("SHOW")) {
    std::puts(play.ask().user.c_str());
  }
  play.finish("You have Emma.");
  EXPECT_EQ(play.state.facts.conversation.recent.at(0).reply, "You have Emma.");
  EXPECT_FALSE(play.state.facts.running);
}

}  // namespace
}  // namespace alfred
