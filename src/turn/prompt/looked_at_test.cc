#include "turn/prompt/looked_at.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

// A turn reads Emma and Dusk.
class LookedAtRows : public testing::Test {
 protected:
  using Refs = std::vector<std::string>;
  void read_both(std::string_view message, const std::string& steps) {
    play.plan(message, steps);
    play.know("book", 812345670, "Emma");
    play.know("book", 812345671, "Dusk");
    play.answer(kReadBooks);
    play.outcome(R"({"rows":[{"id":"book_1","title":"Emma"},{"id":"book_2","title":"Dusk"}],
                     "has_more":false})");
    play.answer(kComplete);
  }
  std::vector<std::string> meant_by(std::string_view words) {
    play.say("delete " + std::string(words));
    play.understand(mention_json(words));
    return play.turn().mentions.front().resolved;
  }
  // A turn about the second of those that were read, and nothing else.
  void pick_second() {
    EXPECT_EQ(meant_by("the second"), Refs{"book_2"});
    play.think(one_step("analyze"));
    play.answer(kComplete);
    play.finish("That one is good.");
  }
  const std::string read_and_write =
      steps_json({step_json("read", "books", 1), step_json("write", "books", 2)});
  TurnPlay play;
};

TEST_F(LookedAtRows, R1_candidates_of_a_write_are_meant_by_no_pronoun) {
  read_both("rename the old one", read_and_write);
  play.answer(kComplete);
  play.finish("I found nothing of that name.");
  EXPECT_EQ(meant_by("it"), Refs{});
  EXPECT_TRUE(play.turn().mentions.front().candidates.empty());
}

TEST_F(LookedAtRows, R1_what_was_changed_is_meant) {
  read_both("make the old one longer", read_and_write);
  play.answer(call_json("db_update", R"({"table":"books","filters":[{"field":"id","op":"=",)"
                                     R"("value":"book_2"}],"data":{"pages":9}})"));
  play.outcome(R"({"updated":["book_2"],"count":1})");
  play.answer(kComplete);
  play.finish("Done.");
  EXPECT_EQ(meant_by("it"), Refs{"book_2"});
}

TEST_F(LookedAtRows, R2_it_is_what_the_reply_named) {
  read_both("which is longer?", one_step("read"));
  play.finish("Emma is.");
  EXPECT_EQ(meant_by("it"), Refs{"book_1"});
}

TEST_F(LookedAtRows, R2_them_is_all_that_was_read) {
  read_both("which is longer?", one_step("read"));
  play.finish("Emma is.");
  EXPECT_EQ(meant_by("them"), (Refs{"book_1", "book_2"}));
}

// Rows without a name of their own, each with the author it leads to; the reply tells one of them.
TEST_F(LookedAtRows, R3_a_row_without_a_name_is_named_by_what_it_leads_to) {
  for (const std::optional<std::uint32_t> edition : {std::optional(kEdition), std::optional(3U)}) {
    TurnPlay own;
    own.change_settings([&](SessionSettings& settings) { settings.edition = edition; });
    own.plan("whose are they?", one_step("read"));
    own.know("book", 812345670, "");
    own.know("book", 812345671, "");
    own.know("author", 812345672, "Jane");
    own.know("author", 812345673, "Omar");
    own.answer(kReadBooks);
    own.outcome(R"({"rows":[{"id":"book_1","author_id":"author_1"},
                            {"id":"book_2","author_id":"author_2"}],"has_more":false})");
    own.answer(kComplete);
    own.finish("One is by Omar.");
    own.say("delete it");
    own.understand(mention_json("it"));
    const Refs meant = own.turn().mentions.front().resolved;
    EXPECT_EQ(meant, edition == kEdition ? Refs{"book_2"} : Refs{});
  }
}

TEST_F(LookedAtRows, R3_a_word_inside_of_another_names_nothing) {
  read_both("rename the old one", read_and_write);
  play.answer(kComplete);
  play.finish("Not before duskfall.");
  EXPECT_EQ(meant_by("it"), Refs{});
}

TEST_F(LookedAtRows, R4_places_count_what_was_listed) {
  read_both("what do I have?", one_step("read"));
  play.finish("Emma and Dusk.");
  pick_second();
  EXPECT_EQ(meant_by("the first"), Refs{"book_1"});
}

TEST_F(LookedAtRows, R4_what_the_reply_did_not_name_was_not_listed) {
  read_both("what do I have?", one_step("read"));
  play.finish("Two of them.");
  pick_second();
  EXPECT_EQ(meant_by("the first"), Refs{"book_2"});
}

}  // namespace
}  // namespace alfred
