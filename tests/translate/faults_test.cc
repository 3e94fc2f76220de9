// R3: malformed input is an error with its byte, and nothing is registered.
#include <utility>

#include "translate/session.h"

namespace alfred {
namespace {

std::vector<EntityType> shelves() {
  return {{"books", "", {"id"}, "", {{"author_id", "authors"}}, {{"loans", "loans"}}},
          {"authors", "", {"id"}, "", {}, {}},
          {"loans", "", {"a", "b"}, "", {}, {}}};
}

std::string refused(std::string_view json) {
  Session session(shelves());
  const std::string answer = session.read("books", json);
  EXPECT_EQ(session.registry.size(), 0U) << json;
  EXPECT_EQ(session.registry.type_count(), 0U) << json;
  EXPECT_EQ(session.registry.literals().size(), 0U) << json;
  return answer;
}

struct Case {
  std::string_view json;
  std::string_view answer;
};

TEST(RowsToRefs, R3_a_list_that_hides_a_text_and_then_breaks_is_refused_once) {
  const std::string row = R"({"id":1,"tags":["same as 5f2b1a3c-9b55-40f0-8886-dbdd88bd2de2")";
  const std::string good = row + R"(,"a","b","c"]},)";
  const std::string rest(200, ' ');
  const std::pair<std::string_view, std::size_t> faults[] = {
      {",@", 1}, {",nul", 1}, {"}", 0}, {",\"\x01\"", 2}};
  for (const auto& [bad, at] : faults) {
    const std::string before = "[" + good + row;
    EXPECT_EQ(refused(before + std::string(bad) + rest),
              "json at byte " + std::to_string(before.size() + at));
  }
}

TEST(RowsToRefs, R3_malformed_json_is_refused_at_its_byte) {
  const Case cases[] = {
      {"[", "json at byte 1"},
      {"[{", "json at byte 2"},
      {"{\"id\"", "json at byte 5"},
      {"{\"id\":", "json at byte 6"},
      {"{\"id\":1", "json at byte 7"},
      {"{\"id\":1,", "json at byte 8"},
      {"{\"id\":1,}", "json at byte 8"},
      {"{,}", "json at byte 1"},
      {"{\"id\":1 \"a\":2}", "json at byte 8"},
      {"{\"id\" 1}", "json at byte 6"},
      {"{\"id\":1,\"a\" 1}", "json at byte 12"},
      {"{id:1}", "json at byte 1"},
      {"{\"id\":1}}", "json at byte 8"},
      {"[{\"id\":1}", "json at byte 9"},
      {"[{\"id\":1},", "json at byte 10"},
      {"[{\"id\":1},]", "json at byte 10"},
      {"[{\"id\":1}{\"id\":2}]", "json at byte 9"},
      {"[{\"id\":1}}", "json at byte 9"},
      {"[,]", "json at byte 1"},
      {"]", "json at byte 0"},
      {"nul", "schema at byte 0"},
      {"@", "json at byte 0"},
      {"{\"id\":@}", "json at byte 6"},
      {"{\"id\":nil}", "json at byte 6"},
      {"{\"a\":tru}", "json at byte 5"},
      {"{\"a\":nul", "json at byte 8"},
      {"{\"a\":01}", "json at byte 6"},
      {"{\"a\":1.}", "json at byte 7"},
      {"{\"a\":-}", "json at byte 6"},
      {"{\"a\":1e}", "json at byte 7"},
      {"{\"a\":+1}", "json at byte 5"},
      {"{\"a\":.5}", "json at byte 5"},
      {"{\"a\":NaN}", "json at byte 5"},
      {"{\"a\":[1,]}", "json at byte 8"},
      {"{\"a\":[1 2]}", "json at byte 8"},
      {"{\"a\":[1}", "json at byte 7"},
      {"{\"a\":{\"b\":1]}", "json at byte 11"},
      {"{\"a\":{\"b\" 1}}", "json at byte 10"},
      {"{\"a\":{1:1}}", "json at byte 6"},
      {"{\"loans\":@}", "json at byte 9"},
      {"{\"loans\":", "json at byte 9"},
      {"{\"loans\":[", "json at byte 10"},
      {"{\"loans\":[{\"a\":1,\"b\":}]}", "json at byte 21"},
      {"{\"a\":\"x", "json at byte 7"},
      {"{\"a\":\"x\ny\"}", "json at byte 7"},
      {"{\"a\":\"\\x\"}", "json at byte 6"},
      {"{\"a\":\"\\u00g0\"}", "json at byte 10"},
      {"{\"a\":\"\\u12", "json at byte 10"},
      {"{\"a\":\"\\", "json at byte 7"},
      {"{\"a\":\"\\ud800\"}", "utf8 at byte 6"},
      {"{\"a\":\"\\udc00\"}", "utf8 at byte 6"},
      {"{\"a\":\"\\ud800\\u0041\"}", "utf8 at byte 6"},
      {"{\"a\":\"\\ud800", "json at byte 12"},
      {"{\"a\":\"\\ud800\\", "json at byte 13"},
      {"{\"a\":\"x\xff\"}", "utf8 at byte 7"},
      {"{\"a\":\"\xc3\"}", "utf8 at byte 6"},
      {"{\"a\":\"\xed\xa0\x80\"}", "utf8 at byte 6"},
      {"{\"a\":\"\xc0\x80\"}", "utf8 at byte 6"},
      {"{\"a\":\"\xff\n\"}", "utf8 at byte 6"},
      {"{\"a\":\"\xff\\x\"}", "utf8 at byte 6"},
      {"{\"a\":\"\xff", "utf8 at byte 6"},
      {"{\"\xff\":1}", "utf8 at byte 2"},
      {"{\"id\":\"\xff\"}", "utf8 at byte 7"},
      {"{\"id\":\"\\ud800\"}", "utf8 at byte 7"},
      {"{\"a\":\xff}", "json at byte 5"},
      {"[\xe2\x80\xa8]", "json at byte 1"},
      {std::string_view("[\0]", 3), "json at byte 1"},
      {std::string_view("{\"a\":\0}", 7), "json at byte 5"},
  };
  for (const Case& wrong : cases) {
    EXPECT_EQ(refused(wrong.json), wrong.answer) << wrong.json;
    // The same behind rows that were good, and look the same.
    const std::string good = R"({"id":1,"author_id":2,"note":"a508000d9b5540f08886dbdd88bd2de2"} )";
    const std::string shifted(wrong.answer.substr(0, wrong.answer.rfind(' ') + 1));
    const std::size_t at = std::stoul(std::string(wrong.answer.substr(shifted.size())));
    EXPECT_EQ(refused(good + std::string(wrong.json)), shifted + std::to_string(at + good.size()));
  }
}

TEST(RowsToRefs, R3_the_message_says_where) {
  Session session;
  static_cast<void>(session.read("books", "[{\"id\":1},]"));
  EXPECT_NE(session.message.find("byte 10"), std::string::npos) << session.message;
}

TEST(RowsToRefs, R3_rows_that_are_no_objects_are_refused) {
  const Case cases[] = {
      {"1", "schema at byte 0"},
      {" \"x\"", "schema at byte 1"},
      {"null", "schema at byte 0"},
      {"[1]", "schema at byte 1"},
      {"[{},null]", "schema at byte 4"},
      {"[[]]", "schema at byte 1"},
      {"{\"loans\":1}", "schema at byte 9"},
      {"{\"loans\":\"x\"}", "schema at byte 9"},
      {"{\"loans\": true}", "schema at byte 10"},
      {"{\"loans\":[1]}", "schema at byte 10"},
      {"{\"loans\":[[]]}", "schema at byte 10"},
  };
  for (const Case& wrong : cases) EXPECT_EQ(refused(wrong.json), wrong.answer) << wrong.json;
}

TEST(RowsToRefs, A7_a_column_named_twice_is_refused) {
  EXPECT_EQ(refused(R"({"id":1,"id":1})"), "json_dupkey at byte 8");
  EXPECT_EQ(refused(R"({"a":1,"\u0061":2})"), "json_dupkey at byte 7");
  EXPECT_EQ(refused(R"([{"id":1,"a":1},{"id":2,"a":1,"id":3}])"), "json_dupkey at byte 30");
  EXPECT_EQ(refused(R"({"loans":[{"a":1,"b":2,"b":3}]})"), "json_dupkey at byte 23");
  EXPECT_EQ(refused(R"({"":1,"":2})"), "json_dupkey at byte 6");
}

TEST(RowsToRefs, D11_what_is_no_key_is_refused_where_one_is_due) {
  const Case cases[] = {
      {R"({"id":1.0})", "key_type at byte 6"},
      {R"({"id":1e5})", "key_type at byte 6"},
      {R"({"id":9223372036854775808})", "key_type at byte 6"},
      {R"({"id":true})", "key_type at byte 6"},
      {R"({"id":false})", "key_type at byte 6"},
      {R"({"id":{}})", "key_type at byte 6"},
      {R"({"id": [1]})", "key_type at byte 7"},
      {R"({"id":1,"author_id":0.5})", "key_type at byte 20"},
      {R"({"loans":[{"a":1,"b":[2]}]})", "key_type at byte 21"},
  };
  for (const Case& wrong : cases) EXPECT_EQ(refused(wrong.json), wrong.answer) << wrong.json;
}

TEST(RowsToRefs, A8_depth_is_limited) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  Session declared(shelves());
  Session guessed;
  for (Session* session : {&declared, &guessed}) {
    EXPECT_EQ(session->read("books", nested(999)), nested(999));
    EXPECT_EQ(session->read("books", nested(1000)), "limit at byte 1004");
    EXPECT_EQ(session->read("books", nested(100'000)), "limit at byte 1004");
  }
  RowsOptions options;
  options.max_depth = 2;
  EXPECT_EQ(guessed.read("books", R"([{"id":1,"a":1}])", options), R"([{"id":"book_1","a":1}])");
  EXPECT_EQ(guessed.read("books", R"([{"id":1,"a":[]}])", options), "limit at byte 13");
  EXPECT_EQ(declared.read("books", R"([{"id":1,"loans":[]}])", options), "limit at byte 17");
  EXPECT_EQ(declared.read("books", R"({"loans":[{"a":1}]})", options), "limit at byte 10");
}

TEST(RowsToRefs, A8_a_table_nested_in_itself_to_the_limit) {
  Session session({{"parts", "", {"id"}, "", {}, {{"in", "parts"}}}});
  std::string json;
  for (int i = 0; i < 1000; ++i) json += "{\"in\":";
  EXPECT_EQ(session.read("parts", json + "null" + std::string(1000, '}')),
            json + "null" + std::string(1000, '}'));
  EXPECT_EQ(session.read("parts", json + "{"), "limit at byte 6000");
}

TEST(RowsToRefs, A8_many_tables_nested_in_each_other_to_the_limit) {
  std::string json;
  for (int i = 0; i < 999; ++i) json += "{\"m" + std::to_string(i) + "\":";
  json += "{\"name\":\"deep\"}" + std::string(999, '}');
  EXPECT_EQ(Session().read("books", json + "\n" + json), json + "\n" + json);
}

TEST(RowsToRefs, R3_a_registry_that_knew_something_knows_the_same_after_an_error) {
  Session session(shelves());
  static_cast<void>(session.read("books", R"([{"id":1,"author_id":2}])"));
  const oracle::RegistryModel before(session.registry);
  EXPECT_EQ(session.read("books", R"([{"id":1},{"id":2,"author_id":1},{"id":3},)"),
            "json at byte 42");
  EXPECT_EQ(oracle::RegistryModel(session.registry), before);
  EXPECT_TRUE(session.registry.changes().empty());
}

}  // namespace
}  // namespace alfred
