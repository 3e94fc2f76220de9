#include "pack/seed_rows.h"

#include <gtest/gtest.h>

#include "catalogue_for_tests.h"
#include "pack/load/folder_for_tests.h"
#include "pack/overlay.h"

namespace alfred {
namespace {

constexpr const char* kPack = R"(name = "x"
owner = "user_id"
demo = ["a.json", "b.json"]
rows = ["shared.json"]
[[entity]]
table = "kinds"
[[entity]]
table = "books"
[entity.fields]
out_on = { type = "date" }
seen_at = { type = "instant" }
[[entity]]
table = "pages"
label = "line"
)";
constexpr const char* kSql =
    "create table kinds (id text primary key, name text);"
    "create table books (id text primary key, user_id text, title text, out_on text, seen_at text,"
    "  kind_id text references kinds (id), next_id text references books (id));"
    "create table pages (id text primary key, line text, book_id text references books (id));";
constexpr const char* kNone = R"({"table": "books", "rows": []})";

Result<std::vector<SeedRow>> demo_of(const std::string& a, const std::string& b = kNone) {
  const FolderForTests folder(
      {{"pack.toml", kPack},
       {"a.json", a},
       {"b.json", b},
       {"shared.json", R"({"table": "kinds", "rows": [{"name": "Science Fiction"}]})"}});
  const Result<Pack> pack = load_pack(folder.path());
  EXPECT_TRUE(pack.has_value()) << pack.error().message;
  if (!pack) return Unexpected(pack.error());
  const Result<Schema> schema = overlay(*pack, catalogue_of(kSql));
  EXPECT_TRUE(schema.has_value()) << schema.error().message << schema.error().path;
  if (!schema) return Unexpected(schema.error());
  return load_demo(*pack, *schema);
}

Error error_of(const std::string& a) {
  const Result<std::vector<SeedRow>> rows = demo_of(a);
  EXPECT_FALSE(rows.has_value()) << a;
  return rows ? Error{} : rows.error();
}

const SeedValue& value_of(const SeedRow& row, std::string_view column) {
  for (const auto& [name, value] : row.values)
    if (name == column) return value;
  static const SeedValue kMissing = Json("missing");
  ADD_FAILURE() << column;
  return kMissing;
}

TEST(SeedRows, R1_rows_are_named_by_as_or_by_their_label) {
  const auto rows =
      demo_of(R"({"table": "books", "rows": [{"as": "b", "title": "X"}, {"title": "The End!"}]})");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ((*rows)[0].name, "b");
  EXPECT_EQ((*rows)[1].name, "the_end");
  EXPECT_EQ(error_of(R"({"table": "books", "rows": [{"title": "X"}, {"title": "x"}]})").path,
            "a.json row 2");
}

TEST(SeedRows, R2_links_name_rows_here_or_shared) {
  const auto rows =
      demo_of(R"({"table": "books", "rows": [{"title": "One", "kind_id": "science_fiction"}]})");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ(value_of((*rows)[0], "kind_id"), SeedValue(SeedLink{"kinds", "science_fiction"}));
  const Error error =
      error_of(R"({"table": "books", "rows": [{"title": "One", "kind_id": "poetry"}]})");
  EXPECT_EQ(error.path, "a.json row 1");
  EXPECT_NE(error.message.find("poetry"), std::string::npos);
}

TEST(SeedRows, R3_days_are_counted_from_the_day_of_seeding) {
  const auto rows = demo_of(
      R"({"table": "books", "rows": [{"title": "A", "out_on": "-12d", "seen_at": "+3d 18:30"}]})");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ(value_of((*rows)[0], "out_on"), SeedValue(SeedDay{-12, std::nullopt}));
  EXPECT_EQ(value_of((*rows)[0], "seen_at"), SeedValue(SeedDay{3, 18 * 60 + 30}));
  for (const char* day :
       {"3d", "+3", "+d", "tomorrow", "2026-01-01", "+3d 18:30", "+99999d", "+-3d"})
    EXPECT_EQ(error_of(std::string(R"({"table": "books", "rows": [{"title": "A", "out_on": ")") +
                       day + "\"}]}")
                  .path,
              "a.json row 1")
        << day;
  for (const char* time : {"+3d", "+3d 24:00", "+3d 18:60", "+3d18:30", "+3d 8:30", "+3d -1:30"})
    EXPECT_EQ(error_of(std::string(R"({"table": "books", "rows": [{"title": "A", "seen_at": ")") +
                       time + "\"}]}")
                  .path,
              "a.json row 1")
        << time;
}

TEST(SeedRows, R4_nested_rows_lead_to_their_parent) {
  const auto rows = demo_of(
      R"({"table": "books", "rows": [{"title": "A", "pages": [{"line": "x"}, {"line": "x"}]}]})");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->size(), 3U);
  EXPECT_EQ((*rows)[1].table, "pages");
  EXPECT_EQ(value_of((*rows)[2], "book_id"), SeedValue(SeedLink{"books", "a"}));
  EXPECT_NE((*rows)[1].name, (*rows)[2].name);
}

TEST(SeedRows, R5_rows_come_after_those_they_lead_to) {
  const auto rows = demo_of(
      R"({"table": "books", "rows": [{"title": "A", "next_id": "b"}, {"title": "B", "next_id": "c"},
         {"title": "C"}]})");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ((*rows)[0].name + (*rows)[1].name + (*rows)[2].name, "cba");
  const auto circle = demo_of(
      R"({"table": "books", "rows": [{"title": "A", "next_id": "b"}, {"title": "B", "next_id": "a"}]})");
  ASSERT_TRUE(circle.has_value());
  EXPECT_EQ(circle->size(), 2U);
}

TEST(SeedRows, R6_errors_name_the_file_and_the_row) {
  const std::vector<std::pair<const char*, const char*>> rows{
      {"[]", "a.json"},
      {R"({"table": "books"})", "a.json"},
      {R"({"table": "pens", "rows": []})", "a.json"},
      {R"({"table": "books", "rows": [], "more": 1})", "a.json"},
      {R"({"table": "books", "rows": [1]})", "a.json row 1"},
      {R"({"table": "books", "rows": [{"title": "A"}, {"colour": 1}]})", "a.json row 2"},
      {R"({"table": "books", "rows": [{"title": "A", "user_id": "me"}]})", "a.json row 1"},
      {R"({"table": "books", "rows": [{"as": 3}]})", "a.json row 1"},
      {R"({"table": "books", "rows": [{"title": "A", "pages": {}}]})", "a.json row 1"},
      {R"({"table": "books", "rows": [{"title": "A", "pages": [{"x": 1}]}]})",
       "a.json row 1, pages 1"},
      {R"({"table": )", "a.json byte 10"},
  };
  for (const auto& [text, place] : rows) {
    const Error error = error_of(text);
    EXPECT_EQ(error.code, ErrorCode::pack) << text;
    EXPECT_EQ(error.path, place) << text;
  }
}

}  // namespace
}  // namespace alfred
