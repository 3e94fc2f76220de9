// Columns of PostgreSQL's types time, timetz and interval: filters and orders mean the times, not
// their texts, whether the database decides or our own code does. SQLite has no such types.
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSql = R"(
CREATE TABLE shifts (id integer PRIMARY KEY, name text, duration interval, starts time(3), ends timetz,
  rest interval day to second);
)";

class ClockColumns : public OwnTables {
 protected:
  void SetUp() override { open(kSql); }
  void add(const std::string& column, std::initializer_list<const char*> texts) {
    for (const char* text : texts)
      answer(
          create(R"({"table":"shifts","data":{"name":"s",")" + column + "\":\"" + text + "\"}}"));
  }
  // What rows have in the column, in the order of the answer; the error's message where there is
  // one.
  std::string shown(const std::string& column, const std::string& params) {
    const Result<std::string> said =
        read(R"({"table":"shifts","columns":[")" + column + "\"]," + params + "}");
    if (!said) return said.error().message + " " + said.error().path;
    std::string out;
    const Json answer = parse_json(*said, JsonLimits::none()).value();
    for (const Json& row : answer.at("rows").as_array())
      if (row.at(column).is_string())
        out += (out.empty() ? "" : " | ") + std::string(row.at(column).as_string());
    return out;
  }
  // Asked of the database, and of our own code: it decides where a choice is half its own.
  std::string found(const std::string& column, const std::string& test) {
    const std::string filter = R"({"field":")" + column + "\"," + test + "}";
    const std::string order = R"(,"order":[")" + column + "\"]";
    const std::string pushed = shown(column, R"("filters":[)" + filter + "]" + order);
    const std::string ours =
        shown(column, R"("filters":[{"any":[)" + filter +
                          R"(,{"field":"name","op":"like","value":"none"}]}])" + order);
    EXPECT_EQ(pushed, ours) << test;
    return pushed;
  }
};

TEST_P(ClockColumns, spans_compare_by_how_long_they_are) {
  add("duration", {"100:00:00", "90 minutes", "9:00:00", "1 day", "24:00:00", "-1 day", "1 mon"});
  EXPECT_EQ(found("duration", R"("op":"<","value":"10:00:00")"), "-1 days | 01:30:00 | 09:00:00");
  EXPECT_EQ(found("duration", R"("op":"=","value":"90 minutes")"), "01:30:00");
  EXPECT_EQ(found("duration", R"("op":"=","value":"01:30:00")"), "01:30:00");
  EXPECT_EQ(found("duration", R"("op":">=","value":"P30D")"), "1 mon");
  EXPECT_EQ(found("duration", R"("op":"in","value":["1.5h","30 days"])"), "01:30:00 | 1 mon");
  EXPECT_EQ(found("duration", R"("op":"between","value":["540 min","10 hours"])"), "09:00:00");
  EXPECT_EQ(found("duration", R"("op":"not_in","value":["1 day","01:30:00"])"),
            "-1 days | 09:00:00 | 100:00:00 | 1 mon");
  EXPECT_EQ(found("duration", R"("op":"!=","value":"24 hours")"),
            "-1 days | 01:30:00 | 09:00:00 | 100:00:00 | 1 mon");
}

TEST_P(ClockColumns, times_compare_as_times) {
  add("starts", {"17:05", "9:30", "09:30:00.5", "24:00", "00:00"});
  EXPECT_EQ(found("starts", R"("op":"<","value":"9:31")"), "00:00:00 | 09:30:00 | 09:30:00.5");
  EXPECT_EQ(found("starts", R"("op":"=","value":"9:30")"), "09:30:00");
  EXPECT_EQ(found("starts", R"("op":">","value":"17:05:00")"), "24:00:00");
  add("ends", {"10:00+02", "09:00+00", "08:00+00", "23:00-05"});
  EXPECT_EQ(found("ends", R"("op":"<","value":"09:00Z")"), "10:00:00+02 | 08:00:00+00");
  EXPECT_EQ(found("ends", R"("op":"=","value":"10:00+02:00")"), "10:00:00+02");
  EXPECT_EQ(found("ends", R"("op":">=","value":"09:00Z")"), "09:00:00+00 | 23:00:00-05");
}

TEST_P(ClockColumns, rows_are_ordered_by_time_and_pages_go_on) {
  add("rest", {"100:00:00", "1 day", "9:00:00", "-1 day", "25:00:00"});
  std::string seen;
  std::string cursor;
  for (int page = 0; page < 5; ++page) {
    const Result<std::string> said = read(
        R"({"table":"shifts","columns":["rest"],"order":["rest desc"],"limit":1)" + cursor + "}");
    ASSERT_TRUE(said) << said.error().message;
    const Json answer = parse_json(*said, JsonLimits::none()).value();
    seen += std::string(answer.at("rows").at(0).at("rest").as_string()) + " | ";
    const Json* const next = answer.as_object().if_contains("cursor");
    if (next != nullptr && next->is_string()) cursor = ",\"cursor\":" + write_json(*next);
  }
  EXPECT_EQ(seen, "100:00:00 | 25:00:00 | 1 day | 09:00:00 | -1 days | ");
}

TEST_P(ClockColumns, what_is_no_time_is_told) {
  EXPECT_EQ(shown("duration", R"("filters":[{"field":"duration","op":"<","value":"long"}])"),
            "duration is compared with a span of time such as 01:30:00, 90 minutes or 1 day "
            "02:30:00; this is `long`. filters[0].value");
  EXPECT_EQ(shown("starts", R"("filters":[{"field":"starts","op":"in","value":["9:00","noon"]}])"),
            "starts is compared with a time of day such as 17:05 or 17:05:30; this is `noon`. "
            "filters[0].value[1]");
  EXPECT_EQ(shown("ends", R"("filters":[{"field":"ends","op":"=","value":"17:05"}])"),
            "ends is compared with a time of day with its zone such as 17:05+01:00; this is "
            "`17:05`. filters[0].value");
}

TEST_P(ClockColumns, texts_of_times_are_searched_as_texts) {
  add("duration", {"1 day", "9:00:00"});
  EXPECT_EQ(shown("duration", R"("filters":[{"field":"duration","op":"contains","value":"day"}])"),
            "1 day");
}

INSTANTIATE_TEST_SUITE_P(Stores, ClockColumns, testing::Values(AlbumsPlace::postgres),
                         albums_place);

}  // namespace
}  // namespace alfred
