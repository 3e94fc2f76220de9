// 003's tables of who sees what, cell by cell, on the prompts that go out: one conversation whose
// every part carries a word of its own, and each node's prompt holds exactly the words its row
// allows. context/sight_test.cc holds the table itself against the seed.
#include <map>

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

// One cell: what it is, the word that only this part of the state has, and who sees it.
struct Cell {
  std::string what;
  std::string word;
  std::vector<Node> seen_by;
};

constexpr Node kNodes[] = {Node::understand, Node::think, Node::act, Node::reply};

class WhoSeesWhat : public testing::Test {
 protected:
  // A turn that does nothing, and is summarised.
  void idle(const std::string& message, const char* summary) {
    play.say(message);
    play.understand();
    play.answer(
        R"({"goal":"g","decision":"clarify","steps":[],"proposal":null,"questions":["?"]})");
    play.answer("Well.");
    play.answer(summary);
  }
  static const char* summary() {
    return R"({"assistant_summary":"did it","history_summary":null,"engagement_summary":"THEME"})";
  }
  void read_book(const std::string& ref, const std::string& title, int pages) {
    play.answer(kReadBooks);
    play.outcome(R"({"rows":[{"id":")" + ref + R"(","title":")" + title + R"(","pages":)" +
                 std::to_string(pages) + R"(}],"has_more":false})");
  }
  // The turn that was a while ago: KEPT is read, and spoken of again later on.
  void long_ago() {
    play.know("book", 812345671, "KEPT");
    play.plan("the OLDEST question", one_step("read"));
    read_book("book_1", "KEPT", 111111);
    play.answer(kComplete);
    play.answer("The book.");
    play.answer(summary());
    for (int i = 0; i < 6; ++i) idle("middle " + std::to_string(i), summary());
  }
  // The turn before: reads, makes, keeps and turns away.
  void last_turn() {
    play.know("book", 812345672, "ACTIVE");
    play.know("book", 812345673, "ASIDE");
    play.plan(
        "the RECENT question",
        R"([{"step_type":"read","subdomain":"books","group":1,"description":"LASTSTEP","batch":null},
                  {"step_type":"generate","subdomain":"books","group":2,"description":"make","batch":null}])",
        R"({"conversation_phase":"confirming","user_expressed":"EXPRESSED","entity_curation":
                 {"retain":[{"ref":"book_1","reason":"KEPTFOR"}],"demote":["book_3"],"drop":[],"clear_all":false}})");
    read_book("book_2", "ACTIVE", 222222);
    play.answer(kComplete);
    play.answer(complete_with({artifact_json("MADE", R"(,"pages":333333)")}));
    play.answer("You have it.");
    play.answer(summary());
  }
  // This turn: one step is over when the second is asked for. Keeps the prompts by node.
  void this_turn() {
    play.say("the question now", R"([{"id":"book_4","title":"BACKGROUND"}])");
    keep();
    play.understand(R"({"conversation_phase":"narrowing","user_expressed":"WISHED"})");
    keep();
    play.think(
        R"([{"step_type":"read","subdomain":"books","group":1,"description":"NOWSTEP","batch":null},
            {"step_type":"analyze","subdomain":"books","group":2,"description":"look","batch":null}])");
    read_book("book_2", "ACTIVE", 222222);
    play.answer(kComplete);
    keep();
    play.answer(R"({"action":"step_complete","result_summary":"seen","data":{"answer":"yes"}})");
    keep();
  }
  void keep() { prompts[play.asked()] = play.ask().system + play.ask().user; }

  void check(const std::vector<Cell>& cells) {
    for (const Cell& cell : cells)
      for (const Node node : kNodes) {
        const bool is_seen = prompts.at(node).find(cell.word) != std::string::npos;
        const bool may_see = std::ranges::find(cell.seen_by, node) != cell.seen_by.end();
        EXPECT_EQ(is_seen, may_see)
            << name_of(node) << ": " << cell.what << " (" << cell.word << ")\n"
            << prompts.at(node);
      }
  }

  TurnPlay play;
  std::map<Node, std::string> prompts;
};

TEST_F(WhoSeesWhat, Seed003EveryCellOfTheThreeTablesOnRealPrompts) {
  using enum Node;
  long_ago();
  last_turn();
  this_turn();
  check({
      {"active: label", "ACTIVE", {understand, think, act, reply}},
      {"active: ref", "book_2", {understand, think, act}},
      {"active: data", "222222", {act, reply}},  // Reply sees this turn's rows whole (D24)
      {"generated: label", "MADE", {understand, think, act, reply}},
      {"generated: ref", "gen_book_1", {understand, think, act}},
      {"generated: data", "333333", {act}},
      {"retained: ref", "book_1", {understand, think, act}},  // Act: D24
      {"retained: label", "KEPT", {understand, act}},
      {"retained: data", "111111", {}},
      {"retained: reason", "KEPTFOR", {understand}},
      {"background", "BACKGROUND", {understand}},
      {"recent turns", "the RECENT question", {understand, think, act, reply}},
      {"the story of older turns", "the OLDEST question", {understand, think}},
      {"engagement", "THEME", {understand, think, reply}},
      {"last turn's steps", "LASTSTEP", {think, act}},  // Act: D17
      {"this turn's steps", "NOWSTEP", {act, reply}},
      {"curation", "set aside: `book_3`", {think}},
      {"phase of last turn", "phase: confirming", {think}},
      {"phase of this turn", "phase: narrowing", {reply}},
      {"what the user expressed last turn", "EXPRESSED", {think}},
      {"what the user expressed now", "WISHED", {think, reply}},
  });
}

TEST_F(WhoSeesWhat, Seed003WhatWaitsIsSeenByAllButAct) {
  play.say("something");
  play.understand();
  play.answer(
      R"({"goal":"g","decision":"clarify","steps":[],"proposal":null,"questions":["WAITING?"]})");
  prompts[Node::reply] = play.ask().user;
  play.finish("Which?");
  play.say("the first");
  keep();
  play.understand();
  keep();
  play.think(one_step("read"));
  keep();
  check({{"pending", "WAITING?", {Node::understand, Node::think, Node::reply}}});
}

}  // namespace
}  // namespace alfred
