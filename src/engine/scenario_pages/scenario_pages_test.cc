#include "engine/scenario_pages/scenario_pages.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "engine/scenario/json_match.h"
#include "engine/scenario_pages/adopted_json.h"
#include "engine/scenario_pages/page_text.h"
#include "pack/load/folder_for_tests.h"

namespace alfred {
namespace {

Json json(std::string_view text) { return parse_json(text, JsonLimits::none()).value(); }

AdoptRules rules(bool is_loose = false) {
  return {.fits = [](const Json& expected,
                     const Json& actual) { return mismatch(expected, actual).empty(); },
          .is_loose = is_loose};
}

std::string adopt(std::string_view expected, std::string_view actual, bool is_loose = false) {
  return write_json(adopted(json(expected), json(actual), rules(is_loose)));
}

TEST(AdoptedJson, R1_says_as_much_as_before) {
  EXPECT_EQ(adopt(R"({"a":1,"b":"$any"})", R"({"a":2,"b":3,"c":4})"), R"({"a":2,"b":"$any"})");
  EXPECT_EQ(adopt(R"({"a":1,"b":2})", R"({"a":1})"), R"({"a":1,"b":"$absent"})");
  EXPECT_EQ(adopt(R"({"a":"$absent"})", R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(adopt(R"([{"a":1}])", R"([{"a":1,"b":1},{"a":2,"b":2}])"), R"([{"a":1},{"a":2}])");
  EXPECT_EQ(adopt("null", R"({"a":[1]})"), R"({"a":[1]})");
  EXPECT_EQ(adopt("[1,2]", "3"), "3");
}

TEST(AdoptedJson, R2_counts_and_texts_follow_what_came) {
  EXPECT_EQ(adopt(R"({"$count":2})", "[1]"), R"({"$count":1})");
  EXPECT_EQ(adopt(R"({"$has":[1,5]})", "[1,2]"), R"({"$has":[1]})");
  EXPECT_EQ(adopt(R"({"$has":[5]})", "[1,2]"), R"({"$count":2})");
  EXPECT_EQ(
      adopt(R"({"$says":["Saved (2): Ann"],"$lacks":["a_1","Ann"]})", R"("Done.\nSaved (1): Ann")"),
      R"({"$says":["Saved (1): Ann"],"$lacks":["a_1"]})");
  EXPECT_EQ(adopt(R"({"$says":["x"]})", R"("other words")"), R"({"$says":["other words"]})");
}

TEST(AdoptedJson, R3_loosely_what_came_is_anything) {
  EXPECT_EQ(adopt(R"({"a":1,"b":{"c":2}})", R"({"a":1,"b":{"c":3}})", true),
            R"({"a":1,"b":{"c":"$any"}})");
  EXPECT_EQ(adopt(R"({"$says":["on 1","day"]})", R"("on 2, a day")", true), R"({"$says":["day"]})");
  EXPECT_EQ(adopt("[1]", "[1,2]", true), R"("$any")");
}

TEST(AdoptedJson, rows_that_match_stay_and_the_others_are_taken) {
  const auto rows = [](std::string_view expected, std::string_view actual) {
    return write_json(adopted_rows(json(expected), json(actual).get_array(), rules()));
  };
  EXPECT_EQ(rows(R"([{"n":1},{"n":2}])", R"([{"n":3,"m":0},{"n":1,"m":0}])"),
            R"([{"n":1},{"n":3}])");
  EXPECT_EQ(rows(R"([{"n":1}])", "[]"), "[]");
  EXPECT_EQ(rows("[]", R"([{"n":1}])"), R"([{"n":1}])");
  EXPECT_EQ(rows(R"({"$count":2})", R"([{"n":1}])"), R"({"$count":1})");
}

TEST(PageText, R1_only_the_block_changes) {
  const std::string page = "# T\r\n```expect\r\n{}\r\nx\r\n```\r\nend";
  EXPECT_EQ(changed_page(page, {{2, {"refused value", "{}\n"}}}),
            "# T\r\n```refused value\r\n{}\r\n```\r\nend");
  EXPECT_EQ(changed_page(page, {}), page);
}

TEST(PageText, R2_a_body_is_laid_out_in_lines) {
  const std::string word(60, 'x');
  EXPECT_EQ(page_json(json(R"({"a":[1,2],"b":{}})")), "{\"a\": [1, 2], \"b\": {}}\n");
  EXPECT_EQ(page_json(json(R"(["w","w"])")), "[\"w\", \"w\"]\n");
  EXPECT_EQ(page_json(JsonArray{Json(word), JsonObject{{"k", word}}}),
            "[\"" + word + "\",\n {\"k\": \"" + word + "\"}]\n");
}

TEST(ScenarioPages, R1_pages_run_on_copies_of_a_database) {
  const FolderForTests folder({{"page.md", R"(# Mine

```rows notes
[{"body": "one"}]
```
```call db_create
{"table": "notes", "data": {"body": "two"}}
```
```expect
{"created": [{"ref": "note_1"}]}
```
```rows notes
[{"body": "one"}, {"body": "two"}]
```
)"}});
  const std::string path = folder.path() + "/mine.db";
  ASSERT_TRUE(open_state(path, {}));
  ASSERT_TRUE(run_sql(parse_database_url(path).value(),
                      "create table notes (id integer primary key, body text);"
                      "insert into notes (body) values ('one');"));
  for (int times = 0; times < 2; ++times) {
    const Result<PageOutcome> done = run_page(folder.path() + "/page.md", {.db = path});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->failure, "");
  }
}

// What draws lots or looks at the calendar is not written down.
TEST(ScenarioPages, R3_what_differs_from_run_to_run_becomes_anything) {
  const FolderForTests folder({{"page.md", R"(# A batch

```generate authors
[{"name": "Ann"}]
```
```call declare_batch
{"table": "authors", "items": ["gen_author_1"]}
```
```expect
null
```
)"}});
  const std::string path = folder.path() + "/page.md";
  const StageOptions options{.pack = std::string(ALFRED_SOURCE_DIR) + "/packs/bookshelf"};
  const Result<PageOutcome> done = update_page(path, options);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->failure, "");
  EXPECT_EQ(done->updated, 1U);
  const std::string text = read_file(path).value();
  EXPECT_NE(text.find("\"id\": \"$any\""), std::string::npos) << text;
  EXPECT_NE(text.find("gen_author_1\""), std::string::npos) << text;
  EXPECT_EQ(run_page(path, options).value().failure, "");
}

}  // namespace
}  // namespace alfred
