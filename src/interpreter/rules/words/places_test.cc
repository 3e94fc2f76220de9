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

}  // namespace
}  // namespace alfred::rules
