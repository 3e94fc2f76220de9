#include "interpreter/rules/reading/bounds.h"

#include "interpreter/rules/reading/reading_for_tests.h"

namespace alfred::rules {
namespace {

class Bounds : public testing::Test {
 protected:
  // Why an order for this much is refused; empty: it is not.
  std::string why(Verb verb, double amount, std::string how = {}) {
    Doing doing{.verb = verb, .table = "stock"};
    doing.how = std::move(how);
    doing.items.push_back({.amount = amount});
    doing.items.back().name = "pears";
    return out_of_bounds(store.world(), {{doing}});
  }
  std::string why_made(int count) {
    Doing doing{.verb = Verb::generate, .table = "stock"};
    doing.count = count;
    return out_of_bounds(store.world(), {{doing}});
  }
  StoreForTests store;
};

TEST_F(Bounds, R1_amounts_are_more_than_nothing_and_at_most_a_million) {
  EXPECT_EQ(why(Verb::add, 0.5), "");
  EXPECT_EQ(why(Verb::add, 1e6), "");
  for (const double bad : {0.0, -3.0, 1e6 + 1, 1e300}) {
    const std::string said = why(Verb::add, bad);
    EXPECT_NE(said.find("pears"), std::string::npos) << bad;
    EXPECT_NE(said.find("more than 0 and at most 1000000"), std::string::npos) << bad;
  }
}

TEST_F(Bounds, R1_nothing_at_all_is_only_said_of_what_is_left) {
  EXPECT_EQ(why(Verb::adjust, 0, "exact"), "");
  EXPECT_NE(why(Verb::adjust, 0, "plus"), "");
  EXPECT_NE(why(Verb::adjust, -1, "exact"), "");
}

TEST_F(Bounds, R1_values_of_the_amount_column_are_held_too_and_no_others) {
  Doing doing{.verb = Verb::set, .table = "stock"};
  doing.values = {{"quantity", Json(-2.0), {}}};
  EXPECT_NE(out_of_bounds(store.world(), {{doing}}), "");
  doing.values = {{"shelf", Json(-2.0), {}}};
  EXPECT_EQ(out_of_bounds(store.world(), {{doing}}), "");
}

TEST_F(Bounds, R2_one_to_ten_are_made_at_once) {
  for (const int good : {1, 10}) EXPECT_EQ(why_made(good), "");
  for (const int bad : {0, 11, -1})
    EXPECT_NE(why_made(bad).find("1 to 10"), std::string::npos) << bad;
}

TEST_F(Bounds, what_was_refused_before_keeps_its_reason) {
  Doing doing{.verb = Verb::set, .table = "stock"};
  doing.refusal = "No.";
  EXPECT_EQ(out_of_bounds(store.world(), {{doing}}), "No.");
}

}  // namespace
}  // namespace alfred::rules
