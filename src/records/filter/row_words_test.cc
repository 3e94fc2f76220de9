#include "records/filter/row_words.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace alfred {
namespace {

using Texts = std::vector<std::vector<std::string>>;

Texts texts_of(const RowWords& words, std::size_t column, const WordNumbers& numbers) {
  Texts out;
  words.visit(column, [&](std::span<const RowWords::Number> text) {
    std::vector<std::string>& one = out.emplace_back();
    for (const RowWords::Number number : text) one.push_back(numbers.word(number));
  });
  return out;
}

TEST(RowWords, R1_columns_have_their_texts_and_words_come_once) {
  WordNumbers numbers;
  RowWords words(3);
  EXPECT_FALSE(words.has(1));
  const std::vector<std::string_view> list{"Red jam", "", "jam, JAM!"};
  words.put(1, list, numbers);
  words.put(0, {}, numbers);
  const std::vector<std::string_view> one{"old bread"};
  words.put(2, one, numbers);
  EXPECT_TRUE(words.has(0) && words.has(1) && words.has(2));
  EXPECT_EQ(texts_of(words, 0, numbers), Texts());
  EXPECT_EQ(texts_of(words, 1, numbers), (Texts{{"red", "jam"}, {}, {"jam", "jam"}}));
  EXPECT_EQ(texts_of(words, 2, numbers), (Texts{{"old", "bread"}}));
  std::vector<std::string> all;
  for (const RowWords::Number number : words.all()) all.push_back(numbers.word(number));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<std::string>{"bread", "jam", "old", "red"}));
}

TEST(RowWords, R2_a_word_without_a_number_leaves_the_row_without_words) {
  PlanWords plan;
  for (std::size_t i = 1; i < WordNumbers::kMost; ++i)
    ASSERT_TRUE(plan.numbers.put("w" + std::to_string(i)));
  RowWords fits(1);
  const std::vector<std::string_view> last{"w7 last"};
  fits.put(0, last, plan.numbers);
  EXPECT_FALSE(fits.is_without_numbers());
  RowWords words(1);
  const std::vector<std::string_view> more{"w7 more"};
  words.put(0, more, plan.numbers);
  EXPECT_TRUE(words.is_without_numbers());
  EXPECT_TRUE(words.all().empty());
}

TEST(RowWords, keys_are_kept_by_column) {
  RowWords words(2);
  EXPECT_EQ(words.key(1), nullptr);
  EXPECT_EQ(words.put_key(1, "7"), "7");
  EXPECT_EQ(words.key(0), nullptr);
  EXPECT_EQ(*words.key(1), "7");
}

}  // namespace
}  // namespace alfred
