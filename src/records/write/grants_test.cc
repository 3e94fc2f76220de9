// A login that may read and write some columns of some tables only. SQLite has no logins.
#include <gtest/gtest.h>

#include "records/query/query_rows.h"
#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSql = R"(
CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL, city text, pay integer, note text);
CREATE TABLE codes (code text PRIMARY KEY, name text, secretly integer);
CREATE TABLE visits (id integer PRIMARY KEY, person_id integer REFERENCES people (id), code text
  REFERENCES codes (code), place text);
CREATE TABLE plain (id integer PRIMARY KEY, name text);
CREATE TABLE closed (id integer PRIMARY KEY, name text);
CREATE TABLE owned (id integer PRIMARY KEY, user_id text NOT NULL, name text);
CREATE TABLE notes (id integer PRIMARY KEY, closed_id integer REFERENCES closed (id), plain_id integer REFERENCES plain (id), body text);
CREATE TABLE lines (plain_id integer REFERENCES plain (id), closed_id integer REFERENCES closed (id),
  amount integer, PRIMARY KEY (plain_id, closed_id));
CREATE VIEW open AS SELECT c.id, c.name, n.closed_id, n.body FROM closed c JOIN notes n ON n.closed_id = c.id;
)";

class Grants : public OwnTables {
 protected:
  void SetUp() override {
    open(kSql);
    answer(create(R"({"table":"people","data":{"name":"Ann","city":"Rome","pay":7}})"));
    answer(create(R"({"table":"codes","data":{"code":"k","name":"Key"}})"));
    answer(create(
        R"({"table":"visits","data":{"person_id":"person_1","code":"code_1","place":"x"}})"));
    answer(create(R"({"table":"plain","data":{"name":"p"}})"));
    PostgresForTests::run_on(url_, R"(
      DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      GRANT SELECT (id, name, city, note), INSERT (name, note), UPDATE (city, note) ON people TO guest;
      GRANT SELECT (name), UPDATE (name) ON codes TO guest;
      GRANT SELECT, INSERT, UPDATE ON visits TO guest;
      GRANT SELECT ON plain TO guest;
      GRANT INSERT, UPDATE, DELETE ON closed TO guest;
      GRANT SELECT (id, name) ON owned TO guest;
      GRANT SELECT, INSERT, UPDATE ON notes TO guest;
      GRANT SELECT ON lines, open TO guest;
      INSERT INTO closed VALUES (987654321, 'shut');
      INSERT INTO notes VALUES (1, 987654321, 1, 'told');
      INSERT INTO lines VALUES (1, 987654321, 3);)");
    guest_ = open_records(parse_database_url(PostgresForTests::as_user(url_, "guest")).value(), {})
                 .value();
    use(*guest_);
  }
  ~Grants() override { guest_.reset(); }
  std::string told(const Result<RecordOutcome>& outcome) {
    if (outcome) return outcome->answer;
    return outcome.error().message + " " + outcome.error().path;
  }

  std::unique_ptr<RecordStore> guest_;
};

TEST_P(Grants, only_what_the_login_may_read_is_there) {
  std::string tables;
  for (const Table& table : schema.tables()) {
    tables += table.name + "(";
    for (const Field& field : table.fields) tables += " " + field.name;
    tables += table.is_read_only ? " ) read only\n" : " )\n";
  }
  EXPECT_EQ(tables,
            "codes( name ) read only\n"
            "lines( plain_id closed_id amount ) read only\n"
            "notes( id closed_id plain_id body )\n"
            "open( id name closed_id body ) read only\n"
            "people( id name city note )\n"
            "plain( id name ) read only\n"
            "visits( id person_id code place )\n");
}

TEST_P(Grants, rows_are_read_and_counted) {
  EXPECT_EQ(
      read(R"({"table":"people","count":true})").value(),
      R"({"rows":[{"id":"person_1","name":"Ann","city":"Rome","note":null}],"has_more":false,"count":1})");
  EXPECT_EQ(read(R"({"table":"codes"})").value(), R"({"rows":[{"name":"Key"}],"has_more":false})");
  const Result<std::string> hidden =
      read(R"({"table":"people","filters":[{"field":"pay","op":"=","value":7}]})");
  ASSERT_FALSE(hidden);
  EXPECT_EQ(hidden.error().code, ErrorCode::column);
  EXPECT_EQ(read(R"({"table":"closed"})").error().code, ErrorCode::table);
}

// No ref can stand for them, and no key is shown (D4).
TEST_P(Grants, D4_keys_of_what_the_login_may_not_read_are_hidden) {
  EXPECT_TRUE(schema.find("visits")->find("code")->is_hidden);
  EXPECT_EQ(
      read(R"({"table":"notes"})").value(),
      R"({"rows":[{"id":"note_1","plain_id":"plain_1","body":"told"}],"has_more":false,"labels":{"plain_1":"p"}})");
  EXPECT_EQ(
      read(R"({"table":"lines"})").value(),
      R"({"rows":[{"plain_id":"plain_1","amount":3}],"has_more":false,"labels":{"plain_1":"p"}})");
  EXPECT_EQ(read(R"({"table":"open"})").value(),
            R"({"rows":[{"name":"shut","body":"told"}],"has_more":false})");
  RecordContext now = context();
  EXPECT_EQ(told(query_rows(*store, now, JsonObject{{"sql", "SELECT closed_id FROM notes"}})),
            "The query does not compile: column \"closed_id\" does not exist. Correct it. sql");
  EXPECT_EQ(told(query_rows(*store, now, JsonObject{{"sql", "SELECT max(id) FROM open"}})),
            "The query does not compile: column \"id\" does not exist. Correct it. sql");
  answer(update(R"({"table":"notes","data":{"id":"note_1","body":"new"}})"));
  EXPECT_EQ(PostgresForTests::ask(url_, "SELECT closed_id || body FROM notes"), "987654321new");
}

TEST_P(Grants, a_query_reads_what_the_login_may_read) {
  RecordContext now = context();
  const auto ask = [&](const char* sql) {
    return told(query_rows(*store, now, JsonObject{{"sql", sql}}));
  };
  EXPECT_EQ(ask("SELECT * FROM people"),
            R"({"rows":[{"id":"person_1","name":"Ann","city":"Rome","note":null}]})");
  EXPECT_EQ(ask("SELECT v.place, p.name FROM visits v JOIN people p ON p.id = v.person_id"),
            R"({"rows":[{"place":"x","name":"Ann"}]})");
  EXPECT_EQ(ask("SELECT pay FROM people"),
            "The query does not compile: column \"pay\" does not exist. Correct it. sql");
}

TEST_P(Grants, columns_are_written_as_far_as_they_are_granted) {
  read(R"({"table":"people"})").value();
  answer(update(R"({"table":"people","data":{"id":"person_1","city":"Oslo"}})"));
  answer(create(R"({"table":"people","data":{"name":"Bob","note":"new"}})"));
  EXPECT_EQ(told(update(R"({"table":"people","data":{"id":"person_1","name":"Eve"}})")),
            "name is not written: the database's login has no UPDATE on it. Leave it out. data");
  EXPECT_EQ(told(create(R"({"table":"people","data":{"name":"Eve","city":"Rome"}})")),
            "city is not written: the database's login has no INSERT on it. Leave it out. data");
  EXPECT_EQ(PostgresForTests::ask(url_,
                                  "SELECT string_agg(name || coalesce(city, '-'), ' ' ORDER "
                                  "BY id) FROM people"),
            "AnnOslo Bob-");
}

TEST_P(Grants, a_write_that_is_not_granted_says_what_is_missing) {
  EXPECT_EQ(
      told(create(R"({"table":"plain","data":{"name":"q"}})")),
      "The rows of plain are read, not written: the database's login has no INSERT, UPDATE or "
      "DELETE on it. table");
  read(R"({"table":"visits"})").value();
  EXPECT_EQ(
      told(remove(R"({"table":"visits","filters":[{"field":"id","op":"=","value":"visit_1"}]})")),
      "The login may not write this to visits: that takes DELETE. Nothing was done; whoever "
      "owns the table can GRANT it the right. ");
}

// With their owner's column out of sight nobody can tell whose rows they are.
TEST_P(Grants, I8_a_table_whose_owner_cannot_be_read_is_not_there) {
  EXPECT_EQ(schema.find("owned"), nullptr);
  PostgresForTests::run_on(url_, "GRANT SELECT ON owned TO guest");
  use(*guest_);
  EXPECT_EQ(schema.find("owned")->owner, "user_id");
}

INSTANTIATE_TEST_SUITE_P(Stores, Grants, testing::Values(AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
