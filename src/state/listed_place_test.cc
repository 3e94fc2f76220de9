#include "state/listed_place.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

class ListedPlace : public testing::Test {
 protected:
  EntitySnapshot book(std::string ref, std::string label, std::uint32_t turn) {
    return {.entity = next_++,
            .ref = std::move(ref),
            .type = "book",
            .label = std::move(label),
            .turn_last_ref = turn};
  }
  std::optional<ResolvedMention> say(std::string text) {
    const MentionWorld world{
        .tiers = tiers, .categories = categories, .type_words = {"book"}, .looked_at = looked_at};
    return resolve_listed_place({std::move(text), "book"}, world, listed, count);
  }
  void expect_one(std::string text, std::string ref) {
    const std::optional<ResolvedMention> mention = say(text);
    ASSERT_TRUE(mention) << text;
    EXPECT_EQ(mention->resolved, std::vector<std::string>{std::move(ref)}) << text;
    EXPECT_EQ(mention->confidence, MentionConfidence::high) << text;
  }

  ListedCount count = ListedCount::picked;
  LookedAt looked_at;
  EntityTiers tiers;
  Categories categories;
  std::vector<std::string> listed{"book_3", "book_2", "book_1"};

 private:
  EntityNo next_ = 0;
};

TEST_F(ListedPlace, R1_who_was_picked_makes_no_other_list) {
  tiers.active = {book("book_1", "Emma", 2), book("book_2", "Dusk", 3), book("book_3", "Omoo", 2)};
  expect_one("the first one", "book_3");
  expect_one("the second", "book_2");
  expect_one("the last book", "book_1");
  EXPECT_FALSE(say("it"));
  EXPECT_FALSE(say("the fourth"));
}

TEST_F(ListedPlace, R1_the_list_itself_and_others_since_are_counted_as_ever) {
  tiers.active = {book("book_1", "Emma", 2), book("book_2", "Dusk", 2), book("book_3", "Omoo", 2)};
  EXPECT_FALSE(say("the first"));
  tiers.active.push_back(book("book_4", "Typee", 3));
  EXPECT_FALSE(say("the last"));
}

TEST_F(ListedPlace, R1_the_whole_list_is_counted_as_it_was_told) {
  count = ListedCount::whole;
  tiers.active = {book("book_1", "Emma", 2), book("book_2", "Dusk", 2), book("book_3", "Omoo", 2)};
  expect_one("the first", "book_3");
  expect_one("the last", "book_1");
  tiers.active.push_back(book("book_4", "Typee", 3));
  EXPECT_FALSE(say("the last"));
}

TEST_F(ListedPlace, R3_what_was_read_on_the_way_is_no_part_of_the_list) {
  tiers.active = {book("book_1", "Emma", 3), book("book_2", "Dusk", 3), book("book_3", "Omoo", 3),
                  book("book_4", "Typee", 3)};
  looked_at.unnamed = {"book_1", "book_2"};
  listed = {"book_4", "book_3"};
  count = ListedCount::whole;
  EXPECT_FALSE(say("the first"));
  count = ListedCount::told;
  expect_one("the first", "book_4");
  expect_one("the second", "book_3");
  expect_one("the last", "book_3");
}

TEST_F(ListedPlace, R1_a_name_is_no_place) {
  tiers.active = {book("book_1", "The Second", 2), book("book_2", "Dusk", 3),
                  book("book_3", "Omoo", 2)};
  EXPECT_FALSE(say("the second"));
  expect_one("the third", "book_1");
}

TEST_F(ListedPlace, R2_the_place_of_who_is_gone_is_nobodys) {
  tiers.active = {book("book_1", "Emma", 2), book("book_3", "Omoo", 2)};
  const std::optional<ResolvedMention> gone = say("the second");
  ASSERT_TRUE(gone);
  EXPECT_TRUE(gone->resolved.empty());
  EXPECT_TRUE(gone->candidates.empty());
  expect_one("the third", "book_1");
  tiers.active = {book("book_2", "Dusk", 2), book("book_3", "Omoo", 2)};
  expect_one("the last one", "book_2");
}

}  // namespace
}  // namespace alfred
