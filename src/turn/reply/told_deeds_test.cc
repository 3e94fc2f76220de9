#include "turn/reply/told_deeds.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

const std::vector<std::string> kLabels{"Emma", "Dusk", "ham", "Salt and Pepper"};

bool tells(std::string_view said, Deed deed, std::string_view label) {
  return ToldDeeds(said, kLabels).tells(deed, label);
}

TEST(ToldDeeds, R1_a_label_is_told_by_the_verb_that_goes_with_it) {
  for (const char* said :
       {"I saved Emma.", "Emma was saved!", "I saved Dusk and Emma for you.", "Saved (1): Emma",
        "Emma, Dusk and ham have been added.", "All done, 2 were saved: Dusk and Emma.",
        "I deleted Dusk and saved Emma.", "I saved Salt and Pepper, Emma and ham."})
    EXPECT_TRUE(tells(said, Deed::saved, "Emma")) << said;
  for (const char* said : {"Here is Emma.", "I deleted Emma.", "I saved Dusk and deleted Emma.",
                           "Emma is saved as deleted.", "Done!"})
    EXPECT_FALSE(tells(said, Deed::saved, "Emma")) << said;
  EXPECT_TRUE(tells("I deleted Dusk and saved Emma.", Deed::deleted, "Dusk"));
  EXPECT_TRUE(tells("Emma changed, Dusk deleted.", Deed::deleted, "Dusk"));
  EXPECT_TRUE(tells("I deleted salt and pepper.", Deed::deleted, "Salt and Pepper"));
}

TEST(ToldDeeds, R1_a_label_is_a_whole_word) {
  EXPECT_FALSE(tells("I added shampoo.", Deed::saved, "ham"));
  EXPECT_FALSE(tells("I added ham-free soup.", Deed::saved, "ham"));
  EXPECT_TRUE(tells("I added “ham”.", Deed::saved, "ham"));
}

TEST(ToldDeeds, R2_what_is_denied_asked_or_supposed_is_not_told) {
  for (const char* said :
       {"I could not delete Emma.", "Emma has not been deleted.", "Shall Emma be deleted?",
        "If Emma is deleted, say so.", "I haven't deleted Emma.", "I failed: Emma deleted."})
    EXPECT_FALSE(tells(said, Deed::deleted, "Emma")) << said;
}

TEST(ToldDeeds, R3_what_is_denied_elsewhere_is_not_told) {
  EXPECT_FALSE(tells("I deleted Emma. Emma was not deleted.", Deed::deleted, "Emma"));
  EXPECT_TRUE(tells("I deleted Emma. Shall I look for more?", Deed::deleted, "Emma"));
}

TEST(ToldDeeds, told_of_names_what_it_is_said_of_and_not_where_it_went) {
  EXPECT_EQ(ToldDeeds("Dusk was deleted.", kLabels).told_of(Deed::deleted),
            std::vector<std::string>{"dusk"});
  EXPECT_TRUE(ToldDeeds("I added ham to Emma.", kLabels).told_of(Deed::deleted).empty());
  EXPECT_EQ(ToldDeeds("I added ham to Emma.", kLabels).told_of(Deed::saved),
            std::vector<std::string>{"ham"});
}

}  // namespace
}  // namespace alfred
