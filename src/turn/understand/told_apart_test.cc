#include "turn/understand/told_apart.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

// Two copies of Emma and another book, read in the turn before.
class ToldApart : public testing::Test {
 protected:
  ToldApart() {
    for (int i = 0; i < 2; ++i) play.know("book", 812345670 + i, "Emma");
    play.know("book", 812345672, "Emma's Aunt");
    play.plan("read", one_step("read"));
    play.answer(kReadBooks);
    play.outcome(R"({"rows":[
        {"id":"book_1","title":"Emma","genre":"novel","pages":400,"shelf":"attic"},
        {"id":"book_2","title":"Emma","genre":"novel","pages":471,"shelf":"cellar","twin":"book_1"},
        {"id":"book_3","title":"Emma's Aunt","pages":90}],"has_more":false})");
    play.answer(kComplete);
    play.finish("Three.");
  }
  TurnPlay play;
};

TEST_F(ToldApart, R1_equal_labels_are_told_apart_by_what_differs) {
  play.say("delete emma");
  play.understand(mention_json("emma"));
  ASSERT_EQ(play.asked(), Node::reply);
  EXPECT_EQ(play.turn().pending->questions,
            (std::vector<std::string>{"Emma (pages: 400, shelf: attic)",
                                      "Emma (pages: 471, shelf: cellar)"}));
}

TEST_F(ToldApart, R1_the_answer_may_say_what_differs) {
  play.say("delete emma");
  play.understand(mention_json("emma"));
  play.finish("Which one?");
  play.say("the one in the cellar");
  play.understand(mention_json("the cellar one"));
  ASSERT_EQ(play.asked(), Node::think);
  EXPECT_EQ(play.turn().mentions[0].resolved, std::vector<std::string>{"book_2"});
}

TEST_F(ToldApart, R2_a_row_that_was_not_read_has_its_label_only) {
  play.know("book", 812345673, "Emma");
  EXPECT_EQ(told_apart(play.state, {"book_4", "book_3", "book_1"}),
            (std::vector<std::string>{"Emma", "Emma's Aunt", "Emma (genre: novel, pages: 400)"}));
}

}  // namespace
}  // namespace alfred
