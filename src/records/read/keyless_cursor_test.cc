// Cursors on tables without a key, on both databases: rows come and go between two pages.
#include <algorithm>

#include <gtest/gtest.h>

#include "records/read/read_cursor.h"
#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

class KeylessCursor : public OwnTables {
 protected:
  void SetUp() override {
    open(
        "CREATE TABLE log (word text, n integer, body text);"
        "CREATE VIEW lines AS SELECT word, n FROM log;"
        "CREATE TABLE shadowed (rowid text, n integer);");
  }
  void add(const std::string& word, std::int64_t n, const Value& body = Value()) {
    put("log", {{"word", word}, {"n", n}, {"body", body}});
  }
  void take(const std::string& word) {
    const Table& table = *schema.find("log");
    const DeleteRows gone{
        &table,
        Condition{.kind = Condition::Kind::compare, .field = table.find("word"), .values = {word}}};
    ASSERT_TRUE(store->write({std::nullopt, "", Caller{"ann"}}, [&](Tx& tx) -> Result<std::string> {
      const Result<std::uint64_t> count = tx.remove(gone);
      if (!count) return Unexpected(count.error());
      return std::string();
    }));
  }
  // One page: its words; the cursor is kept for the next.
  std::vector<std::string> page(const std::string& params) {
    const std::string from = cursor_.empty() ? "" : R"(,"cursor":")" + cursor_ + "\"";
    const Result<std::string> answer = read("{" + params + from + "}");
    EXPECT_TRUE(answer) << answer.error().message << answer.error().path;
    if (!answer) return {};
    const Json json = parse_json(*answer, JsonLimits::none()).value();
    const Json* const cursor = json.as_object().if_contains("cursor");
    cursor_ = cursor == nullptr ? "" : std::string(cursor->as_string());
    EXPECT_EQ(answer->find("rowid"), std::string::npos);
    std::vector<std::string> words;
    for (const Json& row : json.at("rows").as_array())
      words.emplace_back(row.at("word").as_string());
    return words;
  }
  using Words = std::vector<std::string>;

  std::string cursor_;
};

TEST_P(KeylessCursor, R4_rows_that_come_and_go_do_not_disturb_it) {
  for (const char* const word : {"b", "c", "d", "e", "f", "g"}) add(word, 1);
  for (const char* const table : {"log", "lines"}) {
    const std::string params =
        R"("table":")" + std::string(table) + R"(","limit":2,"order":["word"])";
    cursor_.clear();
    EXPECT_EQ(page(params), (Words{"b", "c"}));
    take("b");
    take("c");
    add("a", 1);
    EXPECT_EQ(page(params), (Words{"d", "e"}));
    add("b", 1);
    add("c", 1);
    EXPECT_EQ(page(params), (Words{"f", "g"}));
    EXPECT_TRUE(cursor_.empty());
    take("a");
  }
}

TEST_P(KeylessCursor, R4_rows_that_are_alike_are_all_shown_once) {
  for (int i = 0; i < 7; ++i) add("same", 1);
  add("zoo", 1);
  for (const char* const table : {"log", "lines"}) {
    const std::string params =
        R"("table":")" + std::string(table) + R"(","limit":3,"order":["word"])";
    cursor_.clear();
    EXPECT_EQ(page(params), (Words{"same", "same", "same"}));
    EXPECT_EQ(page(params), (Words{"same", "same", "same"}));
    EXPECT_EQ(page(params), (Words{"same", "zoo"}));
    EXPECT_TRUE(cursor_.empty());
  }
  // Those before that went away do not make it skip others.
  cursor_.clear();
  const std::string lines = R"("table":"lines","limit":3,"order":["word"])";
  EXPECT_EQ(page(lines), (Words{"same", "same", "same"}));
  take("same");
  EXPECT_EQ(page(lines), (Words{"zoo"}));
}

TEST_P(KeylessCursor, R4_values_that_are_null_or_too_long_do_not_lose_the_place) {
  const std::string lead = R"("table":"log","limit":2,"columns":["word"],"order":["word"])";
  for (const char* const word : {"a", "b", "c", "d", "e"}) add(word, 1, std::string(9000, 'x'));
  EXPECT_EQ(page(lead), (Words{"a", "b"}));
  EXPECT_LT(cursor_.size(), 500U);
  EXPECT_EQ(page(lead), (Words{"c", "d"}));
  EXPECT_EQ(page(lead), (Words{"e"}));
}

TEST_P(KeylessCursor, R4_it_goes_on_with_a_search_too) {
  for (const char* const word : {"red apple", "red pear", "red plum"}) add(word, 1);
  const std::string params =
      R"("table":"log","limit":2,"filters":[{"field":"word","op":"similar","value":"red"}])";
  Words seen = page(params);
  ASSERT_EQ(seen.size(), 2U);
  ASSERT_FALSE(cursor_.empty());
  for (const std::string& word : page(params)) seen.push_back(word);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (Words{"red apple", "red pear", "red plum"}));
  EXPECT_TRUE(cursor_.empty());
}

TEST_P(KeylessCursor, R5_one_that_was_made_up_is_refused) {
  for (int i = 0; i < 3; ++i) add("w", i);
  EXPECT_EQ(page(R"("table":"log","limit":1)").size(), 1U);
  for (const char* const made_up : {"", "e30", "eyJuIjotMX0"}) {
    const Result<std::string> answer =
        read(R"({"table":"log","limit":1,"cursor":")" + std::string(made_up) + "\"}");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().path, "cursor");
  }
}

TEST_P(KeylessCursor, a_column_may_have_the_name_of_the_rows_number) {
  for (int i = 0; i < 3; ++i)
    put("shadowed", {{"rowid", std::string("same")}, {"n", std::int64_t{i}}});
  std::string from;
  for (int i = 0; i < 3; ++i) {
    const std::string answer = read(R"({"table":"shadowed","limit":1)" + from + "}").value();
    EXPECT_NE(answer.find(R"("n":)" + std::to_string(i)), std::string::npos) << answer;
    const Json json = parse_json(answer, JsonLimits::none()).value();
    if (i < 2) from = R"(,"cursor":)" + write_json(json.at("cursor"));
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, KeylessCursor,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
