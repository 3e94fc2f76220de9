#include "base/json/json_together.h"

#include <optional>

#include <gtest/gtest.h>

namespace alfred {
namespace {

constexpr std::string_view kText =
    R"({"a":[1,2.5,"a text that is longer than what fits into its place",null,{"b":true}]})";

TEST(JsonTogether, R1_the_value_is_the_same) {
  EXPECT_EQ(parse_json_together(kText, JsonLimits::none()).value(),
            parse_json(kText, JsonLimits::none()).value());
  EXPECT_EQ(parse_json_together("{\"a\":1,\"a\":2}", JsonLimits::none()).error().code,
            ErrorCode::json_dupkey);
}

TEST(JsonTogether, R1_a_part_outlives_the_rest) {
  std::optional<Json> whole = parse_json_together(kText, JsonLimits::none()).value();
  const JsonArray moved(std::move(whole->as_object().at("a").as_array()));
  const Json copied = moved[4];
  whole.reset();
  EXPECT_EQ(moved[2].as_string(), "a text that is longer than what fits into its place");
  EXPECT_EQ(write_json(copied), R"({"b":true})");
}

}  // namespace
}  // namespace alfred
