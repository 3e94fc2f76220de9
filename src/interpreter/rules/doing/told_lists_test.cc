#include "interpreter/rules/doing/told_lists.h"

#include <gtest/gtest.h>

#include "interpreter/rules/doing/readings_for_tests.h"

namespace alfred::rules {
namespace {

using Refs = std::vector<std::string>;

Known novel(std::string ref, std::string label) {
  return {.ref = std::move(ref), .type = "novel", .label = std::move(label), .status = "read"};
}
Target at(std::string said) {
  return {.said = std::move(said), .type = "novel", .is_pointing = true};
}

class ToldListsTest : public testing::Test {
 protected:
  ToldListsTest() {
    facts.turn = 9;
    facts.known = {novel("novel_7", "Emma"), novel("novel_3", "Dune"), novel("novel_5", "Ivanhoe")};
  }
  Refs refs_at(const char* said) { return ToldLists(readings.book(), facts).refs_at(at(said)); }

  ReadingsForTests readings;
  Facts facts = ReadingsForTests::facts();
};

TEST_F(ToldListsTest, R1_the_record_keeps_ten_places_and_the_last) {
  std::string reply = "12 novels:\n";
  for (int i = 1; i <= 12; ++i) reply += "- N" + std::to_string(i) + ": readers: 2\n";
  const std::string record = record_of(reply);
  EXPECT_NE(record.find("- N10\n…\n- N12\n"), std::string::npos) << record;
  EXPECT_EQ(record.find("readers"), std::string::npos);
  EXPECT_EQ(record_of("You are welcome."), "You are welcome.");
}

TEST_F(ToldListsTest, a_place_counts_the_last_list_of_its_kind_however_old) {
  facts.story = "The user said: show the novels Alfred: 3 novels:\n- Dune\n- Emma\n- Ivanhoe";
  facts.talk = {{7, "2 evenings:\n- 2026-03-02\n- 2026-03-03"}, {8, "You are welcome."}};
  EXPECT_EQ(refs_at("the second"), Refs{"novel_7"});
  EXPECT_EQ(refs_at("the last one"), Refs{"novel_5"});
  EXPECT_EQ(refs_at("the first and the third"), (Refs{"novel_3", "novel_5"}));
  EXPECT_EQ(refs_at("1 to 2"), (Refs{"novel_3", "novel_7"}));
  EXPECT_EQ(refs_at("all but the second"), (Refs{"novel_3", "novel_5"}));
  facts.talk.push_back({8, "2 novels:\n- Ivanhoe\n- Dune"});
  EXPECT_EQ(refs_at("the first"), Refs{"novel_5"});
}

TEST_F(ToldListsTest, R2_one_row_is_no_list_and_is_meant_alone) {
  facts.talk = {{8, "1 novels:\n- Emma: readers: 2"}};
  EXPECT_EQ(refs_at("the first"), Refs{});
  EXPECT_EQ(refs_at("that one"), Refs{"novel_7"});
}

TEST_F(ToldListsTest, R3_who_is_gone_stays_gone) {
  facts.talk = {{6, "3 novels:\n- Dune\n- Middlemarch\n- Emma"}, {8, "You are welcome."}};
  ASSERT_EQ(refs_at("the second").size(), 1U);
  EXPECT_NE(refs_at("the second"), Refs{"novel_7"});
  EXPECT_EQ(refs_at("the third"), Refs{"novel_7"});
}

}  // namespace
}  // namespace alfred::rules
