#include "inbox/filter/filter.h"

#include "inbox_for_tests.h"

namespace alfred {
namespace {

using inbox::Filter;

Result<bool> holds(const std::string& expression, const std::string& metadata = "{}") {
  const Result<Filter> filter = Filter::compile(JsonObject{{"expr", expression}});
  if (!filter) return Unexpected(filter.error());
  const Json event = json(metadata);
  const Json payload = JsonObject();
  return filter->matches({event, payload, "built", "local_event", "builds"});
}

std::string code_of_filter(const Json& filter) {
  const Result<Filter> compiled = Filter::compile(filter);
  return compiled ? "none" : std::string(error_name(compiled.error().code));
}

TEST(InboxFilter, the_examples_of_the_page_hold) {
  EXPECT_TRUE(*holds(R"(metadata.status == "completed" && metadata.conclusion == "failure")",
                     R"({"status":"completed","conclusion":"failure"})"));
  EXPECT_TRUE(*holds(R"(glob(metadata.headBranch, "release/*"))", R"({"headBranch":"release/1"})"));
  EXPECT_FALSE(
      *holds(R"(glob(metadata.headBranch, "release/*"))", R"({"headBranch":"release/1/a"})"));
  EXPECT_TRUE(*holds("contains(metadata.numbers, 87)", R"({"numbers":[1,87]})"));
  EXPECT_TRUE(*holds("metadata.n == '3'", R"({"n":3})"));
  EXPECT_TRUE(*holds(R"(payload.sender.login != "me")"));
}

TEST(InboxFilter, R3_what_does_not_parse_is_refused_when_it_is_kept) {
  for (const char* bad :
       {"", "a ==", "(a", "a b", "f(1)", "'open", "a | upper", "1 +", "#", "a.(b)"})
    EXPECT_EQ(code_of_filter(JsonObject{{"expr", bad}}), "value") << bad;
  EXPECT_EQ(code_of_filter(JsonObject{{"expr", "matches(metadata.a, '(')"}}), "value");
  EXPECT_EQ(code_of_filter(JsonObject{{"exp", "true"}}), "schema");
  EXPECT_EQ(code_of_filter(JsonObject{{"metadata", 3}}), "schema");
}

TEST(InboxFilter, G17_deep_and_long_expressions_are_refused) {
  std::string deep = "true";
  for (int i = 0; i < 100; ++i) deep = "(" + deep + ")";
  EXPECT_EQ(code_of_filter(JsonObject{{"expr", deep}}), "limit");
  EXPECT_EQ(code_of_filter(JsonObject{{"expr", std::string(3000, '!') + "true"}}), "limit");
  std::string row = "true";
  for (int i = 0; i < 1000; ++i) row += " || a";
  EXPECT_EQ(code_of_filter(JsonObject{{"expr", row}}), "limit");
  EXPECT_EQ(code_of_filter(JsonObject{{"expr", std::string(9000, ' ') + "true"}}), "limit");
}

TEST(InboxFilter, G17_a_catastrophic_pattern_takes_no_time) {
  const std::string value(4000, 'a');
  EXPECT_FALSE(*holds("matches(metadata.v, '^(a+)+$')", R"({"v":")" + value + R"(b"})"));
}

TEST(InboxFilter, R4_a_run_that_takes_too_long_is_an_error_of_that_event) {
  std::string rows = "[0";
  for (int i = 1; i < 400; ++i) rows += "," + std::to_string(i);
  rows += "]";
  // Each element looks at all elements, three deep.
  const std::string expression =
      "metadata.r[metadata.r[metadata.r[.x == 1 || true] && .x == 1 || true] && .x == 1 || true]";
  const Result<bool> ran = holds(expression, "{\"r\":" + rows + "}");
  ASSERT_FALSE(ran.has_value());
  EXPECT_EQ(ran.error().code, ErrorCode::limit);
}

std::string zeros(int count) {
  std::string out = "[0";
  for (int i = 1; i < count; ++i) out += ",0";
  return out + "]";
}

TEST(InboxFilter, G17_elements_and_bytes_that_are_looked_through_count_as_steps) {
  const std::string many = R"({"l":)" + zeros(60'000) + "}";
  const std::string long_text = R"({"t":")" + std::string(200'000, 'a') + R"(","l":)" +
                                zeros(2'000) + R"(,"s":")" + std::string(50'000, 'a') + "b\"}";
  for (const auto& [expression, metadata] :
       {std::pair{"metadata.l[.a == 1 || contains(metadata.l, 'x')]", many},
        std::pair{"metadata.l[.a == 1 || 'x' in metadata.l]", many},
        std::pair{"metadata.l[.a == 1 || metadata.l == 'x']", many},
        std::pair{"metadata.l[.a == 1 || metadata.l < 'x']", many},
        std::pair{"metadata.l[.a == 1 || [metadata.l]]", many},
        std::pair{"metadata.l[.a == 1 || contains(metadata.t, 'x')]", long_text},
        std::pair{"metadata.l[.a == 1 || matches('a', metadata.none + 'x')]", many},
        std::pair{"join(metadata.l, metadata.t)", long_text},
        std::pair{"format('{0}{0}{0}{0}{0}{0}{0}', metadata.t)", long_text}}) {
    const Result<bool> ran = holds(expression, metadata);
    ASSERT_FALSE(ran.has_value()) << expression;
    EXPECT_EQ(ran.error().code, ErrorCode::limit) << expression;
  }
  EXPECT_FALSE(*holds("contains(metadata.t, metadata.s)", long_text));
  EXPECT_TRUE(*holds("contains(metadata.t, 'aa') && contains(metadata.l, 0)", long_text));
  EXPECT_EQ(*holds("join(metadata.l, '') == '000'", R"({"l":[0,0,0]})"), true);
}

TEST(InboxFilter, G17_shortcuts_compare_a_bounded_number_of_values) {
  const Json event = json(R"({"l":)" + zeros(60'000) + "}");
  JsonArray wanted(4'000, Json(0));
  wanted.push_back(Json(1));
  const Json payload = JsonObject();
  const auto run = [&](const Json& expected) {
    return Filter::compile(JsonObject{{"metadata", JsonObject{{"l", expected}}}})
        .value()
        .matches({event, payload, "", "", ""});
  };
  EXPECT_TRUE(*run(wanted[0]));
  EXPECT_FALSE(*run(wanted.back()));
  JsonArray absent;
  for (int i = 0; i < 100; ++i) absent.push_back(Json("0"));
  EXPECT_FALSE(*run(absent));  // the first is not there
  const Result<bool> ran = [&] {
    JsonArray last(60'000, Json(0));
    last.back() = 1;
    const Json other = JsonObject{{"l", last}};
    return Filter::compile(JsonObject{{"metadata", JsonObject{{"l", JsonArray(100, Json(1))}}}})
        .value()
        .matches({other, payload, "", "", ""});
  }();
  ASSERT_FALSE(ran.has_value());
  EXPECT_EQ(ran.error().code, ErrorCode::limit);
}

TEST(InboxFilter, R2_shortcuts) {
  const auto matches = [](const char* filter, const char* metadata) {
    const Json event = json(metadata);
    const Json payload = JsonObject();
    return *Filter::compile(JsonObject{{"metadata", json(filter)}})
                .value()
                .matches({event, payload, "", "", ""});
  };
  EXPECT_FALSE(matches(R"({"n":"3"})", R"({"n":3})"));
  EXPECT_TRUE(matches(R"({"n":3})", R"({"n":3.0})"));
  EXPECT_TRUE(matches(R"({"n":null})", R"({"n":null})"));
  EXPECT_FALSE(matches(R"({"n":null})", R"({})"));
  EXPECT_TRUE(matches(R"({"a":["x","y"]})", R"({"a":["y","z","x"]})"));
  EXPECT_FALSE(matches(R"({"a":["x","w"]})", R"({"a":["y","z","x"]})"));
  EXPECT_TRUE(matches(R"({"a":"x"})", R"({"a":["y","x"]})"));
  EXPECT_TRUE(matches(R"({"a":{"b.c":1}})", R"({"a":{"b":{"c":1,"d":2}}})"));
  EXPECT_FALSE(matches(R"({"a.0":"x"})", R"({"a":["x"]})"));
}

class InboxDead : public InboxUnderTest {};

TEST_P(InboxDead, R4_a_filter_that_fails_on_an_event_makes_a_dead_letter_and_the_stream_goes_on) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source,
            json(R"({"filter":{"expr":"matches('x', metadata.pattern) || metadata.ok"}})"));
  append(source, "a", json(R"({"pattern":"("})"));
  append(source, "b", json(R"({"ok":true})"));
  EXPECT_EQ(seen(agent), "b");
  const Json dead = must(inbox_->dead()).at("dead");
  ASSERT_EQ(dead.as_array().size(), 1U);
  EXPECT_EQ(text(dead.at(0), "sourceNativeId"), "a");
  EXPECT_EQ(must(inbox_->status()).at("counts").at("deadLetters").as_int64(), 1);
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxDead, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

}  // namespace
}  // namespace alfred
