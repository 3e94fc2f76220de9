#include "state/resolve_mention.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

class Mentions : public testing::Test {
 protected:
  EntitySnapshot dish(std::string ref, std::string label, std::uint32_t turn = 1) {
    return {.entity = next_++,
            .ref = std::move(ref),
            .type = "recipe",
            .label = std::move(label),
            .turn_last_ref = turn};
  }
  ResolvedMention say(std::string text, std::string type = "recipe") {
    const MentionWorld world{.tiers = tiers,
                             .categories = categories,
                             .parts = &parts,
                             .type_words = {"recipe", "recipes", "dish"}};
    return resolve_entity_reference({std::move(text), std::move(type)}, world);
  }
  void expect_one(const ResolvedMention& mention, std::string ref, MentionConfidence confidence,
                  Resolution how) {
    EXPECT_EQ(mention.resolved, std::vector<std::string>{std::move(ref)}) << mention.raw_text;
    EXPECT_EQ(mention.confidence, confidence) << mention.raw_text;
    EXPECT_EQ(mention.resolution, how) << mention.raw_text;
  }

  EntityTiers tiers;
  Categories categories = Categories::make({{"fish", {"cod", "salmon", "tilapia"}, {}, {}, ""},
                                            {"poultry", {"chicken"}, {}, {"bird"}, ""}})
                              .value();
  std::map<std::string, std::string, std::less<>> parts;

 private:
  EntityNo next_ = 0;
};

constexpr auto kHigh = MentionConfidence::high;
constexpr auto kMedium = MentionConfidence::medium;

TEST_F(Mentions, R9_the_type_alone_means_what_was_spoken_of_last) {
  tiers.active = {dish("recipe_1", "Lentil Soup", 1), dish("recipe_2", "Fried Rice", 2)};
  expect_one(say("that recipe"), "recipe_2", kHigh, Resolution::exact);
  expect_one(say("the dish"), "recipe_2", kHigh, Resolution::exact);
  tiers.active.push_back(dish("recipe_3", "Pancakes", 2));
  const std::vector<std::string> both{"recipe_2", "recipe_3"};
  EXPECT_EQ(say("that recipe").candidates, both);
  EXPECT_EQ(say("both recipes").resolved, both);
  EXPECT_EQ(say("those").resolved, both);
}

TEST_F(Mentions, R2_a_number_means_that_many_made_or_not_made) {
  tiers.active = {dish("recipe_1", "Lentil Soup", 2)};
  tiers.generated = {dish("gen_recipe_1", "Fried Rice", 2), dish("gen_recipe_2", "Pancakes", 2)};
  for (EntitySnapshot& one : tiers.generated) one.status = RefStatus::generated;
  const std::vector<std::string> made{"gen_recipe_1", "gen_recipe_2"};
  for (const char* text : {"both", "both recipes", "the two", "the 2 dishes", "both of them"})
    EXPECT_EQ(say(text).resolved, made) << text;
  EXPECT_EQ(say("all three").resolved.size(), 3u);
  const ResolvedMention four = say("the four");
  EXPECT_TRUE(four.resolved.empty());
  EXPECT_EQ(four.candidates.size(), 3u);
  tiers.active.push_back(dish("recipe_2", "Two", 1));
  expect_one(say("Two"), "recipe_2", kHigh, Resolution::exact);
}

TEST_F(Mentions, R0_a_ref_is_who_it_stands_for) {
  tiers.active = {dish("recipe_1", "Lentil Soup", 1), dish("recipe_2", "Fried Rice", 2)};
  tiers.background = {dish("recipe_3", "recipe 1", 1)};
  expect_one(say("recipe_1"), "recipe_1", kHigh, Resolution::exact);
  expect_one(say("recipe_3"), "recipe_3", kHigh, Resolution::exact);
  EXPECT_TRUE(say("recipe_9").resolved.empty());
}

TEST_F(Mentions, R1_the_label_itself_is_exact) {
  tiers.active = {dish("recipe_1", "Honey Glazed Cod"),
                  dish("recipe_2", "Honey Glazed Cod with Rice")};
  expect_one(say("Honey glazed cod"), "recipe_1", kHigh, Resolution::exact);
  expect_one(say("the honey-glazed cod recipe"), "recipe_1", kHigh, Resolution::exact);
}

TEST_F(Mentions, R4_some_of_its_words_are_enough_when_only_one_has_them) {
  tiers.active = {dish("recipe_1", "Honey Glazed Cod"), dish("recipe_2", "Salmon Teriyaki")};
  expect_one(say("the cod"), "recipe_1", kHigh, Resolution::fuzzy);
  expect_one(say("that salmon dish"), "recipe_2", kHigh, Resolution::fuzzy);
}

TEST_F(Mentions, R5_R7_two_fish_make_one_question) {
  tiers.active = {dish("recipe_1", "Honey Glazed Cod"), dish("recipe_2", "Salmon Teriyaki"),
                  dish("recipe_3", "Roast Chicken")};
  const ResolvedMention mention = say("the fish recipe");
  EXPECT_TRUE(mention.resolved.empty());
  EXPECT_EQ(mention.candidates, (std::vector<std::string>{"recipe_1", "recipe_2"}));
  EXPECT_EQ(mention.confidence, MentionConfidence::low);
  EXPECT_EQ(mention.resolution, Resolution::unresolved);
  expect_one(say("the bird"), "recipe_3", kHigh, Resolution::fuzzy);
}

TEST_F(Mentions, R5_a_category_counts_for_the_parts_too) {
  tiers.active = {dish("recipe_1", "Crispy Tacos"), dish("recipe_2", "Pancakes")};
  parts = {{"recipe_1", "tilapia, cabbage"}, {"recipe_2", "flour, milk"}};
  expect_one(say("the fish one"), "recipe_1", kHigh, Resolution::fuzzy);
}

TEST_F(Mentions, R2_pronouns_mean_what_was_spoken_of_last) {
  tiers.active = {dish("recipe_1", "Soup", 1), dish("recipe_2", "Stew", 3)};
  expect_one(say("it"), "recipe_2", kHigh, Resolution::exact);
  expect_one(say("that one"), "recipe_2", kHigh, Resolution::exact);
  tiers.active.push_back(dish("recipe_3", "Salad", 3));
  EXPECT_EQ(say("it").candidates, (std::vector<std::string>{"recipe_2", "recipe_3"}));
  EXPECT_EQ(say("them").resolved, (std::vector<std::string>{"recipe_2", "recipe_3"}));
}

TEST_F(Mentions, R3_ordinals_count_what_was_listed_last) {
  tiers.active = {dish("recipe_1", "Soup", 2), dish("recipe_2", "Stew", 2),
                  dish("recipe_3", "Salad", 2), dish("recipe_4", "Old", 1)};
  expect_one(say("the first"), "recipe_1", kHigh, Resolution::exact);
  expect_one(say("the second one"), "recipe_2", kHigh, Resolution::exact);
  expect_one(say("the last recipe"), "recipe_3", kHigh, Resolution::exact);
  EXPECT_TRUE(say("the fourth one").resolved.empty());
}

TEST_F(Mentions, what_is_generated_and_what_is_retained_is_in_play) {
  tiers.generated = {dish("gen_recipe_1", "Lemon Cod")};
  tiers.retained = {dish("recipe_9", "Plum Cake")};
  expect_one(say("lemon cod"), "gen_recipe_1", kHigh, Resolution::exact);
  expect_one(say("the plum cake"), "recipe_9", kHigh, Resolution::exact);
}

TEST_F(Mentions, R8_the_background_is_asked_last_and_is_less_sure) {
  tiers.background = {dish("recipe_5", "Thai Curry"), dish("recipe_6", "Thai Salad")};
  expect_one(say("the thai curry"), "recipe_5", kMedium, Resolution::fuzzy);
  EXPECT_EQ(say("something thai").candidates, std::vector<std::string>{});
  EXPECT_EQ(say("the thai one").candidates, (std::vector<std::string>{"recipe_5", "recipe_6"}));
  tiers.active = {dish("recipe_7", "Green Curry")};
  expect_one(say("the curry"), "recipe_7", kHigh, Resolution::fuzzy);
}

TEST_F(Mentions, R6_one_wrong_letter_is_forgiven_in_long_words_only) {
  tiers.active = {dish("recipe_1", "Salmon Teriyaki"), dish("recipe_2", "Cod Bake")};
  expect_one(say("samlon teriyakki"), "recipe_1", kHigh, Resolution::fuzzy);
  EXPECT_EQ(say("cos").resolution, Resolution::unresolved);
}

TEST_F(Mentions, another_type_is_somebody_else) {
  tiers.active = {dish("recipe_1", "Eggs")};
  EXPECT_TRUE(say("eggs", "inventory").resolved.empty());
  expect_one(say("eggs", ""), "recipe_1", kHigh, Resolution::exact);
}

TEST_F(Mentions, nothing_is_nobody) {
  tiers.active = {dish("recipe_1", "Eggs")};
  for (const char* text : {"", "the", "!?", "recipe", "dragonfruit"})
    EXPECT_EQ(say(text).resolution, Resolution::unresolved) << text;
}

}  // namespace
}  // namespace alfred
