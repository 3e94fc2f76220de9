#include "records/search/word_numbers.h"

#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "pack/ref_names.h"

namespace alfred {
namespace {

TEST(WordNumbers, R1_a_word_keeps_its_number_and_its_singular) {
  WordNumbers numbers;
  EXPECT_EQ(numbers.find("pears"), std::nullopt);
  EXPECT_EQ(numbers.put("pears"), 0U);
  std::vector<std::string> words{"pears"};
  for (int i = 0; i < 1000; ++i) {
    words.push_back("words" + std::to_string(i) + (i % 3 == 0 ? "s" : ""));
    ASSERT_EQ(numbers.put(words.back()), static_cast<WordNumbers::Number>(i + 1));
  }
  EXPECT_EQ(numbers.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = static_cast<WordNumbers::Number>(i);
    ASSERT_EQ(numbers.put(words[i]), number);
    ASSERT_EQ(numbers.find(words[i]), number);
    ASSERT_EQ(numbers.word(number), words[i]);
    ASSERT_EQ(numbers.singular(number), singular_of(words[i]));
    ASSERT_EQ(numbers.first_bytes()[i], static_cast<unsigned char>(words[i].front()));
  }
  EXPECT_EQ(numbers.size(), words.size());
}

TEST(WordNumbers, R2_a_long_word_has_no_number) {
  WordNumbers numbers;
  EXPECT_TRUE(numbers.put(std::string(WordNumbers::kLongest, 'x')));
  EXPECT_EQ(numbers.put(std::string(WordNumbers::kLongest + 1, 'x')), std::nullopt);
  EXPECT_EQ(numbers.size(), 1U);
}

TEST(WordNumbers, R2_there_is_room_for_so_many) {
  WordNumbers numbers(2);
  EXPECT_EQ(numbers.put("a"), 0U);
  EXPECT_EQ(numbers.put("b"), 1U);
  EXPECT_EQ(numbers.put("c"), std::nullopt);
  EXPECT_EQ(numbers.put("b"), 1U);
  EXPECT_EQ(numbers.size(), 2U);
}

}  // namespace
}  // namespace alfred
