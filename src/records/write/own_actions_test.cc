// What the database does by itself when rows go or change (own_actions.h).
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSql = R"(
CREATE TABLE pots (id integer PRIMARY KEY, name text, code text NOT NULL UNIQUE, a text NOT NULL,
  b text NOT NULL, UNIQUE (a, b));
CREATE TABLE lids (id integer PRIMARY KEY, pot_id integer REFERENCES pots (id) ON DELETE CASCADE);
CREATE TABLE marks (pot_id integer REFERENCES pots (id) ON DELETE CASCADE, x text);
CREATE TABLE loose (pot_id integer REFERENCES pots (id) ON DELETE SET NULL, x text);
CREATE TABLE coded (id integer PRIMARY KEY,
  pot_code text REFERENCES pots (code) ON DELETE CASCADE);
CREATE TABLE paired (id integer PRIMARY KEY, a text, b text,
  FOREIGN KEY (a, b) REFERENCES pots (a, b) ON DELETE SET NULL);
CREATE TABLE standard (id integer PRIMARY KEY,
  pot_code text DEFAULT 'c2' REFERENCES pots (code) ON DELETE SET DEFAULT);
CREATE TABLE unknown (id integer PRIMARY KEY,
  lid_id integer REFERENCES lids (id) ON DELETE CASCADE);
)";

class OwnActionsTest : public OwnTables {
 protected:
  void SetUp() override {
    open(kSql);
    answer(create(R"({"table":"pots","data":[{"name":"red","code":"c1","a":"x","b":"y"},)"
                  R"({"name":"blue","code":"c2","a":"x","b":"z"}]})"));
    answer(create(R"({"table":"lids","data":[{"pot_id":"pot_1"},{"pot_id":null}]})"));
  }
  // One row of this table keeps pot_1 where it is, and pot_2 still goes.
  void expect_kept(std::string_view table, std::vector<std::pair<std::string, Value>> values) {
    put(table, values);
    const std::string before = all();
    expect_refused(&delete_rows, by_ref("pots", "pot_1"), ErrorCode::conflict);
    EXPECT_EQ(all(), before);
    EXPECT_NE(last.message.find("1 row of " + std::string(table)), std::string::npos)
        << last.message;
    const auto done = remove(by_ref("pots", "pot_2"));
    answer(done);
    answer(undo(*done));
    EXPECT_EQ(all(), before);
  }
};

TEST_P(OwnActionsTest, I10_what_is_modelled_goes_with_it_and_comes_back) {
  const std::string before = all();
  const auto done = remove(by_ref("pots", "pot_1"));
  EXPECT_EQ(answer(done), R"({"deleted":[{"ref":"pot_1","label":"red"}],"count":1,)"
                          R"("also_deleted":{"lids":{"count":1,"refs":["lid_1"]}}})");
  answer(undo(*done));
  EXPECT_EQ(all(), before);
}

TEST_P(OwnActionsTest, R1_rows_without_a_key_are_not_deleted_unreported) {
  expect_kept("marks", {{"pot_id", std::int64_t{1}}, {"x", "m"}});
}

TEST_P(OwnActionsTest, R1_rows_without_a_key_are_not_changed_unreported) {
  expect_kept("loose", {{"pot_id", std::int64_t{1}}, {"x", "m"}});
}

TEST_P(OwnActionsTest, R1_a_key_to_a_column_that_is_no_key) {
  expect_kept("coded", {{"id", std::int64_t{1}}, {"pot_code", "c1"}});
}

TEST_P(OwnActionsTest, R1_a_key_of_several_columns) {
  expect_kept("paired", {{"id", std::int64_t{1}}, {"a", "x"}, {"b", "y"}});
}

TEST_P(OwnActionsTest, R1_a_default_that_the_database_sets) {
  expect_kept("standard", {{"id", std::int64_t{1}}, {"pot_code", "c1"}});
}

TEST_P(OwnActionsTest, R1_a_table_that_no_schema_has_is_not_named) {
  put("unknown", {{"id", std::int64_t{1}}, {"lid_id", std::int64_t{1}}});
  hide("unknown");
  const std::string before = all();
  expect_refused(&delete_rows, by_ref("lids", "lid_1"), ErrorCode::conflict);
  expect_refused(&delete_rows, by_ref("pots", "pot_1"), ErrorCode::conflict);
  EXPECT_EQ(last.message.find("unknown"), std::string::npos) << last.message;
  EXPECT_EQ(all(), before);
  answer(remove(by_ref("lids", "lid_2")));
}

TEST_P(OwnActionsTest, R1_taking_back_a_create_spares_rows_that_lead_there_since) {
  const auto made =
      create(R"({"table":"pots","data":{"name":"green","code":"c3","a":"q","b":"y"}})");
  put("coded", {{"id", std::int64_t{1}}, {"pot_code", "c3"}});
  const std::string before = all();
  EXPECT_FALSE(undo(*made));
  EXPECT_EQ(all(), before);
}

constexpr const char* kOwned = R"(
CREATE TABLE shops (id integer PRIMARY KEY, user_id text NOT NULL, name text);
CREATE TABLE wares (id integer PRIMARY KEY, user_id text NOT NULL, name text,
  shop_id integer REFERENCES shops (id) ON DELETE CASCADE,
  next_id integer REFERENCES wares (id) ON DELETE CASCADE,
  old_shop_id integer REFERENCES shops (id) ON DELETE SET NULL);
)";

// Bob's rows lead to Ann's: nothing here makes such links, but databases have them.
class OwnedActions : public OwnTables {
 protected:
  void SetUp() override {
    open(kOwned);
    fill();
  }
  void fill() {
    answer(create(R"({"table":"shops","data":[{"name":"a"},{"name":"b"},)"
                  R"({"name":"c"}]})"));
    answer(create(R"({"table":"wares","data":{"name":"own","shop_id":"shop_1"}})"));
    answer(create(R"({"table":"wares","data":[{"name":"of own","next_id":"ware_1"},)"
                  R"({"name":"third"}]})"));
  }
  void expect_refused_in_silence(std::string_view table, std::string_view ref) {
    const std::string before = all();
    expect_refused(&delete_rows, by_ref(table, ref), ErrorCode::conflict);
    EXPECT_EQ(all(), before);
    EXPECT_EQ(last.message.find("ware"), std::string::npos) << last.message;
    EXPECT_EQ(last.message.find_first_of("0123456789"), std::string::npos) << last.message;
    EXPECT_TRUE(last.allowed.empty());
  }
  void expect_others_are_spared() {
    put("wares", {{"id", std::int64_t{11}}, {"shop_id", std::int64_t{2}}}, "bob");
    put("wares", {{"id", std::int64_t{12}}, {"old_shop_id", std::int64_t{3}}}, "bob");
    put("wares", {{"id", std::int64_t{13}}, {"next_id", std::int64_t{3}}}, "bob");
    expect_refused_in_silence("shops", "shop_2");
    expect_refused_in_silence("shops", "shop_3");
    expect_refused_in_silence("wares", "ware_3");
    const std::string before = all();
    const auto done = remove(by_ref("shops", "shop_1"));
    EXPECT_EQ(answer(done), R"({"deleted":[{"ref":"shop_1","label":"a"}],"count":1,)"
                            R"("also_deleted":{"wares":{"count":2,"refs":["ware_1","ware_2"]}}})");
    EXPECT_EQ(rows("wares", "bob").size(), 3U);
    answer(undo(*done));
    EXPECT_EQ(all(), before);
  }
};

TEST_P(OwnedActions, I8_a_delete_neither_takes_nor_changes_another_owners_rows) {
  expect_others_are_spared();
}

// PostgreSQL hides Bob's rows from the login, and its foreign keys reach them all the same.
TEST_P(OwnedActions, R3_also_where_row_level_security_hides_them) {
  if (GetParam() != AlbumsPlace::postgres) GTEST_SKIP() << "SQLite hides nothing";
  PostgresForTests::run_on(url_, R"(
    DO $$ BEGIN CREATE ROLE shopper LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    GRANT ALL ON shops, wares TO shopper;
    ALTER TABLE shops ENABLE ROW LEVEL SECURITY;
    ALTER TABLE wares ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON shops USING (user_id = current_setting('app.tenant', true));
    CREATE POLICY own ON wares USING (user_id = current_setting('app.tenant', true));)");
  const std::string walled = PostgresForTests::as_user(url_, "shopper");
  const std::unique_ptr<RecordStore> limited =
      open_records(parse_database_url(walled).value(), {}).value();
  use(*limited);
  expect_others_are_spared();
}

constexpr const char* kLedTo = R"(
CREATE TABLE pots (id integer PRIMARY KEY, user_id text NOT NULL, name text,
  code text NOT NULL UNIQUE, up_code text REFERENCES pots (code) ON UPDATE CASCADE);
CREATE TABLE coded (id integer PRIMARY KEY, user_id text NOT NULL,
  pot_code text REFERENCES pots (code) ON UPDATE CASCADE);
CREATE TABLE loose (user_id text NOT NULL, pot_code text REFERENCES pots (code) ON UPDATE SET NULL);
CREATE TABLE strict (id integer PRIMARY KEY, user_id text NOT NULL,
  pot_code text REFERENCES pots (code) ON DELETE CASCADE);
)";

class OwnUpdates : public OwnTables {
 protected:
  void SetUp() override {
    open(kLedTo);
    answer(create(R"({"table":"pots","data":[{"name":"red","code":"c1"},)"
                  R"({"name":"blue","code":"c2"}]})"));
  }
  static std::string recode(std::string_view ref, std::string_view code) {
    return R"({"table":"pots","data":{"id":")" + std::string(ref) + R"(","code":")" +
           std::string(code) + R"("}})";
  }
  // The row that leads to c1 keeps its code, and c2 is still changed and changed back.
  void expect_kept() {
    const std::string before = all();
    expect_refused(&update_rows, recode("pot_1", "c9"), ErrorCode::conflict);
    EXPECT_EQ(all(), before);
    const auto done = update(recode("pot_2", "c9"));
    answer(done);
    answer(undo(*done));
    EXPECT_EQ(all(), before);
  }
};

TEST_P(OwnUpdates, R1_rows_that_would_change_too_are_not_changed_unreported) {
  put("coded", {{"id", std::int64_t{1}}, {"pot_code", "c1"}});
  expect_kept();
  EXPECT_EQ(last.message,
            "With another code the database would change 1 row of coded by itself, which could not "
            "be put back. Nothing was done; leave the value as it is, or unlink it first.");
  EXPECT_EQ(last.path, "data.code");
}

TEST_P(OwnUpdates, R1_nor_are_rows_without_a_key) {
  put("loose", {{"pot_code", "c1"}});
  expect_kept();
}

TEST_P(OwnUpdates, R1_nor_rows_of_the_same_table) {
  put("pots", {{"id", std::int64_t{7}}, {"code", "c7"}, {"up_code", "c1"}});
  expect_kept();
}

TEST_P(OwnUpdates, R1_a_table_that_no_schema_has_is_not_named) {
  put("coded", {{"id", std::int64_t{1}}, {"pot_code", "c1"}});
  hide("coded");
  expect_kept();
  EXPECT_EQ(last.message.find("coded"), std::string::npos) << last.message;
}

TEST_P(OwnUpdates, R2_of_another_owners_rows_nothing_is_told) {
  put("coded", {{"id", std::int64_t{1}}, {"pot_code", "c1"}}, "bob");
  expect_kept();
  EXPECT_EQ(last.message.find("coded"), std::string::npos) << last.message;
  EXPECT_EQ(last.message.find_first_of("0123456789"), std::string::npos) << last.message;
}

TEST_P(OwnUpdates, R4_what_stays_as_it_is_and_what_nobody_leads_to_can_be_written) {
  put("coded", {{"id", std::int64_t{1}}, {"pot_code", "c1"}});
  put("strict", {{"id", std::int64_t{1}}, {"pot_code", "c2"}});
  answer(update(R"({"table":"pots","data":{"id":"pot_1","code":"c1","name":"green"}})"));
  EXPECT_NE(all().find("green"), std::string::npos);
  // A foreign key that does nothing by itself refuses by itself.
  expect_refused(&update_rows, recode("pot_2", "c9"), ErrorCode::conflict);
}

TEST_P(OwnUpdates, R1_taking_back_a_change_spares_rows_that_lead_there_since) {
  const auto done = update(recode("pot_1", "c9"));
  answer(done);
  put("coded", {{"id", std::int64_t{1}}, {"pot_code", "c9"}});
  const std::string before = all();
  EXPECT_FALSE(undo(*done));
  EXPECT_EQ(all(), before);
}

TEST_P(OwnUpdates, R3_also_where_row_level_security_hides_them) {
  if (GetParam() != AlbumsPlace::postgres) GTEST_SKIP() << "SQLite hides nothing";
  put("coded", {{"id", std::int64_t{1}}, {"pot_code", "c1"}}, "bob");
  PostgresForTests::run_on(url_, R"(
    DO $$ BEGIN CREATE ROLE potter LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    GRANT ALL ON pots, coded, loose, strict TO potter;
    ALTER TABLE coded ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON coded USING (user_id = current_setting('app.tenant', true));)");
  const std::string walled = PostgresForTests::as_user(url_, "potter");
  const std::unique_ptr<RecordStore> limited =
      open_records(parse_database_url(walled).value(), {}).value();
  use(*limited);
  expect_kept();
}

INSTANTIATE_TEST_SUITE_P(Stores, OwnUpdates,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);
INSTANTIATE_TEST_SUITE_P(Stores, OwnActionsTest,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);
INSTANTIATE_TEST_SUITE_P(Stores, OwnedActions,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
