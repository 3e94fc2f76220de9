// Filters that cannot be meant, in every call that takes them, and local times on their way through
// a database (robustness.md, C3, C8, C21).
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSql = R"(
CREATE TABLE rooms (id integer PRIMARY KEY, name text);
CREATE TABLE talks (id integer PRIMARY KEY, name text, seats integer, is_open boolean,
  starts_at timestamptz, day date, room_id integer REFERENCES rooms (id));
)";

class BadFilters : public OwnTables {
 protected:
  void SetUp() override {
    open(kSql);
    answer(create(R"({"table":"rooms","data":{"name":"Hall"}})"));
    answer(create(R"({"table":"talks","data":[{"name":"a","seats":3,"room_id":"room_1"},)"
                  R"({"name":"b"}]})"));
  }
  // Refused the same way in a read, an update and a delete; nothing is changed.
  void expect_refused_everywhere(const std::string& filter, ErrorCode code) {
    const std::string filters =
        R"("filters":[{"field":"id","op":"=","value":"talk_1"},)" + filter + R"(])";
    const std::string head = R"({"table":"talks",)" + filters;
    const Result<std::string> said = read(head + "}");
    ASSERT_FALSE(said) << filter << *said;
    EXPECT_EQ(error_name(said.error().code), error_name(code)) << filter << said.error().message;
    expect_refused(&update_rows, head + R"(,"data":{"name":"x"}})", code);
    EXPECT_EQ(last.message, said.error().message);
    EXPECT_EQ(last.path, said.error().path);
    EXPECT_EQ(last.allowed, said.error().allowed);
    expect_refused(&delete_rows, head + "}", code);
    EXPECT_EQ(last.message, said.error().message);
  }
  bool allows(std::string_view word) const {
    return std::find(last.allowed.begin(), last.allowed.end(), word) != last.allowed.end();
  }
  // What a row of this value shows.
  std::string shown(const std::string& column, const std::string& json) {
    answer(update(R"({"table":"talks","data":{"id":"talk_1",")" + column + "\":" + json + "}}"));
    const Result<std::string> said = read(R"({"table":"talks","columns":[")" + column +
                                          R"("],"filters":[{"field":"id","op":"=",)"
                                          R"("value":"talk_1"}]})");
    EXPECT_TRUE(said) << said.error().message;
    if (!said) return {};
    const Json found = parse_json(*said, JsonLimits::none()).value();
    return write_json(found.at("rows").at(0).at(column));
  }
};

TEST_P(BadFilters, C3_operators_that_do_not_exist_or_fit) {
  struct Case {
    const char* field;
    const char* op;
  };
  for (const Case& one :
       {Case{"seats", "=="}, Case{"seats", "contains"}, Case{"seats", "like"}, Case{"is_open", ">"},
        Case{"id", "like"}, Case{"room_id", ">"}, Case{"day", "similar"}, Case{"name", "; DROP"}}) {
    expect_refused_everywhere(
        fmt::format(R"({{"field":"{}","op":"{}","value":1}})", one.field, one.op), ErrorCode::op);
    EXPECT_EQ(last.path, "filters[1].op");
    EXPECT_FALSE(last.allowed.empty()) << one.field;
    EXPECT_FALSE(allows(one.op)) << one.field;
  }
}

TEST_P(BadFilters, C8_null_is_no_value) {
  for (const char* filter :
       {R"({"field":"name","op":"=","value":null})", R"({"field":"room_id","op":"=","value":null})",
        R"({"field":"seats","op":"in","value":[3,null]})",
        R"({"field":"seats","op":"not_in","value":[null]})",
        R"({"field":"starts_at","op":"!=","value":null})"}) {
    expect_refused_everywhere(filter, ErrorCode::value);
    EXPECT_TRUE(allows("is_null")) << filter << last.message;
  }
  const Result<std::string> empty =
      read(R"({"table":"talks","columns":["name"],"filters":[{"field":"seats","op":"is_null"}]})");
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_NE(empty->find(R"("rows":[{"id":"talk_2","name":"b"}])"), std::string::npos) << *empty;
}

TEST_P(BadFilters, C21_a_local_time_in_a_gap_is_the_later_instant_and_in_an_overlap_the_earlier) {
  EXPECT_EQ(shown("starts_at", R"("2026-03-29T02:30[Europe/Berlin]")"),
            R"("2026-03-29T01:30:00.000Z")");
  EXPECT_EQ(shown("starts_at", R"("2026-10-25T02:30[Europe/Berlin]")"),
            R"("2026-10-25T00:30:00.000Z")");
  const Result<std::string> found =
      read(R"({"table":"talks","columns":["name"],"filters":[{"field":"starts_at","op":"=",)"
           R"("value":"2026-10-25T02:30[Europe/Berlin]"}]})");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_NE(found->find(R"("rows":[{"id":"talk_1","name":"a"}])"), std::string::npos) << *found;
  for (const char* bad :
       {"2026-03-29T02:30[Nowhere]", "2026-03-29T02:30", "2026-03-29T02:30[Europe/Berlin"}) {
    expect_refused(
        &update_rows,
        fmt::format(R"({{"table":"talks","data":{{"id":"talk_1","starts_at":"{}"}}}})", bad),
        ErrorCode::value);
  }
  expect_refused(
      &update_rows,
      R"({"table":"talks","data":{"id":"talk_1","day":"2026-03-29T02:30[Europe/Berlin]"}})",
      ErrorCode::value);
}

INSTANTIATE_TEST_SUITE_P(Stores, BadFilters,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
