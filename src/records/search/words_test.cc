#include "records/search/words.h"

#include <gtest/gtest.h>

#include "records/search/fish_and_greens_for_tests.h"

namespace alfred {
namespace {

int score(std::string_view query, std::string_view text,
          SearchIntent intent = SearchIntent::similar) {
  static const FishAndGreens kinds;
  const Result<WordQuery> made = WordQuery::make({query, intent, &kinds, "recipes", "value"});
  if (!made) return -1;
  WordQuery::Scores scores = made->none();
  made->look_at(text, scores);
  return WordQuery::total(scores);
}

TEST(Words, R1_text_falls_into_folded_words) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of("Shepherd’s Pie, air-fryer (2×)"),
            (Words{"shepherds", "pie", "air", "fryer", "2"}));
  // The same words, whether all of the text is ASCII or not.
  for (const std::string text :
       {"Shepherd's PIE,air-fryer (2x)", "'a' B2\tc\x7f_d", "", "..", "x'"})
    EXPECT_EQ(words_of(text), words_of(text + "…")) << text;
  EXPECT_EQ(words_of("Shepherd's PIE,air-fryer (2x)"),
            (Words{"shepherds", "pie", "air", "fryer", "2x"}));
  EXPECT_EQ(words_of("Crème BRÛLÉE"), (Words{"creme", "brulee"}));
  EXPECT_EQ(words_of("Борщ — суп"), (Words{"борщ", "суп"}));
  EXPECT_EQ(words_of(" \xFF… "), Words{});
}

TEST(Words, R3_a_longer_name_that_is_none_hides_a_member) {
  EXPECT_EQ(score("fish", "1 tbsp Fish Sauce"), 0);
  EXPECT_EQ(score("fish", "cod liver oil"), 0);
  EXPECT_EQ(score("fish", "liver of cod"), score("fish", "cod"));
  EXPECT_EQ(score("fish", "cod in fish sauce"), score("fish", "cod"));
  EXPECT_EQ(score("fish", "fish in fish sauce"), WordQuery::kFull);
  EXPECT_GT(score("fish sauce", "Thai fish sauce"), 0);
  EXPECT_EQ(score("fish sauce", "salmon"), 0);
  EXPECT_EQ(score("fish sauce", "soy sauce"), 0);
}

TEST(Words, R2_words_that_say_nothing_do_not_count) {
  EXPECT_EQ(score("some fish recipes", "Cod in a pan"), score("fish", "Cod in a pan"));
  EXPECT_GT(score("the recipes", "Old recipes"), 0) << "unless they are all there is";
  EXPECT_EQ(score("the", "Dune"), 0);
}

TEST(Words, R3_the_nearer_the_higher) {
  const int word = score("tomato", "Tomato soup");
  const int plural = score("tomatoes", "Tomato soup");
  const int member = score("fish", "Grilled cod");
  const int begins = score("tom", "Tomato soup");
  const int slip = score("tomatto", "Tomato soup");
  EXPECT_GT(word, plural);
  EXPECT_GT(plural, member);
  EXPECT_GT(member, begins);
  EXPECT_GT(begins, slip);
  EXPECT_GT(slip, 0);
}

TEST(Words, R3_a_category_is_its_members_whole_words_and_phrases) {
  EXPECT_GT(score("fish", "Sea basses with lemon"), 0);
  EXPECT_GT(score("leafy greens", "Kale salad"), 0);
  EXPECT_EQ(score("fish", "Codex of bass at sea"), 0);
}

TEST(Words, R3_short_words_have_no_slips) {
  EXPECT_EQ(score("rice", "Dice"), 0);
  EXPECT_EQ(score("bread", "Tread"), 0) << "the first letter holds";
  EXPECT_GT(score("chikcen", "Chicken"), 0);
}

TEST(Words, R3_scripts_without_spaces_are_looked_into) {
  EXPECT_GT(score("豆腐", "麻婆豆腐"), 0);
  EXPECT_EQ(score("豆腐", "炒飯"), 0);
}

TEST(Words, R4_half_of_the_terms_are_enough_and_all_are_better) {
  EXPECT_GT(score("thai curry", "Thai Curry"), score("thai curry", "Thai green curry"));
  EXPECT_GT(score("thai curry", "Thai green curry"), score("thai curry", "Curry"));
  EXPECT_GT(score("thai curry", "Curry"), 0);
  EXPECT_EQ(score("thai green curry", "Curry"), 0);
}

TEST(Words, R5_intents) {
  EXPECT_GT(score("fish", "Selfish book", SearchIntent::literal), 0);
  EXPECT_EQ(score("fish", "Cod", SearchIntent::literal), 0);
  EXPECT_GT(score("fish", "Cod", SearchIntent::category), 0);
  EXPECT_EQ(score("fish", "Fish", SearchIntent::category), 0);
  EXPECT_EQ(score("plastic", "Plastic", SearchIntent::category), -1) << "no category";
}

TEST(Words, limits) {
  EXPECT_EQ(score(std::string(200, 'x'), "x"), 0);
  EXPECT_EQ(score(std::string(201, 'x'), "x"), -1);
  EXPECT_EQ(score(" … ", "x"), -1);
  EXPECT_EQ(score("a b c d e f g h j k l m n o p q", "z"), 0);
  EXPECT_EQ(score("b c d e f g h j k l m n o p q r s", "z"), -1);
}

TEST(Words, distance_counts_swaps_once) {
  EXPECT_EQ(edit_distance("chikcen", "chicken", 2), 1u);
  EXPECT_EQ(edit_distance("", "abc", 5), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 1), 2u);
  EXPECT_EQ(edit_distance("żur", "zur", 2), 1u);
}

TEST(Words, nearest_names_come_first) {
  EXPECT_EQ(nearest_names("titel", {"id", "author_id", "title"}).front(), "title");
  EXPECT_EQ(nearest_names("x", std::vector<std::string>(30, "y")).size(), 10u);
}

}  // namespace
}  // namespace alfred
