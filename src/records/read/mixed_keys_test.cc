// Keys of several storage classes in one column, as SQLite takes them: all rows can be reached.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/base64url.h"
#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSql = R"(
CREATE TABLE untyped (k PRIMARY KEY, name text, n integer);
CREATE TABLE whole (k int PRIMARY KEY NOT NULL, name text, n integer);
CREATE TABLE pairs (k int NOT NULL, at int NOT NULL, name text, n integer, PRIMARY KEY (k, at));
CREATE TABLE of_whole (id integer PRIMARY KEY, whole_k int REFERENCES whole (k));
)";

class MixedKeys : public OwnTables {
 protected:
  using Names = std::vector<std::string>;
  void SetUp() override { open(kSql); }

  // In the order of their keys: numbers, texts, bytes.
  static std::vector<Value> keys() {
    return {std::int64_t{-5},
            std::int64_t{1},
            1.5,
            2.5,
            std::int64_t{30},
            std::int64_t{31},
            std::string("7up"),
            std::string("one"),
            std::string("two"),
            Bytes{"\x01\x02"}};
  }
  void fill(const std::string& table) {
    std::int64_t n = 0;
    for (const Value& key : keys()) {
      std::vector<std::pair<std::string, Value>> row{
          {"k", key}, {"name", fmt::format("row {}", n)}, {"n", n % 3}};
      if (table == "pairs") row.push_back({"at", std::int64_t{1}});
      put(table, row);
      ++n;
    }
  }
  Json page(const std::string& params) {
    const Result<std::string> said = read(params);
    EXPECT_TRUE(said) << params << (said ? "" : said.error().message);
    return said ? parse_json(*said, JsonLimits::none()).value() : Json(JsonObject());
  }
  // The names of all rows, page by page.
  Names paged(const std::string& params) {
    Names names;
    std::string cursor;
    for (int pages = 0; pages < 40; ++pages) {
      const Json said = page("{" + params + cursor + "}");
      for (const Json& row : said.at("rows").as_array())
        names.emplace_back(row.at("name").as_string());
      if (!said.at("has_more").as_bool()) break;
      const Json* const next = said.as_object().if_contains("cursor");
      EXPECT_NE(next, nullptr) << write_json(said);
      if (next == nullptr) break;
      const std::string open = from_base64url(std::string(next->as_string())).value();
      for (const char* key : {"1.5", "2.5", "7up", "31"})
        EXPECT_EQ(open.find(key), std::string::npos) << open;
      cursor = R"(,"cursor":)" + write_json(*next);
    }
    return names;
  }
  static Names all_names() {
    Names names;
    for (std::size_t i = 0; i < keys().size(); ++i) names.push_back(fmt::format("row {}", i));
    return names;
  }
};

TEST_P(MixedKeys, all_rows_are_reached_page_by_page) {
  for (const char* table : {"untyped", "whole", "pairs"}) {
    fill(table);
    for (int limit = 1; limit <= 11; ++limit)
      EXPECT_EQ(paged(fmt::format(R"("table":"{}","limit":{})", table, limit)), all_names())
          << table << " by " << limit;
    Names backwards = all_names();
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(paged(fmt::format(R"("table":"{}","limit":2,"order":"{} desc")", table, "k")),
              backwards);
  }
}

TEST_P(MixedKeys, all_rows_are_reached_in_any_order_and_by_score) {
  fill("untyped");
  for (const char* more : {R"("order":"n")", R"("order":["n desc","name"])",
                           R"("filters":[{"field":"name","op":"similar","value":"row"}])",
                           R"("filters":[{"field":"name","op":"like","value":"row %"}])"}) {
    Names names = paged(fmt::format(R"("table":"untyped","limit":2,{})", more));
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, all_names()) << more;
  }
}

TEST_P(MixedKeys, they_are_counted_as_they_are) {
  fill("untyped");
  put("untyped", {{"name", "none"}});
  put("untyped", {{"name", "none"}});
  for (const char* limit : {"1", "3", "10", "50"}) {
    const Json said = page(fmt::format(R"({{"table":"untyped","count":true,"limit":{}}})", limit));
    EXPECT_EQ(write_json(said.at("count")), "12") << limit;
    EXPECT_EQ(write_json(said.at("without_key")), "2") << limit;
  }
}

TEST_P(MixedKeys, a_row_goes_by_its_ref_whatever_its_key_is) {
  fill("whole");
  const Json said = page(R"({"table":"whole"})");
  const auto& shown = said.at("rows").as_array();
  ASSERT_EQ(shown.size(), keys().size());
  std::size_t changed = 0;
  for (const Json& row : shown) {
    if (row.at("k").is_null()) continue;  // a key that no ref can stand for
    const std::string ref = write_json(row.at("k"));
    const Json one =
        page(R"({"table":"whole","filters":[{"field":"k","op":"=","value":)" + ref + "}]}");
    EXPECT_EQ(write_json(one.at("rows")), "[" + write_json(row) + "]");
    answer(update(R"({"table":"whole","data":{"name":"changed","k":)" + ref + "}}"));
    answer(create(R"({"table":"of_whole","data":{"whole_k":)" + ref + "}}"));
    ++changed;
  }
  EXPECT_EQ(changed, 7U);
  EXPECT_EQ(page(R"({"table":"of_whole"})").at("rows").as_array().size(), 7U);
}

TEST_P(MixedKeys, rows_that_come_and_go_behind_one_with_a_ref_do_not_disturb_the_cursor) {
  fill("untyped");
  const Json first = page(R"({"table":"untyped","limit":2})");
  put("untyped", {{"k", std::int64_t{-9}}, {"name", "new"}});
  const Json second =
      page(R"({"table":"untyped","limit":2,"cursor":)" + write_json(first.at("cursor")) + "}");
  EXPECT_EQ(second.at("rows").at(0).at("name").as_string(), "row 2");
}

INSTANTIATE_TEST_SUITE_P(Stores, MixedKeys, testing::Values(AlbumsPlace::sqlite), albums_place);

}  // namespace
}  // namespace alfred
