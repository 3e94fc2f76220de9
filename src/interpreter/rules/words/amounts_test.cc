#include "interpreter/rules/words/amounts.h"

#include "interpreter/rules/reading/reading_for_tests.h"

namespace alfred::rules {
namespace {

class Amounts : public testing::Test {
 protected:
  // "2 can tomatoes", with + for more, ~ for half of it and * for all of it.
  std::string items(std::string_view message) {
    const Tokens tokens = read_tokens(message);
    std::string out;
    for (const Item& one : read_items(message, tokens, store.lexicon())) {
      if (!out.empty()) out += ", ";
      if (one.amount) out += number_text(*one.amount) + " ";
      if (!one.unit.empty()) out += one.unit + " ";
      out += one.name;
      out += one.is_more ? "+" : one.is_half ? "~" : one.is_whole ? "*" : "";
    }
    return out;
  }

  StoreForTests store;
};

TEST_F(Amounts, numbers_and_units_in_figures_and_in_words) {
  EXPECT_EQ(items("2 kg of potatoes"), "2 kg potatoes");
  EXPECT_EQ(items("half a litre of milk"), "0.5 l milk");
  EXPECT_EQ(items("a dozen eggs"), "12 eggs");
  EXPECT_EQ(items("half a dozen eggs"), "6 eggs");
  EXPECT_EQ(items("1 and a half kilos of rice"), "1.5 kg rice");
  EXPECT_EQ(items("a tin of beans"), "1 can beans");
  EXPECT_EQ(items("the milk"), "milk");
}

TEST_F(Amounts, dozens_quarters_and_numbers_as_they_are_typed) {
  EXPECT_EQ(items("a dozen and a half eggs"), "18 eggs");
  EXPECT_EQ(items("three quarters of a litre of milk"), "0.75 l milk");
  EXPECT_EQ(items("a quarter litre of milk"), "0.25 l milk");
  EXPECT_EQ(items("1e3 g flour"), "1000 g flour");
  EXPECT_EQ(items("1,500 g flour"), "1500 g flour");
  EXPECT_EQ(items("eggs x12"), "12 eggs");
  EXPECT_EQ(items("x12 eggs"), "12 eggs");
}

TEST_F(Amounts, of_two_numbers_the_larger_one_and_that_is_said) {
  EXPECT_EQ(items("two or three lemons"), "3 lemons");
  EXPECT_EQ(items("2-3 lemons"), "3 lemons");
  const std::string message = "2-3 lemons";
  EXPECT_EQ(range_note(read_items(message, read_tokens(message), store.lexicon())),
            "You said 2 or 3, so I took 3.");
}

TEST_F(Amounts, R6_R7_names_with_a_sign_and_what_was_said_by_mistake) {
  EXPECT_EQ(items("ben & jerry's"), "ben & jerry's");
  EXPECT_EQ(items("apples no wait pears"), "pears");
  EXPECT_EQ(items("milk, apples, no wait, pears"), "milk, pears");
}

TEST_F(Amounts, how_much_is_in_one_is_not_how_many) {
  EXPECT_EQ(items("2 x 400g tins of tomatoes"), "2 can tomatoes");
  EXPECT_EQ(items("3 x 200 g flour"), "600 g flour");
}

TEST_F(Amounts, more_half_and_whole) {
  EXPECT_EQ(items("another tin of beans"), "1 can beans+");
  EXPECT_EQ(items("2 more tins of beans"), "2 can beans+");
  EXPECT_EQ(items("half the cream"), "cream~");
  EXPECT_EQ(items("the whole spinach"), "spinach*");
}

TEST_F(Amounts, R3_several_in_one_sentence) {
  EXPECT_EQ(items("flour, 2 tins of beans and some rice"), "flour, 2 can beans, rice");
}

TEST_F(Amounts, units_of_a_kind_convert_and_others_do_not) {
  EXPECT_EQ(converted(1.5, "kg", "g", store.lexicon()), 1500);
  EXPECT_EQ(converted(3, "", "can", store.lexicon()), 3);
  EXPECT_EQ(converted(3, "", "", store.lexicon()), 3);
  EXPECT_FALSE(converted(1, "kg", "l", store.lexicon()));
  EXPECT_FALSE(converted(1, "can", "g", store.lexicon()));
}

TEST_F(Amounts, R4_a_bare_number_is_no_weight) {
  EXPECT_FALSE(converted(3, "", "g", store.lexicon()));
  EXPECT_FALSE(converted(3, "", "l", store.lexicon()));
}

}  // namespace
}  // namespace alfred::rules
