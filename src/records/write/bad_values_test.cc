// Values of each type on their way through a create and a read: what is refused, and what comes
// back the same (robustness.md, C9–C17, C20, C22, C27).
#include <gtest/gtest.h>

#include "records/compile/payload_compiler.h"
#include "records/read/read_rows.h"
#include "records/write/albums_for_tests.h"

namespace alfred {
namespace {

class BadValues : public AlbumsFixture {
 protected:
  // One column of a table, given in JSON.
  struct Column {
    const char* table;
    const char* name;
    const char* rest;  // what else the row needs
  };
  static constexpr Column kSeconds{"tracks", "seconds", R"("title":"t","album_id":"album_1")"};
  static constexpr Column kIsLive{"tracks", "is_live", R"("title":"t","album_id":"album_1")"};
  static constexpr Column kPlayedAt{"takes", "played_at", R"("track_id":"track_1")"};
  static constexpr Column kNotes{"albums", "notes", R"("name":"n")"};
  static constexpr Column kPrice{"albums", "price", R"("name":"n")"};
  static constexpr Column kWorth{"reviews", "worth", R"("body":"b")"};
  static constexpr Column kMood{"albums", "mood", R"("name":"n")"};
  static constexpr Column kMade{"albums", "made", R"("name":"n")"};
  static constexpr Column kTags{"albums", "tags", R"("name":"n")"};
  static constexpr Column kExtra{"albums", "extra", R"("name":"n")"};

  BadValues() {
    answer(create(R"({"table":"albums","data":{"name":"first","tracks":[
        {"title":"first","takes":[{"note":"first"}]}]}})"));
  }
  static std::string call(const Column& column, std::string_view json) {
    return fmt::format(R"({{"table":"{}","data":{{{},"{}":{}}}}})", column.table, column.rest,
                       column.name, json);
  }
  // What a read shows of the column after a create; what is shown is written back, and the row
  // goes.
  std::string kept(const Column& column, std::string_view json) {
    const Result<RecordOutcome> made = create(call(column, json));
    const std::string ref = ref_of(answer(made));
    const std::string shown = read(column, ref);
    answer(update(fmt::format(R"({{"table":"{}","data":{{"_ref":"{}","{}":{}}}}})", column.table,
                              ref, column.name, shown)));
    EXPECT_EQ(read(column, ref), shown) << "what was shown can be written back";
    answer(remove(
        fmt::format(R"({{"table":"{}","filters":[{{"field":"_ref","op":"=","value":"{}"}}]}})",
                    column.table, ref)));
    return shown;
  }
  std::string read(const Column& column, const std::string& ref) {
    const Json params =
        parse_json(fmt::format(R"({{"table":"{}","columns":["{}"],"filters":[{{"field":"_ref",)"
                               R"("op":"=","value":"{}"}}]}})",
                               column.table, column.name, ref),
                   JsonLimits::none())
            .value();
    std::string shown;
    const Result<void> done = store->read(Caller{user}, [&](Tx& tx) -> Result<void> {
      RecordContext now = context();
      const Result<RecordOutcome> outcome = read_rows(tx, now, params);
      if (!outcome) return Unexpected(outcome.error());
      const Json found = parse_json(outcome->answer, JsonLimits::none()).value();
      shown = write_json(found.at("rows").at(0).at(column.name));
      return {};
    });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return shown;
  }
  // What a read shows of the reviews' worth; the cursor of it, empty at the end.
  std::vector<std::string> worths(const std::string& rest, std::string* cursor = nullptr) {
    std::vector<std::string> shown;
    const Json params =
        parse_json(R"({"table":"reviews","columns":["worth"],)" + rest + "}", JsonLimits::none())
            .value();
    const Result<void> done = store->read(Caller{user}, [&](Tx& tx) -> Result<void> {
      RecordContext now = context();
      const Result<RecordOutcome> outcome = read_rows(tx, now, params);
      if (!outcome) return Unexpected(outcome.error());
      const Json found = parse_json(outcome->answer, JsonLimits::none()).value();
      for (const Json& row : found.at("rows").as_array())
        shown.push_back(write_json(row.at("worth")));
      const Json* const next = found.as_object().if_contains("cursor");
      if (cursor != nullptr) *cursor = next == nullptr ? "" : std::string(next->as_string());
      return {};
    });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return shown;
  }
  static std::string ref_of(const std::string& created) {
    const Json made = parse_json(created, JsonLimits::none()).value();
    return std::string(made.at("created").at(0).at("ref").as_string());
  }
  void refused(const Column& column, std::string_view json, ErrorCode code = ErrorCode::value) {
    expect_refused(&create_rows, call(column, json), code);
    EXPECT_EQ(last.path.substr(0, 5 + std::string_view(column.name).size()),
              fmt::format("data.{}", column.name));
    expect_refused(&update_rows,
                   fmt::format(R"({{"table":"{}","data":{{"_ref":"{}_1","{}":{}}}}})", column.table,
                               schema.find(column.table)->ref, column.name, json),
                   code);
  }
};

TEST_P(BadValues, C9_an_integer_takes_whole_numbers_of_64_bits_only) {
  EXPECT_EQ(kept(kSeconds, "2"), "2");
  EXPECT_EQ(kept(kSeconds, "2.0"), "2");
  EXPECT_EQ(kept(kSeconds, "9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(kept({"albums", "year", R"("name":"n")"}, "-9223372036854775808"),
            "-9223372036854775808");
  for (const char* bad :
       {"2.5", R"("2")", "9223372036854775808", "-9.3e18", "1e300", "true", "[2]", "{}", R"("")"})
    refused(kSeconds, bad);
  // What no number of JSON holds is refused where the text is read.
  for (const char* bad : {"-9223372036854775809", "1e400"})
    EXPECT_EQ(parse_json(bad, JsonLimits::none()).error().code, ErrorCode::json) << bad;
}

TEST_P(BadValues, C10_all_bits_of_an_integer_are_kept) {
  EXPECT_EQ(kept(kSeconds, "9007199254740993"), "9007199254740993");
}

TEST_P(BadValues, C10_a_number_column_keeps_all_bits_of_an_integer) {
  for (const char* number : {"9007199254740993", "-9007199254740993", "9223372036854775807",
                             "-9223372036854775808", "1152921504606847232"})
    EXPECT_EQ(kept(kWorth, number), number);
  EXPECT_EQ(kept(kWorth, "1e18"), "1000000000000000000");
  EXPECT_EQ(kept(kWorth, "9007199254740992"), "9007199254740992.0");
  EXPECT_EQ(kept(kWorth, "0.30000000000000004"), "0.30000000000000004");
  EXPECT_EQ(kept(kWorth, "1e25"), write_json(Json(1e25)));
  EXPECT_EQ(kept(kWorth, "10000000000000000000"), write_json(Json(1e19)));
}

TEST_P(BadValues, C10_a_number_that_its_column_would_round_is_refused) {
  answer(create(call(kWorth, "1")));
  refused(kWorth, "18446744073709551615");
  refused(kPrice, "9007199254740993");
  EXPECT_EQ(last.message,
            "price cannot keep all digits of `9007199254740993`. Give it with 15 digits at most.");
  EXPECT_EQ(kept(kPrice, "9007199254740994"), "9007199254740994.0");
}

TEST_P(BadValues, C10_a_filter_tells_neighbours_apart) {
  for (const char* worth :
       {"9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994"})
    answer(create(call(kWorth, worth)));
  EXPECT_EQ(worths(R"("filters":[{"field":"worth","op":"=","value":9007199254740993}])"),
            std::vector<std::string>{"9007199254740993"});
  EXPECT_EQ(worths(R"("filters":[{"field":"worth","op":"=","value":9007199254740992}])"),
            std::vector<std::string>{"9007199254740992.0"});
  EXPECT_EQ(worths(R"("filters":[{"field":"worth","op":">","value":9007199254740992}])").size(),
            2U);
  EXPECT_EQ(
      worths(R"("filters":[{"field":"worth","op":"in","value":[9007199254740993,1]}])").size(), 1U);
}

TEST_P(BadValues, C10_pages_by_such_a_column_show_every_row_once) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < 12; ++i) {
    all.push_back(std::to_string(9007199254740993 + i / 2));
    answer(create(call(kWorth, all.back())));
  }
  for (const char* direction : {"asc", "desc"}) {
    std::vector<std::string> found;
    std::string cursor;
    do {
      for (std::string& one :
           worths(fmt::format(R"("order":[{{"field":"worth","direction":"{}"}}],"limit":1{})",
                              direction,
                              cursor.empty() ? "" : fmt::format(R"(,"cursor":"{}")", cursor)),
                  &cursor))
        found.push_back(std::move(one));
      ASSERT_LE(found.size(), all.size());
    } while (!cursor.empty());
    EXPECT_EQ(found, all);
    std::reverse(all.begin(), all.end());
  }
}

// SQLite holds no such number.
TEST_P(BadValues, C10_digits_that_no_double_keeps_are_shown_as_text_and_paged) {
  if (GetParam() == AlbumsPlace::sqlite) return;
  const std::vector<std::string> all{"12345678901234567.12", "12345678901234567.13",
                                     "12345678901234567.2", "12345678901234567890.0123456789"};
  const Table& reviews = *schema.find("reviews");
  for (std::size_t i = 0; i < all.size(); ++i) {
    answer(create(call(kWorth, "1")));
    const Result<std::string> put =
        store->write({std::nullopt, "", Caller{user}}, [&](Tx& tx) -> Result<std::string> {
          Condition one;
          one.kind = Condition::Kind::compare;
          one.field = reviews.find("worth");
          one.values = {Value(1.0)};
          const Result<std::uint64_t> changed =
              tx.update({&reviews, {{reviews.find("worth"), Value(all[i])}}, one});
          return changed ? Result<std::string>("done") : Unexpected(changed.error());
        });
    ASSERT_TRUE(put) << put.error().message << put.error().detail;
  }
  std::vector<std::string> found;
  std::string cursor;
  do {
    for (const std::string& one :
         worths(R"("order":[{"field":"worth","direction":"asc"}],"limit":1)" +
                    (cursor.empty() ? "" : fmt::format(R"(,"cursor":"{}")", cursor)),
                &cursor))
      found.push_back(one.substr(1, one.size() - 2));
    ASSERT_LE(found.size(), all.size());
  } while (!cursor.empty());
  EXPECT_EQ(found, all);
  EXPECT_EQ(worths(R"("filters":[{"field":"worth","op":">","value":12345678901234567}])").size(),
            4U);
  EXPECT_EQ(worths(R"("filters":[{"field":"worth","op":">=","value":12345678901234568}])").size(),
            1U);
  refused(kWorth, R"("12345678901234567.12")");
}

TEST_P(BadValues, C11_numbers_are_doubles_in_their_shortest_form) {
  for (const auto& [sent, shown] :
       {std::pair{"0.30000000000000004", "0.30000000000000004"}, std::pair{"0.1", "0.1"},
        std::pair{"3", "3.0"}, std::pair{"1e-400", "0.0"}, std::pair{"-1e-400", "0.0"},
        std::pair{"1e300", "1e300"}, std::pair{"5e-324", "5e-324"},
        std::pair{"1.7976931348623157e308", "1.7976931348623157e308"},
        std::pair{"123456789012345680", "1.2345678901234568e17"}})
    EXPECT_EQ(kept(kPrice, sent), write_json(parse_json(shown, JsonLimits::none()).value()));
  for (const char* bad : {R"("1.5")", "true", "[]"}) refused(kPrice, bad);
}

TEST_P(BadValues, C12_a_boolean_takes_true_and_false_only) {
  EXPECT_EQ(kept(kIsLive, "true"), "true");
  EXPECT_EQ(kept(kIsLive, "false"), "false");
  for (const char* bad : {R"("true")", "1", "0", R"("yes")", "[]"}) refused(kIsLive, bad);
}

TEST_P(BadValues, C13_an_enum_takes_its_values_and_declared_aliases) {
  EXPECT_EQ(kept(kMood, R"("loud")"), R"("loud")");
  EXPECT_EQ(kept(kMood, R"("quiet")"), R"("calm")");
  for (const char* bad : {R"("Loud")", R"("QUIET")", R"("soft")", R"("")"}) {
    refused(kMood, bad, ErrorCode::enum_value);
    EXPECT_EQ(last.allowed, (std::vector<std::string>{"calm", "loud"}));
  }
}

TEST_P(BadValues, C14_no_text_holds_a_nul) {
  for (const char* bad : {R"("a\u0000b")", R"("\u0000")"}) refused(kNotes, bad);
  refused(kTags, R"(["a\u0000b"])");
  refused(kExtra, R"({"a":["b\u0000"]})");
  refused(kExtra, R"({"a\u0000":1})");
  EXPECT_EQ(kept(kExtra, R"({"a":"\\u0000"})"), R"({"a":"\\u0000"})");
}

TEST_P(BadValues, C15_text_is_kept_byte_for_byte) {
  std::string marks = "e";
  for (int i = 0; i < 1000; ++i) marks += "\xcc\x81";
  for (const std::string& text :
       {std::string("👩‍👩‍👧 👍🏽"), std::string("\u202Eabc\u2066d"), marks,
        std::string("e\xcc\x81"), std::string("\xc3\xa9"), std::string("שלום \u0627\u0644"),
        std::string("\t\n\r\x7f\u2028"), std::string("\U000E0041\uFEFF")}) {
    const std::string json = write_json(Json(text));
    EXPECT_EQ(kept(kNotes, json), json);
    EXPECT_EQ(kept(kTags, "[" + json + "]"), "[" + json + "]");
  }
  // Equality is bytewise: what looks the same is not the same.
  answer(create(call(kNotes, "\"e\xcc\x81\"")));
  std::size_t found = 0;
  for (const char* text : {"\"\xc3\xa9\"", "\"e\xcc\x81\""}) {
    const Result<RecordOutcome> gone = remove(fmt::format(
        R"({{"table":"albums","filters":[{{"field":"id","op":"in","value":["album_{}"]}},)"
        R"({{"field":"notes","op":"=","value":{}}}]}})",
        registry.counter(*registry.find_type("album"), false), text));
    found = gone->effects.size();
    if (text[1] == '\xc3') EXPECT_EQ(found, 0U);
  }
  EXPECT_EQ(found, 1U);
}

TEST_P(BadValues, C16_what_looks_like_code_is_text) {
  for (const char* text : {"'; DROP TABLE albums;--",
                           "$1",
                           "?1",
                           "%s",
                           "{{x}}",
                           "${x}",
                           "\\",
                           "\"",
                           "'",
                           "`id`",
                           "NULL",
                           "null",
                           "undefined",
                           "1;DROP TABLE albums",
                           "' OR 1=1 -- 1",
                           "\\\\x00",
                           "$$x$$",
                           "E'\\n'",
                           "<script>alert(1)</script>",
                           "../../../etc/passwd",
                           "$(touch x)",
                           "--help",
                           "%d%n",
                           "\xef\xbf\xbd",
                           "{\"a\":1}",
                           "[1]",
                           "true",
                           "0x10",
                           "1E2",
                           " lead and trail "}) {
    const std::string json = write_json(Json(text));
    EXPECT_EQ(kept(kNotes, json), json);
    EXPECT_EQ(kept(kExtra, fmt::format(R"({{"a":{}}})", json)), fmt::format(R"({{"a":{}}})", json));
  }
}

TEST_P(BadValues, C17_wildcards_in_stored_text_are_letters) {
  answer(create(call(kNotes, R"("100% _x\\")")));
  const auto matching = [&](std::string_view op, std::string_view value) {
    const Result<RecordOutcome> outcome = update(
        fmt::format(R"({{"table":"albums","filters":[{{"field":"id","op":"=","value":"album_2"}},)"
                    R"({{"field":"notes","op":"{}","value":"{}"}}],"data":{{"year":1}}}})",
                    op, value));
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome && outcome->effects.size() == 1;
  };
  EXPECT_TRUE(matching("like", R"(100\\% \\_x\\\\)"));
  EXPECT_FALSE(matching("like", R"(100\\%)"));
  EXPECT_TRUE(matching("like", "100%"));
  EXPECT_TRUE(matching("contains", R"(% _)"));
  EXPECT_FALSE(matching("contains", "%x"));
  const auto refused_pattern = [&](const std::string& pattern, ErrorCode code) {
    expect_refused(
        &update_rows,
        fmt::format(R"({{"table":"albums","filters":[{{"field":"id","op":"=","value":"album_2"}},)"
                    R"({{"field":"notes","op":"like","value":"{}"}}],"data":{{"year":1}}}})",
                    pattern),
        code);
  };
  refused_pattern(std::string(51, 'a'), ErrorCode::limit);
  refused_pattern(std::string(10'000, '%'), ErrorCode::limit);
  refused_pattern("______", ErrorCode::limit);
}

TEST_P(BadValues, C20_dates_and_instants_are_strict) {
  EXPECT_EQ(kept(kMade, R"("2024-02-29")"), R"("2024-02-29")");
  EXPECT_EQ(kept(kMade, R"("0001-01-01")"), R"("0001-01-01")");
  EXPECT_EQ(kept(kMade, R"("9999-12-31")"), R"("9999-12-31")");
  EXPECT_EQ(kept(kPlayedAt, R"("2026-02-28T18:05:00+01:00")"), R"("2026-02-28T17:05:00.000Z")");
  EXPECT_EQ(kept(kPlayedAt, R"("2026-02-28T23:59:59.123Z")"), R"("2026-02-28T23:59:59.123Z")");
  for (const char* bad :
       {R"("2026-02-30")", R"("2025-02-29")", R"("0000-01-01")", R"("10000-01-01")",
        R"("tomorrow")", R"("2026-02-28T17:05:00Z")", R"("24:00")", "20260228", R"("2026-2-8")"})
    refused(kMade, bad);
  for (const char* bad :
       {R"("2026-02-28T24:00:00Z")", R"("2026-02-28T23:59:60Z")", R"("2026-02-28T10:00:00+14:30")",
        R"("2026-02-28T10:00:00")", R"("2026-02-28")", R"("in an hour")", R"("23:59:60")", "0"})
    refused(kPlayedAt, bad);
}

TEST_P(BadValues, C22_json_has_limits_and_members_by_name) {
  EXPECT_EQ(kept(kExtra, R"({"b":1,"a":{"d":[{"f":1,"e":2.0}],"c":null}})"),
            R"({"a":{"c":null,"d":[{"e":2.0,"f":1}]},"b":1})");
  for (const char* scalar : {"7", R"("text")", "true", "1.5", "[]", "{}"})
    EXPECT_EQ(kept(kExtra, scalar), scalar);
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(kept(kExtra, nested(64)), nested(64));
  refused(kExtra, nested(65), ErrorCode::limit);
  refused(kExtra, "\"" + std::string(300 * 1024, 'z') + "\"", ErrorCode::limit);
  const std::string most = "\"" + std::string(limits.json_bytes - 2, 'z') + "\"";
  limits.read_bytes = 2 * limits.json_bytes;
  EXPECT_EQ(kept(kExtra, most), most);
}

TEST_P(BadValues, C27_what_no_column_takes_is_listed_and_the_rest_is_stored) {
  LinkedRules tracks;
  tracks.members = {"tracks"};
  tracks.table = "tracks";
  tracks.column = "album_id";
  CompileRules rules;
  rules.linked = {tracks};
  const Json artifact =
      parse_json(
          R"({"name":"Blue","year":1971,"colour":"red","tracks":[{"title":"a","loudness":11}]})",
          JsonLimits::none())
          .value();
  const std::string gen = generate("album", "albums", "Blue");
  const ArtifactContent artifacts[] = {{gen, &artifact.as_object()}};
  const Result<CompiledPayload> payload = compile_payload(schema, rules, "albums", artifacts);
  ASSERT_TRUE(payload) << payload.error().message;
  std::vector<std::string> left;
  for (const Discrepancy& one : payload->discrepancies) left.push_back(one.path);
  EXPECT_EQ(left, (std::vector<std::string>{"colour", "tracks[0].loudness"}));
  JsonObject data = payload->records[0].values;
  data["ref"] = payload->records[0].ref;
  const Result<RecordOutcome> made =
      create(write_json(JsonObject{{"table", "albums"}, {"data", data}}));
  EXPECT_EQ(ref_of(answer(made)), "album_2");
  EXPECT_EQ(made->effects.size(), 2U);
  EXPECT_EQ(read({"albums", "year", ""}, "album_2"), "1971");
  EXPECT_EQ(read({"tracks", "title", ""}, "track_2"), "\"a\"");
}

INSTANTIATE_TEST_SUITE_P(Stores, BadValues,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
