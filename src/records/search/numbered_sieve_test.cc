#include "records/search/numbered_sieve.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "records/search/fish_and_greens_for_tests.h"

namespace alfred {
namespace {

using Numbers = std::vector<WordNumbers::Number>;

WordQuery query_of(std::string_view text, SearchIntent intent = SearchIntent::similar) {
  static const FishAndGreens kinds;
  return WordQuery::make({text, intent, &kinds, "recipes", "value"}).value();
}

Numbers numbers_of(WordNumbers& numbers, std::string_view text) {
  Numbers out;
  for (const std::string& word : words_of(text)) out.push_back(numbers.put(word).value());
  return out;
}

TEST(NumberedSieve, R1_says_what_texts_give_at_most_to_those_that_ask) {
  const std::vector<WordQuery> queries{query_of("fish"), query_of("fresh bread"),
                                       query_of("x", SearchIntent::literal)};
  WordNumbers numbers;
  NumberedSieve sieve(std::vector{&queries[0], &queries[1], &queries[2]}, numbers);
  NumberedSieve::Said said;
  said.start(3);
  sieve.look_at(numbers_of(numbers, "Sea basses, x"), {1, 1, 1}, said);
  EXPECT_EQ(said.most, (NumberedSieve::Flags{90, 0, 0})) << "no word decides about a literal one";
  sieve.look_at(numbers_of(numbers, "braed, fish"), {0, 1, 1}, said);
  EXPECT_EQ(said.most, (NumberedSieve::Flags{90, 100, 0})) << "the first did not ask";
  EXPECT_EQ(said.is_whole, (NumberedSieve::Flags{0, 1, 0})) << "it might be, by its length";
}

TEST(NumberedSieve, R2_of_a_plain_query_it_says_what_it_gives) {
  const WordQuery jam = query_of("the jam");
  ASSERT_TRUE(jam.is_plain());
  EXPECT_FALSE(query_of("fish").is_plain());
  EXPECT_FALSE(query_of("red jam").is_plain());
  EXPECT_FALSE(query_of("jam", SearchIntent::literal).is_plain());
  WordNumbers numbers;
  NumberedSieve sieve(std::vector<const WordQuery*>{nullptr, &jam}, numbers);
  NumberedSieve::Said said;
  said.start(2);
  sieve.look_at(numbers_of(numbers, "red jams"), {1, 1}, said);
  EXPECT_EQ(said.most[1], 98);
  EXPECT_EQ(said.is_whole[1], 0);
  sieve.look_at(numbers_of(numbers, "The Jam"), {1, 1}, said);
  EXPECT_EQ(said.most[1], 100);
  EXPECT_EQ(said.is_whole[1], 1) << "also where its words had no numbers before";
}

// Words that are near one another, in texts and queries at random.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t most) { return random_.next_u64() % most; }
  std::string text(std::size_t most_words) {
    static const std::vector<std::string> kWords{"fish", "cods", "salmon", "sea",   "bass",
                                                 "the",  "oil",  "leafy",  "kale",  "recipes",
                                                 "us",   "ice",  "mice",   "mouse", "豆腐"};
    std::string out;
    for (std::size_t i = 1 + below(most_words); i > 0; --i) {
      std::string word = kWords[below(kWords.size())];
      if (below(3) == 0) word += "s";
      if (below(6) == 0) word.erase(below(word.size()), 1);
      out += word + " ";
    }
    return out;
  }

 private:
  SeededRandom random_;
};

TEST(NumberedSieve, R1_R2_as_scoring_the_texts_themselves) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(fmt::format("ALFRED_TEST_SEED={}", seed));
  Draw draw(seed);
  static const FishAndGreens kinds;
  std::size_t plain = 0;
  std::size_t whole = 0;
  for (std::size_t round = test_size({50, 300, 5000}); round > 0; --round) {
    std::vector<WordQuery> queries;
    while (queries.size() < 4) {
      Result<WordQuery> made =
          WordQuery::make({draw.text(2), SearchIntent::similar, &kinds, "recipes", "value"});
      if (made) queries.push_back(std::move(*made));
    }
    WordNumbers numbers;
    if (draw.below(2) == 0) numbers_of(numbers, draw.text(20));
    NumberedSieve sieve(std::vector{&queries[0], &queries[1], &queries[2], &queries[3]}, numbers);
    for (int i = 0; i < 20; ++i) {
      const std::vector<std::string> texts{draw.text(2), draw.text(4)};
      NumberedSieve::Said said;
      said.start(queries.size());
      for (const std::string& text : texts)
        if (!words_of(text).empty()) sieve.look_at(numbers_of(numbers, text), {1, 1, 1, 1}, said);
      for (std::size_t at = 0; at < queries.size(); ++at) {
        WordQuery::Scores scores = queries[at].none();
        for (const std::string& text : texts) queries[at].look_at(text, scores);
        for (const int one : scores.terms) ASSERT_LE(one, said.most[at]) << texts[0] << texts[1];
        ASSERT_LE(scores.is_whole, said.is_whole[at] == 1) << texts[0] << texts[1];
        if (!queries[at].is_plain()) continue;
        ASSERT_EQ(scores.terms.front(), said.most[at]) << texts[0] << texts[1];
        ASSERT_EQ(scores.is_whole, said.is_whole[at] == 1) << texts[0] << texts[1];
        plain += scores.terms.front() > 0 ? 1 : 0;
        whole += scores.is_whole ? 1 : 0;
      }
    }
  }
  EXPECT_GT(plain, 0U);
  EXPECT_GT(whole, 0U);
}

}  // namespace
}  // namespace alfred
