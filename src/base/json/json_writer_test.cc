#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/json/json.h"
#include "base/json/json_text.h"
#include "base/odd_locale_for_tests.h"
#include "base/test_seed.h"
#include "base/test_size.h"
#include "base/utf8.h"

namespace alfred {
namespace {

Result<Json> parse(std::string_view text) { return parse_json(text, JsonLimits::none()); }

// Random values of every kind, bounded in depth, with members in random order.
class AnyJson {
 public:
  explicit AnyJson(std::uint64_t seed) : random_(seed) {}

  Json value(unsigned depth) {
    switch (draw() % (depth == 0 ? 6 : 8)) {
      case 0: return nullptr;
      case 1: return draw() % 2 == 0;
      case 2: return integer();
      case 3: return draw();
      case 4: return real();
      case 5: return JsonString(text());
      case 6: return array(depth - 1);
      default: return object(depth - 1);
    }
  }

  // Any bits that are a finite double.
  double real() {
    for (;;) {
      const double value = std::bit_cast<double>(draw());
      if (std::isfinite(value)) return value;
    }
  }

 private:
  std::int64_t integer() {  // of any length; one draw a statement, so that their order is fixed
    const std::uint64_t bits = draw();
    const auto size = static_cast<std::int64_t>(bits >> (1 + draw() % 63));
    return draw() % 2 == 0 ? size : -size;
  }

  std::string text() {
    static constexpr std::string_view kPieces[] = {
        "a",       "\"",          "\\",       "\n",           "/",
        "\x01",    "\x7F",        "\xC3\xA9", "\xE2\x80\xA8", "\xF0\x9F\x8D\xB2",
        "\\u0041", "\xEF\xBB\xBF"};
    std::string out;
    for (std::uint64_t i = draw() % 20; i > 0; --i) out += kPieces[draw() % std::size(kPieces)];
    if (draw() % 8 == 0) out += '\0';
    return out;
  }

  Json array(unsigned depth) {
    JsonArray out;
    for (std::uint64_t i = draw() % 6; i > 0; --i) out.push_back(value(depth));
    return out;
  }

  Json object(unsigned depth) {
    JsonObject out;
    for (std::uint64_t i = draw() % 24; i > 0; --i) out[text()] = value(depth);
    return out;
  }

  std::uint64_t draw() { return random_.next_u64(); }

  SeededRandom random_;
};

TEST(JsonWriter, R6_a_double_looks_like_one) {
  const std::pair<double, std::string_view> cases[] = {
      {2.0, "2.0"},
      {-0.0, "-0.0"},
      {0.0, "0.0"},
      {0.1, "0.1"},
      {1e22, "1e+22"},
      {9007199254740994.0, "9007199254740994.0"},
      {12345678901234567890.0, "1.2345678901234567e+19"},
      {-12345678901234567890.0, "-1.2345678901234567e+19"},
      {-1.5e-7, "-1.5e-07"},
      {1.0 / 3, "0.3333333333333333"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
      {std::numeric_limits<double>::denorm_min(), "5e-324"},
  };
  for (const auto& [value, text] : cases) EXPECT_EQ(write_json(value), text);
}

TEST(JsonWriter, R6_whole_doubles_and_quarters_are_as_short_as_any) {
  for (int quarters = -400'016; quarters <= 400'016; quarters += 3) {
    const double value = quarters / 4.0;
    char room[32];
    const std::to_chars_result end = std::to_chars(room, room + sizeof room, value);
    std::string expected(room, end.ptr);
    if (expected.find_first_of(".e") == std::string::npos) expected += ".0";
    ASSERT_EQ(write_json(Json(value)), expected);
  }
  EXPECT_EQ(write_json(Json(-0.0)), "-0.0");
}

TEST(JsonWriter, R6_integers_keep_all_their_digits) {
  EXPECT_EQ(write_json(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(write_json(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(write_json(0), "0");
}

TEST(JsonWriter, R6_strings_have_the_fewest_escapes) {
  std::string out = "x";
  append_json_string(out, std::string_view("\"\\/\b\f\n\r\t\0\x1F\x7F\xC3\xA9\xE2\x80\xA8", 16));
  EXPECT_EQ(out, "x\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7F\xC3\xA9\xE2\x80\xA8\"");
}

TEST(JsonWriter, R6_members_keep_the_order_they_were_added_in) {
  JsonObject object;
  for (const char* name : {"z", "a", "m", "b"}) object[name] = nullptr;
  object["a"] = 1;
  EXPECT_EQ(write_json(object), R"({"z":null,"a":1,"m":null,"b":null})");
}

TEST(JsonWriter, R6_text_is_appended_member_by_member) {
  const JsonObject inner{{"{", "{"}, {"b", JsonArray{1, 2.0}}};
  std::string out = "x{";
  append_json_name(out, "a");
  append_json(out, inner);
  append_json_name(out, "c\n");
  append_json(out, Json("d{"));
  append_json_name(out, "e");
  append_json(out, JsonArray{});
  EXPECT_EQ(out, R"(x{"a":{"{":"{","b":[1,2.0]},"c\n":"d{","e":[])");
}

TEST(JsonWriter, R6_pretty_has_the_same_scalars_over_lines) {
  const Json value = *parse(R"({"a":[1,2.0,{"b":"c"}],"d":[],"e":{}})");
  EXPECT_EQ(write_json_pretty(value),
            "{\n  \"a\": [\n    1,\n    2.0,\n    {\n      \"b\": \"c\"\n    }\n  ],\n"
            "  \"d\": [],\n  \"e\": {}\n}\n");
  EXPECT_EQ(write_json_pretty(1.0), "1.0\n");
}

TEST(JsonWriter, R6_what_was_written_reads_back_the_same) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(testing::Message() << "ALFRED_TEST_SEED=" << seed);
  AnyJson any(seed);
  for (std::size_t i = 0; i < test_size({100, 1'000, 20'000}); ++i) {
    const Json value = any.value(3);
    const std::string text = write_json(value);
    ASSERT_TRUE(is_utf8(text));
    const Result<Json> again = parse(text);
    ASSERT_TRUE(again) << again.error().message << ' ' << again.error().path << ' ' << text;
    ASSERT_TRUE(*again == value) << text;
    ASSERT_EQ(write_json(*again), text);
    const Result<Json> pretty = parse(write_json_pretty(value));
    ASSERT_TRUE(pretty) << text;
    ASSERT_EQ(write_json(*pretty), text);
  }
}

TEST(JsonWriter, R1_R6_random_doubles_come_back_with_all_their_bits) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(testing::Message() << "ALFRED_TEST_SEED=" << seed);
  AnyJson any(seed);
  SeededRandom decimals(seed);
  for (std::size_t i = 0; i < test_size({2'000, 20'000, 1'000'000}); ++i) {
    const double fraction = static_cast<double>(decimals.next_u64() >> 11U) * 0x1p-53;
    for (const double value : {any.real(), fraction}) {
      const Result<Json> again = parse(write_json(value));
      ASSERT_TRUE(again && again->is_double()) << write_json(value);
      ASSERT_EQ(std::bit_cast<std::uint64_t>(again->get_double()),
                std::bit_cast<std::uint64_t>(value));
    }
  }
}

TEST(JsonWriter, R6_every_byte_is_escaped_or_not_wherever_it_stands) {
  const auto expect_read_back = [](const std::string& text, bool is_plain) {
    std::string written;
    append_json_string(written, text);
    ASSERT_EQ(written == '"' + text + '"', is_plain) << text;
    ASSERT_EQ(parse(written).value(), Json(text)) << text;
    // As a value and as a name, behind what already fills some of the room.
    const Json nested = JsonArray{std::string(text.size() * 11, 'y'), text, JsonObject{{text, 1}}};
    ASSERT_EQ(write_json(nested), "[\"" + std::string(text.size() * 11, 'y') + "\"," + written +
                                      ",{" + written + ":1}]");
  };
  constexpr std::size_t kLongest = 40;  // longer than what is looked at together, with a rest
  expect_read_back("", true);
  for (int byte = 1; byte < 0x80; ++byte)
    for (std::size_t size = 1; size <= kLongest; ++size)
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'x');
        text[at] = static_cast<char>(byte);
        expect_read_back(text, byte >= 0x20 && byte != '"' && byte != '\\');
      }
  for (std::size_t size = 0; size <= kLongest; ++size)
    for (std::size_t at = 0; at <= size; ++at) {  // bytes beyond ASCII beside it
      expect_read_back(std::string(size, 'x').insert(at, "é\x7f€"), true);
      expect_read_back(std::string(size, 'x').insert(at, "é\x7f€") + '"', false);
    }
}

TEST(JsonWriter, R6_json_inside_of_json_reads_back) {
  std::string text;
  for (int level = 0; level < 6; ++level) {
    text += R"({"name":"Cod","steps":["Heat the oven to 200 °C and line a tray."],"no":null})";
    text += std::string(static_cast<std::size_t>(level) * 7, '"') + std::string(300, '\x01');
    std::string written;
    append_json_string(written, text);
    ASSERT_EQ(parse(written).value(), Json(text));
    text = written;
  }
}

TEST(JsonWriter, R6_a_double_that_json_cannot_say_stops_the_program) {
  EXPECT_DEATH(write_json(std::numeric_limits<double>::infinity()), "a double in JSON is finite");
  EXPECT_DEATH(write_json(std::numeric_limits<double>::quiet_NaN()), "a double in JSON is finite");
}

TEST(JsonWriter, R7_F16_locale_does_not_change_output) {
  const std::string text = R"({"a":[1234567,0.5,-1.25e+30,18446744073709551615],"b":1234.5})";
  const std::string faulty = "[" + std::string(12'345, ' ') + "}";
  const auto all_output = [&] {
    const Json value = *parse(text);
    return write_json(value) + write_json_pretty(value) + parse(faulty).error().path +
           parse_json(faulty, {.max_bytes = 1'000}).error().message;
  };
  const std::string before = all_output();
  const OddLocale odd;
  EXPECT_EQ(all_output(), before);
  EXPECT_EQ(write_json(*parse(text)), text);
}

}  // namespace
}  // namespace alfred
