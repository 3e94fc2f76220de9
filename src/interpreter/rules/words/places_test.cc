#include "interpreter/rules/words/places.h"

#include <gtest/gtest.h>

namespace alfred::rules {
namespace {

using Places = std::vector<std::size_t>;

TEST(PlacesPicked, one_by_its_place_or_number) {
  for (const char* said :
       {"the second", "the second one", "second", "2", "number 2", "number two", "no. 2", "#2",
        "2nd", "the 2nd one please", "I meant the second", "option 2", "2.", "just the second"})
    EXPECT_EQ(places_picked(said, 3), Places{1}) << said;
  EXPECT_EQ(places_picked("the last", 3), Places{2});
  EXPECT_EQ(places_picked("the last one", 2), Places{1});
  EXPECT_EQ(places_picked("the latter", 2), Places{1});
}

TEST(PlacesPicked, several) {
  EXPECT_EQ(places_picked("both", 2), (Places{0, 1}));
  EXPECT_EQ(places_picked("both of them", 2), (Places{0, 1}));
  for (const char* said : {"all", "all of them", "all three", "all three of them", "everything"})
    EXPECT_EQ(places_picked(said, 3), (Places{0, 1, 2})) << said;
  EXPECT_EQ(places_picked("1 and 3", 3), (Places{0, 2}));
  EXPECT_EQ(places_picked("the first and the last", 3), (Places{0, 2}));
  EXPECT_EQ(places_picked("the first two", 3), (Places{0, 1}));
}

TEST(PlacesPicked, R1_no_place) {
  for (const char* said : {"", "the", "one", "two", "the cod", "the second cod", "both", "5", "0",
                           "the fourth", "what is the first", "number", "1.5", "yes", "no"})
    EXPECT_EQ(places_picked(said, 3), Places{}) << said;
}

TEST(PlacesPicked, R3_of_the_choices_that_a_question_lists) {
  using Choices = std::vector<std::string>;
  const char* const question = "For which: the morning, noon or an evening?";
  EXPECT_EQ(choices_in(question), (Choices{"morning", "noon", "evening"}));
  EXPECT_EQ(choices_in("Where to: among the books or the shelves?"), (Choices{"books", "shelves"}));
  for (const char* none : {"", "For which day?", "Where: here?", "this, that or the other"})
    EXPECT_EQ(choices_in(none), Choices{}) << none;
  EXPECT_EQ(choice_picked(question, "the second"), "noon");
  EXPECT_EQ(choice_picked(question, "3"), "evening");
  for (const char* none : {"the fourth", "both", "noon", ""})
    EXPECT_EQ(choice_picked(question, none), "") << none;
}

}  // namespace
}  // namespace alfred::rules
