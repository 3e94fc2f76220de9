#include "interpreter/rules/reading/shares.h"

#include <gtest/gtest.h>

namespace alfred::rules {
namespace {

Constraint wish(const char* type, const char* value) { return {type, "", Json(value), 1.0}; }

Doing order(int count, std::vector<Constraint> wishes) {
  Doing out{.verb = Verb::generate, .table = "novels"};
  out.count = count;
  out.wishes = std::move(wishes);
  return out;
}

TEST(Shares, orders_one_after_the_other_become_one_with_the_wishes_of_each) {
  Program program{{order(1, {wish("with", "a map")}), order(2, {wish("with", "a ship")})}};
  join_generates(program, "one with a map and two with a ship");
  ASSERT_EQ(program.doings.size(), 1u);
  const Doing& joined = program.doings.front();
  EXPECT_EQ(joined.count, 3);
  EXPECT_EQ(joined.said, "one with a map and two with a ship");
  ASSERT_EQ(joined.shares.size(), 2u);
  EXPECT_EQ(joined.shares[0].count, 1);
  EXPECT_EQ(joined.shares[0].wishes, std::vector{wish("with", "a map")});
  EXPECT_EQ(joined.shares[1].count, 2);
  EXPECT_EQ(joined.shares[1].wishes, std::vector{wish("with", "a ship")});
  EXPECT_TRUE(joined.wishes.empty());
}

TEST(Shares, what_all_of_them_want_is_wanted_of_the_whole) {
  const Constraint brief = wish("length", "short");
  Program program{{order(1, {brief, wish("with", "a map")}), order(1, {brief})}};
  join_generates(program, "");
  ASSERT_EQ(program.doings.size(), 1u);
  EXPECT_EQ(program.doings.front().wishes, std::vector{brief});
}

TEST(Shares, words_that_no_order_read_are_kept) {
  Program program{{order(1, {}), order(1, {})}};
  program.doings[1].unread = {"florp"};
  join_generates(program, "");
  EXPECT_EQ(program.doings.front().unread, std::vector<std::string>{"florp"});
}

TEST(Shares, one_order_and_orders_of_other_kinds_stay_as_they_are) {
  Program one{{order(2, {})}};
  join_generates(one, "");
  EXPECT_TRUE(one.doings.front().shares.empty());

  Program other{{order(1, {}), order(1, {})}};
  other.doings[1].table = "poems";
  join_generates(other, "");
  EXPECT_EQ(other.doings.size(), 2u);

  Program shown{{order(1, {}), Doing{.verb = Verb::list, .table = "novels"}}};
  join_generates(shown, "");
  EXPECT_EQ(shown.doings.size(), 2u);

  Program placed{{order(1, {}), order(1, {})}};
  placed.doings[0].with["fill"] = "novel_id";
  join_generates(placed, "");
  EXPECT_EQ(placed.doings.size(), 2u);

  Program anew{{order(1, {}), order(1, {})}};
  anew.doings[1].is_reset = true;
  join_generates(anew, "");
  EXPECT_EQ(anew.doings.size(), 2u);
}

}  // namespace
}  // namespace alfred::rules
