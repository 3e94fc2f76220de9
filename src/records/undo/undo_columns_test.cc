// What a database makes by itself in a row that comes back: the order of a tree, identities and
// computed columns (undo_rows.h).
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

class UndoColumns : public OwnTables {
 protected:
  void expect_comes_back(std::string_view table, std::string_view ref, std::size_t count) {
    const std::string before = all();
    const auto done = remove(by_ref(table, ref));
    answer(done);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->effects.size(), count);
    answer(undo(*done));
    EXPECT_EQ(all(), before);
  }
};

TEST_P(UndoColumns, R1_a_tree_comes_back_from_its_root) {
  open(R"(CREATE TABLE nodes (id integer PRIMARY KEY, name text,
            parent_id integer REFERENCES nodes (id) ON DELETE CASCADE);)");
  answer(create(R"({"table":"nodes","data":{"name":"root"}})"));
  answer(create(R"({"table":"nodes","data":[{"name":"a","parent_id":"node_1"},)"
                R"({"name":"b","parent_id":"node_1"}]})"));
  answer(create(R"({"table":"nodes","data":[{"name":"aa","parent_id":"node_2"}]})"));
  expect_comes_back("nodes", "node_1", 4);
}

TEST_P(UndoColumns, R1_rows_that_are_named_together_come_back_whichever_is_named_first) {
  open(R"(CREATE TABLE nodes (id integer PRIMARY KEY, name text,
            parent_id integer REFERENCES nodes (id));)");
  answer(create(R"({"table":"nodes","data":{"name":"root"}})"));
  answer(create(R"({"table":"nodes","data":{"name":"a","parent_id":"node_1"}})"));
  const std::string before = all();
  const auto done = remove(
      R"({"table":"nodes","filters":[{"field":"id","op":"in","value":["node_1","node_2"]}]})");
  answer(done);
  answer(undo(*done));
  EXPECT_EQ(all(), before);
}

TEST_P(UndoColumns, R4_a_computed_column_is_computed_again) {
  open(R"(CREATE TABLE things (id integer PRIMARY KEY, name text, size integer,
            twice integer GENERATED ALWAYS AS (size * 2) STORED);)");
  answer(create(R"({"table":"things","data":{"name":"one","size":4}})"));
  expect_comes_back("things", "thing_1", 1);
  const auto changed = update(R"({"table":"things","data":{"id":"thing_2","size":5}})");
  answer(changed);
  answer(undo(*changed));
  EXPECT_NE(rows("things")[0].find("twice:8"), std::string::npos) << rows("things")[0];
}

TEST_P(UndoColumns, R6_what_a_trigger_writes_is_told) {
  const std::string table = "CREATE TABLE notes (id integer PRIMARY KEY, size integer, hist text);";
  const std::string trigger =
      GetParam() == AlbumsPlace::sqlite
          ? "CREATE TRIGGER noted AFTER UPDATE OF size ON notes BEGIN UPDATE notes SET hist = "
            "coalesce(hist, '') || old.size || ';' WHERE id = new.id; END;"
          : "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.hist := "
            "coalesce(new.hist, '') || old.size || ';'; RETURN new; END $$; CREATE TRIGGER noted "
            "BEFORE UPDATE OF size ON notes FOR EACH ROW EXECUTE FUNCTION noted();";
  open(table + trigger);
  answer(create(R"({"table":"notes","data":[{"size":1},{"size":2}]})"));
  const auto changed = update(R"({"table":"notes","data":[{"id":"note_1","size":5}]})");
  answer(changed);
  EXPECT_EQ(answer(undo(*changed)),
            R"({"updated":["note_1"],"count":1,"not_as_before":{"note_1":["hist"]}})");
  EXPECT_NE(rows("notes")[0].find("size:1"), std::string::npos) << rows("notes")[0];
}

TEST_P(UndoColumns, R3_a_number_that_only_the_database_gives_comes_back) {
  if (GetParam() != AlbumsPlace::postgres) GTEST_SKIP() << "SQLite has no such columns";
  open("CREATE TABLE other (id integer PRIMARY KEY);");
  PostgresForTests::run_on(url_, R"(CREATE TABLE counted (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);)");
  use(*store);
  answer(create(R"({"table":"counted","data":[{"name":"one"},{"name":"two"}]})"));
  expect_comes_back("counted", "counted_1", 1);
}

// A table that was made anew with keys of another kind: the database takes 1 for '1'.
TEST_P(UndoColumns, a_ref_whose_key_is_a_number_means_no_row_with_a_text) {
  open("CREATE TABLE words (id text PRIMARY KEY, name text);");
  put("words", {{"id", "1"}, {"name", "one"}});
  const TypeNo type = registry.type_named("word", "words").value();
  registry.register_read(type, RecordKey::integer(1).view()).value();
  const std::string before = all();
  EXPECT_EQ(
      answer(remove(by_ref("words", "word_1"))),
      R"({"deleted":[],"count":0,"no_match":true,"not_matched":["word_1"],"gone":["word_1"]})");
  const auto changed = update(R"({"table":"words","data":{"id":"word_1","name":"two"}})");
  EXPECT_TRUE(!changed || changed->effects.empty());
  EXPECT_EQ(all(), before);
}

INSTANTIATE_TEST_SUITE_P(Stores, UndoColumns,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
