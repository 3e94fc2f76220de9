#include "records/search/word_sieve.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "records/search/fish_and_greens_for_tests.h"

namespace alfred {
namespace {

WordQuery query_of(std::string_view text, SearchIntent intent = SearchIntent::similar) {
  static const FishAndGreens kinds;
  return WordQuery::make({text, intent, &kinds, "recipes", "value"}).value();
}

TEST(WordSieve, R1_says_which_searches_a_text_may_match) {
  const std::vector<WordQuery> queries{query_of("fish"), query_of("bread"),
                                       query_of("x", SearchIntent::literal)};
  WordSieve sieve({&queries[0], &queries[1], &queries[2]});
  const WordSieve::Searches always = WordSieve::bit(2);
  EXPECT_EQ(sieve.of_text("Sea basses"), WordSieve::bit(0) | always);
  EXPECT_EQ(sieve.of_text("braed, cod"), WordSieve::bit(0) | WordSieve::bit(1) | always);
  EXPECT_EQ(sieve.of_text("Dune"), always) << "no word decides about a literal text";
  EXPECT_EQ(sieve.of_text(""), always);
}

TEST(WordSieve, R1_many_searches_share_the_last_bit) {
  std::vector<WordQuery> queries;
  for (int i = 0; i < 70; ++i) queries.push_back(query_of(fmt::format("word{:03}x", i)));
  std::vector<const WordQuery*> all;
  for (const WordQuery& query : queries) all.push_back(&query);
  all[1] = nullptr;
  WordSieve sieve(all);
  EXPECT_EQ(sieve.of_text("zebra"), WordSieve::kNone);
  EXPECT_NE(sieve.of_text("word069x") & WordSieve::bit(69), 0U);
  EXPECT_EQ(sieve.of_text("word001x") & WordSieve::bit(1), 0U);
}

// Words that are near one another, in texts and queries at random.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t most) { return random_.next_u64() % most; }
  std::string text(std::size_t most_words) {
    std::string out;
    for (std::size_t i = 1 + below(most_words); i > 0; --i)
      out += word() + std::vector<std::string>{" ", ", ", "-", "'", "’s ", " … "}[below(6)];
    return out;
  }

 private:
  std::string word() {
    static const std::vector<std::string> kWords{
        "fish",  "cod",          "salmon", "sea",  "bass",  "sauce",  "liver",
        "oil",   "leafy",        "green",  "kale", "the",   "recipe", "tomatoes",
        "Crème", "chicken",      "breads", "mice", "mouse", "豆腐",   "麻婆豆腐",
        "борщ",  "strawberries", "us",     "12",   "a",     "spinach"};
    std::string out = kWords[below(kWords.size())];
    if (below(3) == 0) out += "s";
    if (below(4) == 0 && out.size() > 2) std::swap(out[out.size() - 2], out[out.size() - 1]);
    if (below(6) == 0) out.erase(below(out.size()), 1);
    if (below(8) == 0) out.insert(below(out.size() + 1), 1, 'x');
    if (below(8) == 0) out[0] = static_cast<char>(out[0] ^ 0x20);
    return out;
  }
  SeededRandom random_;
};

TEST(WordSieve, R1_what_it_leaves_out_would_find_nothing) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(fmt::format("ALFRED_TEST_SEED={}", seed));
  Draw draw(seed);
  static const FishAndGreens kinds;
  std::size_t left_out = 0;
  std::size_t found = 0;
  for (std::size_t round = test_size({50, 300, 5000}); round > 0; --round) {
    std::vector<WordQuery> queries;
    while (queries.size() < 4) {
      const std::string text = draw.text(3);
      const auto intent = static_cast<SearchIntent>(draw.below(3));
      Result<WordQuery> made = WordQuery::make({text, intent, &kinds, "recipes", "value"});
      if (made) queries.push_back(std::move(*made));
    }
    WordSieve sieve({&queries[0], &queries[1], &queries[2], &queries[3]});
    for (int i = 0; i < 20; ++i) {
      const std::string text = draw.text(5);
      const WordSieve::Searches may = sieve.of_text(text);
      for (std::size_t at = 0; at < queries.size(); ++at) {
        WordQuery::Scores scores = queries[at].none();
        const bool is_any = queries[at].look_at(text, scores);
        found += is_any ? 1 : 0;
        if ((may & WordSieve::bit(at)) != 0) continue;
        ++left_out;
        ASSERT_FALSE(is_any) << text;
        ASSERT_EQ(WordQuery::total(scores), 0) << text;
      }
    }
  }
  EXPECT_GT(left_out, 0U);
  EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace alfred
