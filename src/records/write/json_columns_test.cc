// JSON columns that somebody else filled: what is read and written back unchanged is stored
// unchanged, on both databases, or the call is refused.
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

class JsonColumns : public OwnTables {
 protected:
  void SetUp() override {
    open("CREATE TABLE docs (id integer PRIMARY KEY, name text, body json);");
  }
  std::string stored() {
    const Table& table = *schema.find("docs");
    std::string text;
    const SelectRows plan{.table = &table, .fields = {table.find("body")}};
    const Result<void> read = store->read(Caller{user}, [&](Tx& tx) {
      return tx.scan(plan, [&](const Row& row) -> Result<bool> {
        text += std::get<std::string>(row.at(0));
        return true;
      });
    });
    EXPECT_TRUE(read) << read.error().message << read.error().detail;
    return text;
  }
  Json shown() {
    const Result<std::string> said = OwnTables::read(R"({"table":"docs"})");
    EXPECT_TRUE(said) << said.error().message;
    return parse_json(*said, JsonLimits::none()).value().at("rows").at(0).at("body");
  }
  static std::string change(const Json& body) {
    return R"({"table":"docs","data":{"id":"doc_1","body":)" + write_json(body) + "}}";
  }
};

TEST_P(JsonColumns, R4_what_no_json_value_says_is_written_back_as_it_was) {
  const std::string text =
      R"({"a":1,  "a":2,"n":12345678901234567890.5,"m":18446744073709551616,"f":0.10000000000000000001})";
  put("docs", {{"id", std::int64_t{1}}, {"name", std::string("x")}, {"body", text}});
  const Json body = shown();
  EXPECT_EQ(write_json(body), write_json(JsonObject{{"stored_text", text}}));
  answer(update(change(body)));
  EXPECT_EQ(stored(), text);
  answer(update(change(JsonObject{{"n", 1.2345678901234567e19}})));
  EXPECT_EQ(stored(), R"({"n":1.2345678901234567e+19})");
  EXPECT_EQ(write_json(shown()), R"({"n":1.2345678901234567e+19})");
  expect_refused(&update_rows, change(JsonObject{{"stored_text", "not json"}}), ErrorCode::value);
  EXPECT_EQ(last.message,
            "body takes JSON, and stored_text its text, of at most 64 levels; this is none. Leave "
            "body out to keep what is stored, or give JSON.");
}

TEST_P(JsonColumns, a_text_that_is_no_json_is_kept) {
  if (GetParam() == AlbumsPlace::postgres) GTEST_SKIP() << "PostgreSQL keeps none";
  put("docs",
      {{"id", std::int64_t{1}}, {"name", std::string("x")}, {"body", std::string("not json")}});
  const Json body = shown();
  EXPECT_EQ(write_json(body), R"({"stored_text":"not json"})");
  expect_refused(&update_rows, change(body), ErrorCode::value);
  EXPECT_EQ(stored(), "not json");
}

INSTANTIATE_TEST_SUITE_P(Stores, JsonColumns,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
