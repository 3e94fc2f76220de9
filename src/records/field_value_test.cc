#include "records/field_value.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "base/test_size.h"

namespace alfred {
namespace {

const RecordLimits kLimits;

Field field_of(FieldType type) {
  Field field;
  field.name = "thing";
  field.type = type;
  return field;
}

Json json_of(std::string_view text) { return parse_json(text, JsonLimits::none()).value(); }

Result<Value> read(FieldType type, std::string_view json) {
  return read_field_value(field_of(type), json_of(json), "data.thing", kLimits);
}

std::string shown(FieldType type, const Value& value) {
  std::string out;
  append_field_json(field_of(type), value, out);
  return out;
}

void expect_refused(FieldType type, std::string_view json, ErrorCode code = ErrorCode::value) {
  const Result<Value> value = read(type, json);
  ASSERT_FALSE(value) << json;
  EXPECT_EQ(value.error().code, code) << json;
  EXPECT_EQ(value.error().path.substr(0, 10), "data.thing");
  EXPECT_NE(value.error().message.find("thing"), std::string::npos);
  EXPECT_LE(value.error().message.size(), 200U);
}

TEST(FieldValue, C9_an_integer_takes_whole_numbers_of_64_bits_only) {
  EXPECT_EQ(read(FieldType::integer, "2").value(), Value(std::int64_t{2}));
  EXPECT_EQ(read(FieldType::integer, "2.0").value(), Value(std::int64_t{2}));
  EXPECT_EQ(read(FieldType::integer, "-9223372036854775808").value(), Value(INT64_MIN));
  EXPECT_EQ(read(FieldType::integer, "-9.223372036854775808e18").value(), Value(INT64_MIN));
  for (const char* bad : {"2.5", "\"2\"", "9223372036854775808", "9.223372036854775808e18",
                          "-9.3e18", "1e300", "true", "[2]", "{}", "\"\""})
    expect_refused(FieldType::integer, bad);
}

TEST(FieldValue, C10_all_bits_of_an_integer_are_kept) {
  EXPECT_EQ(read(FieldType::integer, "9007199254740993").value(),
            Value(std::int64_t{9007199254740993}));
}

TEST(FieldValue, C10_a_whole_number_beyond_2_to_53_stays_one_in_a_number_column) {
  Field field = field_of(FieldType::number);
  const auto read_one = [&](std::string_view json) {
    return read_field_value(field, json_of(json), "data.thing", kLimits);
  };
  field.database_type = "numeric(30,10)";
  EXPECT_EQ(read_one("9007199254740993").value(), Value(std::int64_t{9007199254740993}));
  EXPECT_EQ(read_one("9007199254740992").value(), Value(9007199254740992.0));
  EXPECT_EQ(read_one("1e18").value(), Value(std::int64_t{1'000'000'000'000'000'000}));
  EXPECT_EQ(read_one("10000000000000000000").value(), Value(1e19));
  EXPECT_FALSE(read_one("18446744073709551615"));
  for (const char* floats : {"real", "double precision", "FLOAT", "float8"}) {
    field.database_type = floats;
    EXPECT_EQ(read_one("9007199254740994").value(), Value(9007199254740994.0)) << floats;
    for (const char* lost : {"9007199254740993", "9223372036854775807", "18446744073709551615"})
      EXPECT_FALSE(read_one(lost)) << floats << " " << lost;
  }
}

TEST(FieldValue, C11_numbers_are_doubles_in_their_shortest_form) {
  EXPECT_EQ(read(FieldType::number, "0.30000000000000004").value(), Value(0.1 + 0.2));
  EXPECT_EQ(shown(FieldType::number, Value(0.1 + 0.2)), "0.30000000000000004");
  EXPECT_EQ(read(FieldType::number, "3").value(), Value(3.0));
  EXPECT_FALSE(std::signbit(std::get<double>(read(FieldType::number, "-1e-400").value())));
  EXPECT_EQ(shown(FieldType::number, Value(std::nan(""))), "\"NaN\"");
  EXPECT_EQ(shown(FieldType::number, Value(-HUGE_VAL)), "\"-Infinity\"");
  for (const char* bad : {"\"1.5\"", "true", "[]"}) expect_refused(FieldType::number, bad);
}

TEST(FieldValue, C12_a_boolean_takes_true_and_false_only) {
  EXPECT_EQ(read(FieldType::boolean, "true").value(), Value(true));
  for (const char* bad : {"\"true\"", "1", "0", "\"yes\"", "[]"})
    expect_refused(FieldType::boolean, bad);
}

TEST(FieldValue, C13_an_enum_takes_its_values_and_declared_aliases) {
  Field field = field_of(FieldType::text);
  field.enum_values = {"easy", "medium", "hard"};
  field.value_aliases = {{"simple", "easy"}};
  const auto read_one = [&](const char* text) {
    return read_field_value(field, Json(text), "data.thing", kLimits);
  };
  EXPECT_EQ(read_one("hard").value(), Value(std::string("hard")));
  EXPECT_EQ(read_one("simple").value(), Value(std::string("easy")));
  for (const char* bad : {"Easy", "hardest", "", "Simple"}) {
    const Result<Value> value = read_one(bad);
    ASSERT_FALSE(value) << bad;
    EXPECT_EQ(value.error().code, ErrorCode::enum_value);
    EXPECT_EQ(value.error().allowed, field.enum_values);
  }
  field.type = FieldType::list;
  EXPECT_EQ(read_field_value(field, json_of(R"(["simple","hard"])"), "t", kLimits).value(),
            Value(std::string(R"(["easy","hard"])")));
  const Result<Value> bad = read_field_value(field, json_of(R"(["hard","soft"])"), "t", kLimits);
  EXPECT_EQ(bad.error().code, ErrorCode::enum_value);
  EXPECT_EQ(bad.error().path, "t[1]");
}

TEST(FieldValue, C14_no_text_holds_a_nul) {
  expect_refused(FieldType::text, R"("a\u0000b")");
  expect_refused(FieldType::list, R"(["a\u0000b"])");
  expect_refused(FieldType::json, R"({"a":["b\u0000"]})");
  expect_refused(FieldType::json, R"({"a\u0000":1})");
  EXPECT_TRUE(read(FieldType::json, R"({"a":"\\u0000"})"));
}

TEST(FieldValue, C15_text_is_kept_byte_for_byte) {
  std::string marks = "e";
  for (int i = 0; i < 1000; ++i) marks += "\xcc\x81";
  for (const std::string& text : {std::string("👩‍👩‍👧"), std::string("\u202Eabc"),
                                  marks, std::string("e\xcc\x81"), std::string("\xc3\xa9"),
                                  std::string("'; DROP TABLE x;-- $1 ?1 %s {{x}} ${x}")}) {
    const Result<Value> value =
        read_field_value(field_of(FieldType::text), Json(text), "t", kLimits);
    EXPECT_EQ(value.value(), Value(text));
    EXPECT_EQ(json_of(shown(FieldType::text, *value)), Json(text));
  }
}

TEST(FieldValue, C20_dates_and_instants_are_strict) {
  EXPECT_EQ(read(FieldType::date, "\"2024-02-29\"").value(), Value(std::string("2024-02-29")));
  EXPECT_EQ(read(FieldType::instant, "\"2026-02-28T18:05:00+01:00\"").value(),
            Value(std::string("2026-02-28T17:05:00.000Z")));
  for (const char* bad : {"\"2026-02-30\"", "\"2025-02-29\"", "\"0000-01-01\"", "\"10000-01-01\"",
                          "\"tomorrow\"", "\"2026-02-28T17:05:00Z\"", "20260228"})
    expect_refused(FieldType::date, bad);
  for (const char* bad :
       {"\"2026-02-28T24:00:00Z\"", "\"2026-02-28T23:59:60Z\"", "\"2026-02-28T10:00:00+14:30\"",
        "\"2026-02-28T10:00:00\"", "\"2026-02-28\"", "\"in an hour\"", "0"})
    expect_refused(FieldType::instant, bad);
}

TEST(FieldValue, C21_a_local_time_with_its_zone_is_an_instant) {
  const auto instant = [](const char* json) {
    return std::get<std::string>(read(FieldType::instant, json).value());
  };
  EXPECT_EQ(instant("\"2026-03-29T02:30[Europe/Berlin]\""), "2026-03-29T01:30:00.000Z");
  EXPECT_EQ(instant("\"2026-10-25T02:30[Europe/Berlin]\""), "2026-10-25T00:30:00.000Z");
  for (const char* bad : {"\"2026-03-29T02:30[Nowhere]\"", "\"2026-03-29T02:30\"",
                          "\"2026-03-29T02:30[Europe/Berlin\""})
    expect_refused(FieldType::instant, bad);
  expect_refused(FieldType::date, "\"2026-03-29T02:30[Europe/Berlin]\"");
}

TEST(FieldValue, C22_json_has_limits_and_members_by_name) {
  EXPECT_EQ(read(FieldType::json, R"({"b":1,"a":{"d":[{"f":1,"e":2.0}],"c":null}})").value(),
            Value(std::string(R"({"a":{"c":null,"d":[{"e":2.0,"f":1}]},"b":1})")));
  EXPECT_EQ(read(FieldType::json, "7").value(), Value(std::string("7")));
  EXPECT_EQ(shown(FieldType::json, Value(std::string(R"({"b":1, "a":2})"))), R"({"a":2,"b":1})");
  EXPECT_EQ(shown(FieldType::json, Value(std::string("{broken"))), R"({"stored_text":"{broken"})");
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(read(FieldType::json, nested(kLimits.json_depth)));
  expect_refused(FieldType::json, nested(kLimits.json_depth + 1), ErrorCode::limit);
  EXPECT_TRUE(read(FieldType::json, "\"" + std::string(kLimits.json_bytes - 2, 'a') + "\""));
  expect_refused(FieldType::json, "\"" + std::string(kLimits.json_bytes - 1, 'a') + "\"",
                 ErrorCode::limit);
}

TEST(FieldValue, R4_a_stored_json_text_is_written_back_as_it_was_or_not_at_all) {
  for (const char* exact : {"{\"n\":0.1}", "1e+22", "18446744073709551615", "[1.5,-2]", "\"a\""})
    EXPECT_EQ(shown(FieldType::json, std::string(exact)), exact);
  for (const char* kept :
       {R"({"n":12345678901234567890.5})", R"({"n":0.10000000000000000001})",
        R"({"n":18446744073709551616})", R"({"a":1, "a":2})", "[1e400]", "1e-400", "1.6e-323",
        R"({"stored_text":"x"})", R"({"stored_text":{"a":1}})",
        R"([{"1":"\"2.5","b":1.0000000000000000001}])"}) {
    const std::string written = shown(FieldType::json, std::string(kept));
    EXPECT_TRUE(written.starts_with(R"({"stored_text":")")) << written;
    EXPECT_EQ(read(FieldType::json, written).value(), Value(std::string(kept)));
  }
  for (const Value& other :
       {Value(std::string("not json")), Value(std::string()), Value(std::string("{} {}")),
        Value(std::string("\xff")), Value(Bytes{"abc"}), Value(std::string(70, '['))})
    expect_refused(FieldType::json, shown(FieldType::json, other));
  expect_refused(FieldType::json, R"({"stored_text":1})");
}

TEST(FieldValue, stored_lists_are_shown_in_canonical_form) {
  for (const char* same : {"[]", R"([""])", R"(["a"])", R"(["a","é €"])", R"(["a\\","\u0001"])"})
    EXPECT_EQ(shown(FieldType::list, std::string(same)), same);
  EXPECT_EQ(shown(FieldType::list, std::string(R"([ "a", "\u0062"])")), R"(["a","b"])");
  EXPECT_EQ(shown(FieldType::list, std::string(R"(["a",1])")), R"(["a",1])");
  for (const char* broken : {"[", "]", "", "[\"", "[\"a", "[\"a\"", "[\"a\",", "[\"a\",]", "[,]",
                             "[\"a\"\"b\"]", "[\"a\n\"]", "[\"\xff\"]"})
    EXPECT_EQ(shown(FieldType::list, std::string(broken)).front(), '"') << broken;
}

TEST(FieldValue, R1_texts_and_lists_have_limits_and_types) {
  EXPECT_TRUE(read(FieldType::text, "\"" + std::string(kLimits.text_bytes, 'a') + "\""));
  expect_refused(FieldType::text, "\"" + std::string(kLimits.text_bytes + 1, 'a') + "\"",
                 ErrorCode::limit);
  EXPECT_EQ(read(FieldType::list, "[]").value(), Value(std::string("[]")));
  for (const char* bad : {"\"a\"", "[1]", "[null]", "[[\"a\"]]", "{}"})
    expect_refused(FieldType::list, bad);
  for (const char* bad : {"1", "true", "[]", "{}"}) expect_refused(FieldType::text, bad);
  expect_refused(FieldType::bytes, "\"abc\"", ErrorCode::column_readonly);
  EXPECT_EQ(shown(FieldType::bytes, Value(Bytes{std::string(12, 'x')})), "\"<12 bytes>\"");
}

TEST(FieldValue, R3_an_error_repeats_no_uuid_and_little_text) {
  const std::string uuid = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
  const Result<Value> date = read(FieldType::date, "\"" + uuid + "\"");
  EXPECT_EQ(date.error().message.find("6f9619ff"), std::string::npos);
  const Result<Value> longer = read(FieldType::date, "\"" + std::string(5000, 'z') + "\"");
  EXPECT_LT(longer.error().message.size(), 200U);
}

TEST(FieldValue, E19_bytes_that_are_no_utf8_are_shown_escaped) {
  EXPECT_EQ(shown(FieldType::text, Value(std::string("a\xff\xc3z"))), R"("a\\xff\\xc3z")");
  EXPECT_EQ(shown(FieldType::json, Value(std::string("\xff"))), R"({"stored_text":"\\xff"})");
}

template <class... Args>
Json text_json(fmt::format_string<Args...> format, Args&&... args) {
  return Json(fmt::format(format, std::forward<Args>(args)...));
}

// A value of this type such as a caller may send.
Json any_json(FieldType type, SeededRandom& random) {
  const std::uint64_t bits = random.next_u64();
  switch (type) {
    case FieldType::integer: return static_cast<std::int64_t>(bits);
    case FieldType::number: return std::ldexp(static_cast<double>(bits), int(bits % 200) - 100);
    case FieldType::boolean: return bits % 2 == 0;
    case FieldType::date:
      return text_json("{:04}-{:02}-{:02}", 1 + bits % 9999, 1 + bits / 7 % 12, 1 + bits / 91 % 28);
    case FieldType::instant:
      return text_json("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{}+0{}:30", 2 + bits % 9000,
                       1 + bits / 7 % 12, 1 + bits / 91 % 28, bits % 24, bits % 60, bits / 3 % 60,
                       bits % 1000000, bits % 10);
    case FieldType::uuid: return text_json("{:08X}-0000-4000-8000-{:012x}", bits >> 32, bits >> 20);
    case FieldType::list: return JsonArray{std::to_string(bits), "é\n\"", ""};
    case FieldType::json:
      return JsonObject{{std::to_string(bits), bits % 10}, {"b", JsonArray{nullptr, 0.5, "x"}}};
    default: return text_json("text \\ \" \t {}\u2028👍", bits);
  }
}

TEST(FieldValue, R4_what_is_written_reads_back_the_same) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (std::size_t i = 0; i < test_size({50, 400, 2'000}); ++i) {
    for (const FieldType type :
         {FieldType::text, FieldType::integer, FieldType::number, FieldType::boolean,
          FieldType::date, FieldType::instant, FieldType::json, FieldType::list, FieldType::uuid}) {
      const Json json = any_json(type, random);
      const Result<Value> value = read_field_value(field_of(type), json, "t", kLimits);
      ASSERT_TRUE(value) << write_json(json) << value.error().message;
      const std::string written = shown(type, *value);
      EXPECT_EQ(read(type, written).value(), *value) << written;
      EXPECT_EQ(shown(type, read(type, written).value()), written);
    }
  }
}

}  // namespace
}  // namespace alfred
