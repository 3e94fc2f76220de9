// Columns of PostgreSQL's types that are not modelled: read as texts, written as texts, and what
// the database does not take is told by the column's name. SQLite has no such types.
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSql = R"(
CREATE TABLE hosts (id integer PRIMARY KEY, name varchar(5), address inet, flags bit(4),
  many bit varying(8), took interval, mac macaddr, rank smallint, worth numeric(4,1), at time,
  parts integer[], span int4range);
)";

class OddTypes : public OwnTables {
 protected:
  void SetUp() override {
    open(kSql);
    answer(create(R"({"table":"hosts","data":{"name":"a"}})"));
  }
  static std::string set(const std::string& column, const std::string& json) {
    return R"({"table":"hosts","data":{"id":"host_1",")" + column + "\":" + json + "}}";
  }
  std::string shown(const std::string& column, const std::string& json) {
    answer(update(set(column, json)));
    const Result<std::string> said = read(R"({"table":"hosts","columns":[")" + column + R"("]})");
    EXPECT_TRUE(said) << said.error().message;
    const Json value = parse_json(*said, JsonLimits::none()).value().at("rows").at(0).at(column);
    // What is shown is found by it.
    const Result<std::string> found =
        read(R"({"table":"hosts","count":true,"filters":[{"field":")" + column +
             R"(","op":"=","value":)" + write_json(value) + "}]}");
    EXPECT_TRUE(found) << found.error().message;
    if (found) EXPECT_NE(found->find("\"count\":1"), std::string::npos) << *found;
    return write_json(value);
  }
  void refused(const std::string& column, const std::string& json, const std::string& message) {
    expect_refused(&update_rows, set(column, json), ErrorCode::value);
    EXPECT_EQ(last.message, message);
    EXPECT_EQ(last.path, "data." + column);
    expect_refused(&create_rows,
                   R"({"table":"hosts","data":[{"name":"b"},{")" + column + "\":" + json + "}]}",
                   ErrorCode::value);
    EXPECT_EQ(last.path, "data[1]." + column);
  }
};

TEST_P(OddTypes, what_fits_is_kept_shown_and_found) {
  EXPECT_EQ(shown("address", R"("10.0.0.1")"), R"("10.0.0.1")");
  EXPECT_EQ(shown("address", R"("10.0.0.0/8")"), R"("10.0.0.0/8")");
  EXPECT_EQ(shown("flags", R"("1010")"), R"("1010")");
  EXPECT_EQ(shown("many", R"("101010")"), R"("101010")");
  EXPECT_EQ(shown("took", R"("01:30:00")"), R"("01:30:00")");
  EXPECT_EQ(shown("mac", R"("08:00:2b:01:02:03")"), R"("08:00:2b:01:02:03")");
  EXPECT_EQ(shown("at", R"("17:05:00")"), R"("17:05:00")");
  EXPECT_EQ(shown("rank", "32767"), "32767");
  EXPECT_EQ(shown("worth", "999.9"), "999.9");
  EXPECT_EQ(shown("name", R"("größe")"), R"("größe")");
}

TEST_P(OddTypes, what_does_not_fit_is_told_by_its_column) {
  refused("address", R"("nowhere")",
          "address takes what the database calls inet; the text is none.");
  refused("flags", R"("101")", "flags takes what the database calls bit(4); the text is none.");
  refused("flags", R"("12")", "flags takes what the database calls bit(4); the text is none.");
  refused("many", R"("111111111")",
          "many takes what the database calls bit varying(8); the text is none.");
  refused("took", R"("long")", "took takes what the database calls interval; the text is none.");
  refused("rank", "32768", "rank takes whole numbers from -32768 to 32767; the number is beyond.");
  refused("worth", "1000",
          "worth takes numbers with at most 3 digits before the point; this one has more.");
  refused("name", R"("größer")", "name takes at most 5 characters; the text has 6.");
}

TEST_P(OddTypes, what_is_only_read_is_called_so) {
  for (const std::string column : {"parts", "span"}) {
    expect_refused(&update_rows, set(column, "[1]"), ErrorCode::column_readonly);
    EXPECT_EQ(last.message, column + " is of a type that is only read here. Leave it out.");
  }
}

TEST_P(OddTypes, a_view_that_writes_is_not_called_a_bug_of_ours) {
  PostgresForTests::run_on(url_, R"(
      CREATE FUNCTION bump() RETURNS integer LANGUAGE plpgsql AS
        'BEGIN INSERT INTO hosts (id) VALUES (99); RETURN 1; END';
      CREATE VIEW bumps AS SELECT bump() AS b, 1 AS one;)");
  use(*store);
  const Result<std::string> said = read(R"({"table":"bumps"})");
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().code, ErrorCode::table);
  EXPECT_EQ(said.error().message,
            "Reading bumps would write: a function that it calls changes rows. It is not read "
            "here, and nothing was done.");
}

TEST_P(OddTypes, what_could_be_either_is_not_guessed) {
  expect_refused(&update_rows,
                 R"({"table":"hosts","data":{"id":"host_1","address":"x","mac":"y"}})",
                 ErrorCode::value);
  EXPECT_EQ(last.message, "A value does not fit its column in hosts. Look at the columns' types.");
}

INSTANTIATE_TEST_SUITE_P(Stores, OddTypes, testing::Values(AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
