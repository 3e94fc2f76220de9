#include "pack/categories.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

using Words = std::vector<std::string>;

Result<Categories> made_of(std::vector<Category> declared) {
  return Categories::make(std::move(declared));
}

Categories sea() {
  Result<Categories> made = made_of({
      {"seafood", {"Roe"}, {"fish", "shellfish"}, {"sea food"}, ""},
      {"fish", {"cod", "Sea Bass", "anchovies"}, {}, {}, ""},
      {"shellfish", {"shrimp", "clams"}, {}, {}, ""},
      {"leafy greens", {"kale"}, {}, {"greens"}, ""},
  });
  EXPECT_TRUE(made.has_value());
  return made ? std::move(*made) : Categories();
}

TEST(Categories, R1_members_are_its_own_and_those_it_includes) {
  EXPECT_EQ(sea().members_of("seafood"), (Words{"anchovy", "clam", "cod", "fish", "roe", "sea bass",
                                                "sea food", "seafood", "shellfish", "shrimp"}));
  EXPECT_EQ(sea().members_of("fish"), (Words{"anchovy", "cod", "fish", "sea bass"}));
  EXPECT_TRUE(sea().members_of("poultry").empty());
  EXPECT_EQ(sea().categories_of("cod"), (Words{"fish", "seafood"}));
  EXPECT_TRUE(sea().categories_of("beef").empty());
}

TEST(Categories, R2_circles_and_strangers_are_refused_at_their_place) {
  Result<Categories> circle =
      made_of({{"a", {}, {"b"}, {}, "p:1:1"}, {"b", {}, {"c"}, {}, ""}, {"c", {}, {"a"}, {}, ""}});
  ASSERT_FALSE(circle.has_value());
  EXPECT_EQ(circle.error().path, "p:1:1");
  EXPECT_FALSE(made_of({{"a", {}, {"a"}, {}, ""}}).has_value());
  Result<Categories> stranger = made_of({{"a", {}, {"z"}, {}, "p:4:1"}});
  ASSERT_FALSE(stranger.has_value());
  EXPECT_EQ(stranger.error().path, "p:4:1");
  EXPECT_EQ(stranger.error().allowed, Words{"a"});
  EXPECT_FALSE(made_of({{"a", {}, {}, {}, ""}, {"b", {}, {}, {"A"}, ""}}).has_value());
}

TEST(Categories, R2_what_is_included_twice_is_no_circle) {
  EXPECT_TRUE(made_of({{"top", {}, {"left", "right"}, {}, ""},
                       {"left", {}, {"leaf"}, {}, ""},
                       {"right", {}, {"leaf"}, {}, ""},
                       {"leaf", {"x"}, {}, {}, ""}})
                  .has_value());
}

TEST(Categories, R3_case_spaces_and_plurals_do_not_matter) {
  EXPECT_EQ(sea().categories_of("  SEA   basses "), (Words{"fish", "seafood"}));
  EXPECT_EQ(sea().categories_of("Clam"), (Words{"seafood", "shellfish"}));
  EXPECT_TRUE(sea().is_category("Leafy Greens"));
  EXPECT_TRUE(sea().is_category("greens"));
  EXPECT_TRUE(sea().is_category("sea food"));
  EXPECT_FALSE(sea().is_category("cod"));
}

TEST(Categories, R3_a_hyphen_in_the_name_of_a_category_is_a_space) {
  const Categories found =
      made_of({{"sugar-free drinks", {"water"}, {}, {"no-sugar"}, ""}}).value();
  for (const char* name : {"sugar-free drinks", "sugar free drink", "no sugar", "no-sugar"})
    EXPECT_TRUE(found.is_category(name)) << name;
  EXPECT_EQ(found.members_of("sugar free drinks").size(), 3u);
}

TEST(Categories, R3_a_text_is_looked_at_word_by_word) {
  EXPECT_EQ(sea().categories_in("1 lb large shrimp, peeled"), (Words{"seafood", "shellfish"}));
  EXPECT_EQ(sea().categories_in("whole sea bass"), (Words{"fish", "seafood"}));
  EXPECT_TRUE(sea().categories_in("codfish cakes").empty());
  EXPECT_TRUE(sea().categories_in("").empty());
}

TEST(Categories, R5_the_longest_run_of_words_counts) {
  const Result<Categories> made =
      made_of({{"dairy", {"milk", "cream"}, {}, {}, ""}, {"palm", {"coconut milk"}, {}, {}, ""}});
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->categories_in("1 can coconut milk"), Words{"palm"});
  EXPECT_EQ(made->categories_in("milk, coconut milk, cream"), (Words{"dairy", "palm"}));
}

TEST(Categories, R5_near_misses_hold_a_member_and_are_none) {
  const Result<Categories> made = made_of({{"dairy", {"milk", "cream", "ice cream"}, {}, {}, ""},
                                           {"palm", {"coconut milk", "coconut"}, {}, {}, ""},
                                           {"drinks", {"milk", "milk tea"}, {}, {}, ""}});
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->near_misses("dairy"), (Words{"coconut milk", "milk tea"}));
  EXPECT_TRUE(made->near_misses("palm").empty());
  EXPECT_TRUE(made->near_misses("nothing").empty());
}

TEST(Categories, R6_who_avoids_a_category_avoids_what_is_made_of_it) {
  std::vector<Category> declared{{"fish", {"cod"}, {}, {}, ""},
                                 {"fish products", {"fish sauce"}, {"fish"}, {}, ""},
                                 {"sauces", {"soy sauce", "fish sauce"}, {}, {}, ""}};
  declared[0].avoid = "fish products";
  const Result<Categories> made = made_of(declared);
  ASSERT_TRUE(made.has_value());
  EXPECT_TRUE(made->is_avoided("2 cod fillets", "fish"));
  EXPECT_TRUE(made->is_avoided("1 tbsp fish sauce", "fish"));
  EXPECT_FALSE(made->is_avoided("soy sauce", "fish"));
  EXPECT_EQ(made->categories_in("fish sauce"), (Words{"fish products", "sauces"}));
  EXPECT_TRUE(made->is_avoided("fresh cilantro, chopped", "cilantro"));
  EXPECT_FALSE(made->is_avoided("parsley", "cilantro"));
  declared[0].avoid = "nothing";
  declared[0].place = "p:2:1";
  EXPECT_EQ(made_of(declared).error().path, "p:2:1");
}

TEST(Categories, R6_a_word_inside_a_member_counts_where_both_are_of_a_kind) {
  const Categories made =
      Categories::make(
          {{.name = "shells", .members = {"oyster"}, .avoid = "shell products"},
           {.name = "shell products", .members = {"oyster sauce"}, .includes = {"shells"}},
           {.name = "fish", .members = {"cod", "cod fillet"}},
           {.name = "mushrooms", .members = {"oyster mushroom"}}})
          .value();
  EXPECT_TRUE(made.is_meant("two cod fillets", "cod"));
  EXPECT_TRUE(made.is_meant("oysters, shucked", "oyster"));
  EXPECT_FALSE(made.is_meant("oyster mushrooms", "oyster"));
  EXPECT_FALSE(made.is_meant("oyster sauce", "oyster"));
  EXPECT_FALSE(made.is_meant("oyster sauce", "shells"));
  EXPECT_TRUE(made.is_meant("oysters", "shells"));
  EXPECT_TRUE(made.is_meant("old plates, new cups", "plate"));
  EXPECT_FALSE(made.is_meant("old plates", "cup"));
  EXPECT_FALSE(made.is_meant("anything", ""));
  EXPECT_TRUE(made.is_avoided("oyster sauce", "oysters"));
  EXPECT_TRUE(made.is_avoided("old plates, washed", "plates"));
}

}  // namespace
}  // namespace alfred
