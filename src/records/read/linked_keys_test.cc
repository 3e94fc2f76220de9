// Keys that a database compares without regard to case (linked_keys.h).
#include "records/read/linked_keys.h"

#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "records/query/query_rows.h"
#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSqlite = R"(
CREATE TABLE countries (code text PRIMARY KEY COLLATE NOCASE, name text COLLATE NOCASE);
CREATE TABLE cities (id integer PRIMARY KEY, name text,
  country_code text REFERENCES countries (code) ON DELETE CASCADE);
CREATE TABLE visits (country_code text NOT NULL REFERENCES countries (code), year integer NOT NULL,
  note text, PRIMARY KEY (country_code, year));
CREATE TABLE anthems (country_code text PRIMARY KEY NOT NULL REFERENCES countries (code), title text);
CREATE TABLE plain (code text PRIMARY KEY NOT NULL, name text);
CREATE TABLE of_plain (id integer PRIMARY KEY, plain_code text COLLATE NOCASE REFERENCES plain (code));
)";
constexpr const char* kPostgres = R"(
CREATE EXTENSION citext;
CREATE TABLE countries (code citext PRIMARY KEY, name citext);
CREATE TABLE cities (id integer PRIMARY KEY, name text,
  country_code citext REFERENCES countries (code) ON DELETE CASCADE);
CREATE TABLE visits (country_code citext NOT NULL REFERENCES countries (code), year integer NOT NULL,
  note text, PRIMARY KEY (country_code, year));
CREATE TABLE anthems (country_code citext PRIMARY KEY NOT NULL REFERENCES countries (code), title text);
CREATE TABLE plain (code text PRIMARY KEY NOT NULL, name text);
CREATE TABLE of_plain (id integer PRIMARY KEY, plain_code text REFERENCES plain (code));
)";

class LinkedKeysTest : public OwnTables {
 protected:
  void SetUp() override {
    open(GetParam() == AlbumsPlace::sqlite ? kSqlite : kPostgres);
    put("countries", {{"code", "DE"}, {"name", "Germany"}});
    put("countries", {{"code", "fr"}, {"name", "France"}});
    put("cities", {{"id", std::int64_t{1}}, {"name", "Berlin"}, {"country_code", "de"}});
    put("cities", {{"id", std::int64_t{2}}, {"name", "Paris"}, {"country_code", "FR"}});
    put("cities", {{"id", std::int64_t{3}}, {"name", "Bonn"}, {"country_code", "DE"}});
    put("cities", {{"id", std::int64_t{4}}, {"name", "Atlantis"}});
  }
  // The rows' values of some columns.
  std::string rows_of(const std::string& params) {
    const Result<std::string> said = read(params);
    if (!said) return said.error().message;
    return write_json(parse_json(*said, JsonLimits::none()).value().at("rows"));
  }
};

TEST_P(LinkedKeysTest, R1_a_link_is_shown_as_the_row_that_the_database_takes_it_for) {
  const Result<std::string> said = read(R"({"table":"cities","columns":["name","country_code"]})");
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_EQ(*said, R"({"rows":[{"id":"city_1","name":"Berlin","country_code":"country_1"},)"
                   R"({"id":"city_2","name":"Paris","country_code":"country_2"},)"
                   R"({"id":"city_3","name":"Bonn","country_code":"country_1"},)"
                   R"({"id":"city_4","name":"Atlantis","country_code":null}],"has_more":false,)"
                   R"("labels":{"country_1":"Germany","country_2":"France"}})");
  EXPECT_EQ(rows_of(R"({"table":"countries","columns":["name"]})"),
            R"([{"code":"country_1","name":"Germany"},{"code":"country_2","name":"France"}])");
}

TEST_P(LinkedKeysTest, filters_by_a_ref_find_all_that_lead_there) {
  read(R"({"table":"countries"})").value();
  EXPECT_EQ(rows_of(R"({"table":"cities","columns":["name"],"filters":[{"field":"country_code",)"
                    R"("op":"=","value":"country_1"}]})"),
            R"([{"id":"city_1","name":"Berlin"},{"id":"city_2","name":"Bonn"}])");
  // The same where we look for ourselves.
  EXPECT_EQ(rows_of(R"({"table":"cities","columns":["name"],"or_filters":[{"any":[)"
                    R"({"field":"country_code","op":"in","value":["country_2"]},)"
                    R"({"field":"name","op":"like","value":"Bon%"}]}]})"),
            R"([{"id":"city_3","name":"Paris"},{"id":"city_2","name":"Bonn"}])");
  EXPECT_EQ(rows_of(R"({"table":"cities","columns":["name"],"filters":[{"field":"country_code",)"
                    R"("op":"!=","value":"country_1"}]})"),
            R"([{"id":"city_3","name":"Paris"}])");
}

TEST_P(LinkedKeysTest, R1_a_query_shows_a_link_as_the_row_that_it_leads_to) {
  read(R"({"table":"countries"})").value();
  RecordContext now = context();
  const Result<RecordOutcome> found = query_rows(
      *store, now,
      JsonObject{{"sql", "SELECT name, country_code FROM cities WHERE id < 4 ORDER BY id"}});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->answer, R"({"rows":[{"name":"Berlin","country_code":"country_1"},)"
                           R"({"name":"Paris","country_code":"country_2"},)"
                           R"({"name":"Bonn","country_code":"country_1"}]})");
}

TEST_P(LinkedKeysTest, nested_rows_are_those_that_lead_there) {
  EXPECT_EQ(rows_of(R"({"table":"countries","columns":["name"],"include":["cities"]})"),
            R"([{"code":"country_1","name":"Germany","cities":[{"id":"city_1","name":"Berlin"},)"
            R"({"id":"city_2","name":"Bonn"}]},{"code":"country_2","name":"France",)"
            R"("cities":[{"id":"city_3","name":"Paris"}]}])");
}

TEST_P(LinkedKeysTest, a_cursor_makes_no_ref_of_another_spelling) {
  const auto refs = [&] { return registry.size(); };
  read(R"({"table":"countries"})").value();
  read(R"({"table":"cities"})").value();
  const std::size_t before = refs();
  const std::string said =
      read(R"({"table":"cities","columns":["name"],"order":"country_code","limit":2})").value();
  EXPECT_NE(said.find("cursor"), std::string::npos) << said;
  EXPECT_EQ(refs(), before);
}

TEST_P(LinkedKeysTest, a_cursor_goes_on_by_what_is_stored) {
  std::string names;
  std::string cursor;
  for (int page = 0; page < 5; ++page) {
    const Result<std::string> said =
        read(R"({"table":"cities","columns":["name","country_code"],"order":"country_code",)"
             R"("limit":1)" +
             (cursor.empty() ? "" : R"(,"cursor":")" + cursor + "\"") + "}");
    ASSERT_TRUE(said) << said.error().message;
    const Json json = parse_json(*said, JsonLimits::none()).value();
    for (const Json& row : json.at("rows").as_array())
      names += std::string(row.at("name").as_string()) + ",";
    const Json* const next = json.as_object().if_contains("cursor");
    if (next == nullptr) break;
    cursor = next->as_string();
  }
  EXPECT_EQ(names, "Bonn,Paris,Berlin,Atlantis,");
}

TEST_P(LinkedKeysTest,
       I10_a_delete_takes_all_that_lead_there_and_undo_puts_them_back_as_they_were) {
  read(R"({"table":"countries"})").value();
  const std::string before = all();
  const auto done = remove(R"({"table":"countries","filters":[{"field":"code","op":"=",)"
                           R"("value":"country_1"}]})");
  EXPECT_EQ(answer(done), R"({"deleted":[{"ref":"country_1","label":"Germany"}],"count":1,)"
                          R"("also_deleted":{"cities":{"count":2}}})");
  answer(undo(*done));
  EXPECT_EQ(all(), before);
}

TEST_P(LinkedKeysTest,
       R3_a_row_whose_key_holds_such_a_link_is_changed_and_deleted_through_its_ref) {
  put("visits", {{"country_code", "de"}, {"year", std::int64_t{2020}}, {"note", "old"}});
  put("anthems", {{"country_code", "FR"}, {"title", "old"}});
  for (const auto& [table, ref, data] : {std::array{"visits", "visit_1", R"({"note":"new"})"},
                                         std::array{"anthems", "anthem_1", R"({"title":"new"})"}}) {
    read(R"({"table":"countries"})").value();
    EXPECT_NE(read(fmt::format(R"({{"table":"{}"}})", table)).value().find(ref), std::string::npos);
    const std::string named = fmt::format(
        R"("table":"{}","filters":[{{"field":"_ref","op":"in","value":["{}"]}}])", table, ref);
    EXPECT_NE(rows_of("{" + named + "}").find("old"), std::string::npos);
    const std::string changed = answer(update("{" + named + R"(,"data":)" + data + "}"));
    EXPECT_NE(changed.find("\"count\":1"), std::string::npos) << changed;
    EXPECT_NE(rows_of("{" + named + "}").find("new"), std::string::npos);
    const std::string gone = answer(remove("{" + named + "}"));
    EXPECT_NE(gone.find("\"count\":1"), std::string::npos) << gone;
  }
}

TEST_P(LinkedKeysTest, R3_such_a_link_is_shown_as_the_row_that_it_leads_to) {
  put("visits", {{"country_code", "de"}, {"year", std::int64_t{2020}}, {"note", "small"}});
  put("visits", {{"country_code", "DE"}, {"year", std::int64_t{2021}}, {"note", "large"}});
  put("visits", {{"country_code", "Fr"}, {"year", std::int64_t{2021}}, {"note", "mixed"}});
  put("anthems", {{"country_code", "FR"}, {"title", "La Marseillaise"}});
  const Result<std::string> said = read(R"({"table":"visits","order":"note"})");
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_EQ(*said,
            R"({"rows":[{"id":"visit_1","country_code":"country_1","year":2021,"note":"large"},)"
            R"({"id":"visit_2","country_code":"country_2","year":2021,"note":"mixed"},)"
            R"({"id":"visit_3","country_code":"country_1","year":2020,"note":"small"}],)"
            R"("has_more":false,"labels":{"country_1":"Germany","country_2":"France"}})");
  EXPECT_EQ(read(R"({"table":"anthems"})").value(),
            R"({"rows":[{"id":"anthem_1","country_code":"country_2","title":"La Marseillaise"}],)"
            R"("has_more":false,"labels":{"country_2":"France"}})");
  EXPECT_EQ(rows_of(R"({"table":"countries","columns":["name"],"include":["visits"]})"),
            R"([{"code":"country_1","name":"Germany","visits":[)"
            R"({"id":"visit_1","country_code":"country_1","year":2021,"note":"large"},)"
            R"({"id":"visit_3","country_code":"country_1","year":2020,"note":"small"}]},)"
            R"({"code":"country_2","name":"France","visits":[)"
            R"({"id":"visit_2","country_code":"country_2","year":2021,"note":"mixed"}]}])");
  EXPECT_EQ(read(R"({"table":"visits","order":"note"})").value(), *said);
  RecordContext now = context();
  const Result<RecordOutcome> found = query_rows(
      *store, now, JsonObject{{"sql", "SELECT country_code, note FROM visits ORDER BY note"}});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->answer, R"({"rows":[{"country_code":"country_1","note":"large"},)"
                           R"({"country_code":"country_2","note":"mixed"},)"
                           R"({"country_code":"country_1","note":"small"}]})");
  // Each is still the row that it is, by its own spelling.
  answer(update(R"({"table":"visits","data":{"id":"visit_3","note":"changed"}})"));
  EXPECT_NE(rows_of(R"({"table":"visits","columns":["note"],"filters":[{"field":"id","op":"=",)"
                    R"("value":"visit_3"}]})")
                .find("visit_3"),
            std::string::npos);
  EXPECT_NE(all().find(R"(country_code:"de",year:2020,note:"changed")"), std::string::npos);
}

TEST_P(LinkedKeysTest, R1_where_keys_are_compared_by_their_bytes_so_are_links) {
  put("plain", {{"code", "DE"}, {"name", "upper"}});
  put("plain", {{"code", "de"}, {"name", "lower"}});
  put("of_plain", {{"id", std::int64_t{1}}, {"plain_code", "de"}});
  EXPECT_EQ(rows_of(R"({"table":"plain","columns":["name"]})"),
            R"([{"code":"plain_1","name":"upper"},{"code":"plain_2","name":"lower"}])");
  EXPECT_EQ(rows_of(R"({"table":"of_plain"})"), R"([{"id":"of_plain_1","plain_code":"plain_2"}])");
  EXPECT_EQ(rows_of(R"({"table":"of_plain","filters":[{"field":"plain_code","op":"=",)"
                    R"("value":"plain_1"}]})"),
            "[]");
}

INSTANTIATE_TEST_SUITE_P(Stores, LinkedKeysTest,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
