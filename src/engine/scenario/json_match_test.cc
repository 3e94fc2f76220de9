#include "engine/scenario/json_match.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

Json json(std::string_view text) { return parse_json(text, JsonLimits::none()).value(); }

bool fits(std::string_view expected, std::string_view actual) {
  return mismatch(json(expected), json(actual)).empty();
}

TEST(JsonMatch, R1_objects_hold_what_is_expected_and_may_have_more) {
  EXPECT_TRUE(fits(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(fits(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(fits(R"({"a":{"b":1}})", R"({"a":{"b":2}})"));
  EXPECT_FALSE(fits(R"({"a":1})", R"([1])"));
}

TEST(JsonMatch, R2_arrays_are_the_same_or_what_is_said_of_them) {
  EXPECT_TRUE(fits("[1,2]", "[1,2]"));
  EXPECT_FALSE(fits("[1,2]", "[2,1]"));
  EXPECT_FALSE(fits("[1]", "[1,2]"));
  EXPECT_FALSE(fits("[1]", "1"));
  EXPECT_TRUE(fits(R"({"$count":2})", "[5,6]"));
  EXPECT_FALSE(fits(R"({"$count":2})", "[5]"));
  EXPECT_TRUE(fits(R"({"$has":[{"a":1}]})", R"([{"a":2},{"a":1,"b":3}])"));
  EXPECT_FALSE(fits(R"({"$has":[{"a":1}]})", R"([{"a":2}])"));
}

TEST(JsonMatch, R3_values) {
  EXPECT_TRUE(fits("2", "2.0"));
  EXPECT_FALSE(fits("2", "3"));
  EXPECT_FALSE(fits("2", R"("2")"));
  EXPECT_FALSE(fits("null", "0"));
  EXPECT_TRUE(fits(R"({"a":"$any"})", R"({"a":[]})"));
  EXPECT_FALSE(fits(R"({"a":"$any"})", R"({})"));
  EXPECT_TRUE(fits(R"({"a":"$absent"})", R"({})"));
  EXPECT_FALSE(fits(R"({"a":"$absent"})", R"({"a":null})"));
  EXPECT_TRUE(fits(R"({"$says":["one","two"]})", R"("two and one")"));
  EXPECT_FALSE(fits(R"({"$says":["one","two"]})", R"("one")"));
  EXPECT_TRUE(fits(R"({"$says":["one"],"$lacks":["two"]})", R"("one")"));
  EXPECT_FALSE(fits(R"({"$lacks":["one"]})", R"("one")"));
  EXPECT_FALSE(fits(R"({"$lacks":["one"]})", "1"));
}

TEST(JsonMatch, rows_fit_one_to_one_in_any_order) {
  const auto rows_fit = [](std::string_view expected, std::string_view actual) {
    return rows_mismatch(json(expected).as_array(), json(actual).as_array()).empty();
  };
  EXPECT_TRUE(rows_fit(R"([{"a":1},{"a":2}])", R"([{"a":2},{"a":1}])"));
  EXPECT_FALSE(rows_fit(R"([{"a":1},{"a":1}])", R"([{"a":1},{"a":2}])"));
  EXPECT_FALSE(rows_fit(R"([{"a":1}])", R"([{"a":1},{"a":1}])"));
  EXPECT_FALSE(rows_fit("[]", R"([{"a":1}])"));
}

}  // namespace
}  // namespace alfred
