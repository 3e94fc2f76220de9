#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/json/json.h"

namespace alfred {
namespace {

Result<Json> parse(std::string_view text) { return parse_json(text, JsonLimits::none()); }

// "code at byte N", or "ok": short enough to compare in one line.
std::string outcome(std::string_view text, const JsonLimits& limits = JsonLimits::none()) {
  const Result<Json> result = parse_json(text, limits);
  if (result) return "ok";
  return std::string(error_name(result.error().code)) + " at " + result.error().path;
}

std::string message(std::string_view text) {
  const Result<Json> result = parse(text);
  return result ? "ok" : result.error().message;
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(JsonReader, R1_integers_are_exact_or_refused) {
  EXPECT_EQ(parse("9223372036854775807")->as_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse("-9223372036854775808")->as_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse("9223372036854775808")->as_uint64(), 9223372036854775808U);
  EXPECT_EQ(parse("18446744073709551615")->as_uint64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse("-0")->as_int64(), 0);
  EXPECT_EQ(outcome("[18446744073709551616]"), "json at byte 1");
  EXPECT_EQ(outcome("{\"a\": -9223372036854775809 }"), "json at byte 6");
  EXPECT_EQ(message("18446744073709551616"),
            "An integer must fit 64 bits: -9223372036854775808 to 18446744073709551615.");
}

TEST(JsonReader, R1_integers_beyond_64_bits_are_rounded_only_where_the_limits_say_so) {
  JsonLimits rounding;
  rounding.rounds_wide_integers = true;
  const auto rounded = [&](std::string_view text) { return parse_json(text, rounding); };
  EXPECT_EQ(rounded("18446744073709551616")->as_double(), 18446744073709551616.0);
  EXPECT_EQ(rounded("-9223372036854775809")->as_double(), -9223372036854775808.0);
  EXPECT_EQ(write_json(rounded("[123456789012345678901]").value()), "[1.2345678901234568e+20]");
  // What fits is exact as ever.
  EXPECT_EQ(rounded("18446744073709551615")->as_uint64(),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(rounded("9007199254740993")->as_int64(), 9007199254740993);
  EXPECT_EQ(rounded("-0")->as_int64(), 0);
  EXPECT_EQ(rounded("1.5")->as_double(), 1.5);
  EXPECT_EQ(rounded(repeat("9", 308))->as_double(), 1e308);
  for (const std::string& huge :
       std::vector<std::string>{"1" + repeat("0", 309), "-1" + repeat("0", 309), "1e400"})
    EXPECT_EQ(outcome(" " + huge, rounding), "json at byte 1") << huge;
  EXPECT_FALSE(JsonLimits::none().rounds_wide_integers);
  EXPECT_FALSE(JsonLimits::model_output().rounds_wide_integers);
}

TEST(JsonReader, R1_doubles_are_exact_and_never_infinite) {
  EXPECT_EQ(parse("2.0")->as_double(), 2.0);
  EXPECT_EQ(parse("1E2")->as_double(), 100.0);
  EXPECT_EQ(parse("0.1")->as_double(), 0.1);
  EXPECT_EQ(parse("1.7976931348623157e308")->as_double(), std::numeric_limits<double>::max());
  EXPECT_EQ(parse("4.9406564584124654e-324")->as_double(),
            std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse("0." + repeat("0", 400) + "1e+401")->as_double(), 1.0);
  EXPECT_EQ(parse("0e400")->as_double(), 0.0);
  for (const std::string& huge :
       std::vector<std::string>{"1e400", "-1e400", "0.01e312", "1" + repeat("0", 400) + ".0"})
    EXPECT_EQ(outcome(" " + huge), "json at byte 1") << huge;
  EXPECT_EQ(outcome("1e99999999999").substr(0, 7), "json at");
}

TEST(JsonReader, R1_a_number_too_small_for_a_double_is_a_zero_of_its_sign) {
  for (const std::string& tiny : std::vector<std::string>{"1e-400", "0.0000001e-330", "123456e-400",
                                                          "0." + repeat("0", 400) + "1"}) {
    EXPECT_EQ(parse(tiny)->as_double(), 0.0) << tiny;
    EXPECT_FALSE(std::signbit(parse(tiny)->as_double())) << tiny;
    EXPECT_EQ(parse("-" + tiny)->as_double(), 0.0) << tiny;
    EXPECT_TRUE(std::signbit(parse("-" + tiny)->as_double())) << tiny;
  }
  EXPECT_TRUE(std::signbit(parse("-0.0")->as_double()));
}

TEST(JsonReader, R2_A7_a_member_given_twice_is_refused) {
  const std::string_view text = R"({"tool":"db_read","tool":"db_delete"})";
  EXPECT_EQ(outcome(text), "json_dupkey at byte 18");
  EXPECT_EQ(message(text),
            R"("tool" is given twice in the outermost object; give each member once.)");
  EXPECT_EQ(outcome(R"({"a":1,"\u0061":2})"), "json_dupkey at byte 7");
  EXPECT_EQ(outcome(R"({"\"a\u0062":1,"\"\u0061b":2})"), "json_dupkey at byte 15");
  EXPECT_EQ(outcome(R"({"":1,"":2})"), "json_dupkey at byte 6");
  EXPECT_EQ(outcome(R"({"a":{"a":{"a":[{"a":1},{"a":2}]}},"b":{"a":1}})"), "ok");
}

TEST(JsonReader, R2_A7_the_error_says_where_the_object_stands) {
  EXPECT_EQ(message(R"({"steps":[{},[1,{"params":{"x":1,"x":1}}]]})"),
            R"("x" is given twice in "steps[1][1].params"; give each member once.)");
  EXPECT_EQ(message(R"([0,{"a\n":1,"a\n":1}])"),
            R"("a\n" is given twice in "[1]"; give each member once.)");
  const std::string name(5000, 'n');
  EXPECT_LT(message("{\"" + name + "\":{\"" + name + "\":1,\"" + name + "\":1}}").size(), 400U);
}

TEST(JsonReader, R2_A7_is_found_among_many_members_and_at_every_place) {
  for (const std::size_t repeated : {0U, 7U, 15U, 16U, 17U, 299U}) {
    std::string text = "{";
    for (std::size_t i = 0; i < 300; ++i) text += "\"k" + std::to_string(i) + "\":[{\"k0\":0}],";
    EXPECT_EQ(outcome(text + "\"last\":0}"), "ok");
    EXPECT_EQ(outcome(text + "\"k" + std::to_string(repeated) + "\":0}"),
              "json_dupkey at byte " + std::to_string(text.size()));
  }
}

TEST(JsonReader, A6_what_is_almost_json_is_refused_with_its_byte) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"a":1,})", "json at byte 7"},
      {"[1, 2, ]", "json at byte 7"},
      {"{'a':1}", "json at byte 1"},
      {"['a']", "json at byte 1"},
      {"[1] // one", "json at byte 4"},
      {"[/* one */ 1]", "json at byte 1"},
      {"# one\n[1]", "json at byte 0"},
      {"[NaN]", "json at byte 1"},
      {"[Infinity]", "json at byte 1"},
      {"[-Infinity]", "json at byte 2"},
      {"[True]", "json at byte 1"},
      {"{a:1}", "json at byte 1"},
      {"[01]", "json at byte 2"},
      {"[1.]", "json at byte 3"},
      {"[.5]", "json at byte 1"},
      {"[+1]", "json at byte 1"},
      {"[0x1F]", "json at byte 2"},
      {"\"a\nb\"", "json at byte 2"},
      {"[\"\\x41\"]", "json at byte 3"},
      {"[\"\\u00g0\"]", "json at byte 6"},
      {"", "json at byte 0"},
      {" \n", "json at byte 2"},
      {"[1,2", "json at byte 4"},
      {"\"abc", "json at byte 4"},
      {"{} {}", "json at byte 3"},
      {"[1 2]", "json at byte 3"},
      {"{\"a\" 1}", "json at byte 5"},
      {"]", "json at byte 0"},
      {std::string_view("[\0]", 3), "json at byte 1"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(outcome(text), expected) << text;
}

TEST(JsonReader, A6_R5_the_message_says_what_to_do) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"[1,]", "remove it"},           {"['a']", "double quotes"},
      {"[1,//x\n2]", "Comments"},      {"[nan]", "\"nan\" is not JSON here"},
      {"{tool:1}", "\"tool\""},        {"\"a\tb\"", "\\u0009"},
      {"[\"\\x\"]", "Unknown escape"}, {"[\"\\u00g0\"]", "four hex digits"},
      {"[1", "send all of it"},        {"", "empty"},
      {"{} x", "nothing after it"},    {"[1e9999999999999]", "exponent"},
      {"[1e999]", "1.8e308"},          {"[1;2]", "\";\" does not belong here"},
  };
  for (const auto& [text, words] : cases)
    EXPECT_NE(message(text).find(words), std::string::npos) << text << ": " << message(text);
}

TEST(JsonReader, R3_A8_depth_65_and_100000) {
  const JsonLimits limits = JsonLimits::model_output();
  const auto nested = [](std::size_t depth) { return repeat("[", depth) + repeat("]", depth); };
  EXPECT_EQ(outcome(nested(64), limits), "ok");
  EXPECT_EQ(outcome(nested(65), limits), "limit at byte 64");
  EXPECT_EQ(outcome(nested(100'000), limits), "limit at byte 64");
  EXPECT_EQ(outcome(repeat("{\"a\":", 100'000), limits), "limit at byte 320");
  EXPECT_EQ(outcome(repeat("[", 64) + "1" + repeat("]", 64), limits), "ok");
}

TEST(JsonReader, R3_A8_no_limit_means_a_depth_that_the_stack_can_bear) {
  const auto nested = [](std::size_t depth) {
    return repeat("{\"a\":[", depth / 2) + repeat("]}", depth / 2);
  };
  Result<Json> deep = parse(nested(kJsonDepthCeiling));
  ASSERT_TRUE(deep) << deep.error().message;
  EXPECT_EQ(write_json(*deep), nested(kJsonDepthCeiling));
  EXPECT_TRUE(*deep == *parse(write_json_pretty(*deep)));
  JsonLimits limits = JsonLimits::none();
  limits.max_depth = 1'000'000;
  EXPECT_EQ(outcome(nested(kJsonDepthCeiling + 2), limits), "limit at byte 3000");
}

// The parser stopping at the first value too many shows that nothing of the rest was built.
TEST(JsonReader, R3_A8_a_10_MB_array_is_refused_where_the_limit_is_passed) {
  const std::string text = "[" + repeat("1,", 5'000'000) + "1]";
  EXPECT_EQ(outcome(text, JsonLimits::model_output()), "limit at byte 4194304");
  JsonLimits limits = JsonLimits::model_output();
  limits.max_bytes = text.size();
  EXPECT_EQ(outcome(text, limits), "limit at byte 200000");
  const std::string full = "[" + repeat("1,", limits.max_values - 2) + "1]";
  EXPECT_EQ(outcome(full, limits), "ok");
  EXPECT_EQ(outcome("[" + full + "]", limits).substr(0, 5), "limit");
}

TEST(JsonReader, R3_A8_a_1_MB_key_is_refused) {
  const JsonLimits limits = JsonLimits::model_output();
  const auto with_key = [&](const std::string& key) {
    return outcome("[{ \"" + key + "\":1}]", limits);
  };
  EXPECT_EQ(with_key(std::string(1'000'000, 'k')), "limit at byte 3");
  EXPECT_EQ(with_key(repeat("\\u006b", 100'000)), "limit at byte 3");
  EXPECT_EQ(with_key(std::string(256, 'k')), "ok");
  EXPECT_EQ(with_key(repeat("\\u006b", 256)), "ok");
  EXPECT_EQ(with_key(std::string(257, 'k')), "limit at byte 3");
  EXPECT_EQ(with_key(repeat("\\n", 257)), "limit at byte 3");
}

TEST(JsonReader, R3_A8_a_long_string_and_a_long_text_are_refused) {
  const JsonLimits limits = JsonLimits::model_output();
  const std::string longest(limits.max_string_bytes, 's');
  EXPECT_EQ(outcome("[\"" + longest + "\"]", limits), "ok");
  EXPECT_EQ(outcome("[\"" + longest + "s\"]", limits), "limit at byte 1");
  EXPECT_EQ(outcome("[\"\\n" + longest + "\"]", limits), "limit at byte 1");
  const std::string spaces(limits.max_bytes - 1, ' ');
  EXPECT_EQ(outcome(spaces + "1", limits), "ok");
  EXPECT_EQ(outcome(spaces + "11", limits), "limit at byte 4194304");
}

TEST(JsonReader, R4_A9_bytes_that_are_not_utf8_are_refused) {
  EXPECT_EQ(outcome("[\"a\xFF\"]"), "utf8 at byte 3");
  EXPECT_EQ(outcome("[\"\xC0\xAF\"]"), "utf8 at byte 2");
  EXPECT_EQ(outcome("[\"\xED\xA0\x80\"]"), "utf8 at byte 2");
  EXPECT_EQ(outcome("[\"\xE2\x82\"]"), "utf8 at byte 2");
  EXPECT_EQ(outcome("\xFF\xFE[]"), "utf8 at byte 0");
}

TEST(JsonReader, R4_A9_half_a_surrogate_pair_is_refused_at_its_first_escape) {
  const std::string padding(64, 'p');  // the parser has another path for escapes near the end
  for (const std::string& tail : {std::string(), padding}) {
    for (const std::string half :
         {"\\ud800", "\\uDBFF", "\\udc00", "\\uDFFF", "\\ud800x", "\\ud800\\n", "\\ud800\\u0041",
          "\\ud800\\ud800", "\\udc00\\ud800"})
      EXPECT_EQ(outcome("[\"ab" + half + tail + "\"]"), "utf8 at byte 4") << half << tail;
    EXPECT_EQ(outcome("[\"\\ud83c\\udf72\\udf72" + tail + "\"]"), "utf8 at byte 14") << tail;
    EXPECT_EQ(parse("[\"\\ud83c\\udf72" + tail + "\"]")->as_array()[0].as_string(),
              "\xF0\x9F\x8D\xB2" + tail);
    EXPECT_EQ(outcome("[\"\\\\ud800\n" + tail + "\"]"), "json at byte 9") << tail;
  }
  EXPECT_EQ(outcome(R"({"\ud800":1})"), "utf8 at byte 2");
}

TEST(JsonReader, A10_a_byte_order_mark_is_skipped_and_counts_in_offsets) {
  EXPECT_EQ(write_json(*parse("\xEF\xBB\xBF {\"a\":1}")), R"({"a":1})");
  EXPECT_EQ(outcome("\xEF\xBB\xBF[1,]"), "json at byte 6");
  EXPECT_EQ(outcome("\xEF\xBB\xBF{\"a\":1,\"a\":1}"), "json_dupkey at byte 10");
  EXPECT_EQ(outcome("\xEF\xBB\xBF"), "json at byte 3");
  EXPECT_EQ(outcome("\xEF\xBB\xBF\xEF\xBB\xBF[]"), "json at byte 3");
}

TEST(JsonReader, A10_a_line_separator_is_text_inside_a_string_and_an_error_outside) {
  EXPECT_EQ(parse("\"\xE2\x80\xA8\"")->as_string(), "\xE2\x80\xA8");
  EXPECT_EQ(outcome("[1,\xE2\x80\xA8 2]"), "json at byte 3");
  EXPECT_NE(message("[1,\xE2\x80\xA8 2]").find("U+2028"), std::string::npos);
}

TEST(JsonReader, reads_every_kind_of_value) {
  const Result<Json> value =
      parse(R"( {"n":null,"t":true,"f":false,"s":"\"\\\/\b\f\n\r\té","o":{}} )");
  ASSERT_TRUE(value);
  EXPECT_TRUE(value->at("n").is_null());
  EXPECT_TRUE(value->at("t").as_bool());
  EXPECT_FALSE(value->at("f").as_bool());
  EXPECT_EQ(value->at("s").as_string(), "\"\\/\b\f\n\r\t\xC3\xA9");
  EXPECT_TRUE(value->at("o").as_object().empty());
}

}  // namespace
}  // namespace alfred
