#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

class SqliteCatalogue : public SqliteFixture {
 protected:
  Catalogue catalogue_of(const std::string& sql) const {
    make_foreign(path("theirs.db"), sql);
    const Result<std::unique_ptr<RecordStore>> store = open(path("theirs.db"), {});
    EXPECT_TRUE(store);
    Result<Catalogue> catalogue = (*store)->catalogue();
    EXPECT_TRUE(catalogue) << catalogue.error().message << catalogue.error().detail;
    return catalogue ? std::move(*catalogue) : Catalogue{};
  }
};

TEST_F(SqliteCatalogue, tables_and_views_come_by_name_with_their_columns) {
  const Catalogue found = catalogue_of(
      "CREATE TABLE \"Odd name\" (\"a b\" VARCHAR(40) NOT NULL DEFAULT 'x', b, c integer "
      "GENERATED ALWAYS AS (b + 1) VIRTUAL, state text CHECK (state IN ('new', 'it''s')));"
      "CREATE VIEW lines AS SELECT b FROM \"Odd name\"");
  ASSERT_EQ(found.tables.size(), 2U);
  const CatalogueTable& table = found.tables[0];
  EXPECT_EQ(table.name, "Odd name");
  EXPECT_FALSE(table.is_view);
  EXPECT_TRUE(table.primary_key.empty());
  ASSERT_EQ(table.columns.size(), 4U);
  EXPECT_EQ(table.columns[0], (CatalogueColumn{.name = "a b",
                                               .declared_type = "VARCHAR(40)",
                                               .is_nullable = false,
                                               .has_default = true,
                                               .enum_values = {}}));
  EXPECT_EQ(table.columns[1].declared_type, "");
  EXPECT_TRUE(table.columns[1].is_nullable);
  EXPECT_TRUE(table.columns[2].is_computed);
  EXPECT_EQ(table.columns[3].enum_values, (std::vector<std::string>{"new", "it's"}));
  EXPECT_TRUE(found.tables[1].is_view);
  EXPECT_EQ(found.tables[1].columns[0].name, "b");
}

TEST_F(SqliteCatalogue, columns_of_views_say_where_they_come_from) {
  const Catalogue found = catalogue_of(
      "CREATE TABLE people (id integer PRIMARY KEY, name text);"
      "CREATE VIEW seen (who, loud) AS SELECT id, upper(name) FROM people;"
      "CREATE VIEW through AS SELECT x.who AS again FROM (SELECT who FROM seen) x");
  ASSERT_EQ(found.tables.size(), 3U);
  EXPECT_EQ(found.tables[1].columns[0].origin_table, "people");
  EXPECT_EQ(found.tables[1].columns[0].origin_column, "id");
  EXPECT_EQ(found.tables[1].columns[1].origin_table, "");
  EXPECT_EQ(found.tables[2].columns[0].origin_column, "id");
  EXPECT_EQ(found.tables[0].columns[0].origin_table, "");
}

TEST_F(SqliteCatalogue, keys_keep_their_order_and_the_row_number_has_a_default) {
  const Catalogue found = catalogue_of(
      "CREATE TABLE a (x text, y integer, PRIMARY KEY (y, x)) WITHOUT ROWID;"
      "CREATE TABLE b (id INTEGER PRIMARY KEY, n text UNIQUE, m text, UNIQUE (m, n));"
      "CREATE UNIQUE INDEX part ON b (m) WHERE n IS NULL;"
      "CREATE UNIQUE INDEX made ON b (lower(m));"
      "CREATE TABLE c (id text PRIMARY KEY)");
  EXPECT_EQ(found.tables[0].primary_key, (std::vector<std::string>{"y", "x"}));
  EXPECT_FALSE(found.tables[0].columns[1].has_default);
  EXPECT_EQ(found.tables[1].primary_key, std::vector<std::string>{"id"});
  EXPECT_TRUE(found.tables[1].columns[0].has_default);
  EXPECT_FALSE(found.tables[1].columns[0].is_nullable);
  EXPECT_EQ(found.tables[1].uniques, (std::vector<std::vector<std::string>>{{"m", "n"}, {"n"}}));
  EXPECT_FALSE(found.tables[2].columns[0].has_default);
}

TEST_F(SqliteCatalogue, links_name_the_table_as_it_is_spelled_and_the_key_when_left_out) {
  const Catalogue found = catalogue_of(
      "CREATE TABLE Parent (id integer PRIMARY KEY, a, b, UNIQUE (a, b));"
      "CREATE TABLE child (id integer PRIMARY KEY, p REFERENCES parent ON DELETE CASCADE, a, b, "
      "self REFERENCES child (id) ON DELETE SET NULL, gone REFERENCES nowhere (id), "
      "FOREIGN KEY (a, b) REFERENCES PARENT (a, b))");
  const std::vector<CatalogueLink> expected{{{"p"}, "Parent", {"id"}, OnDelete::cascade},
                                            {{"self"}, "child", {"id"}, OnDelete::set_null},
                                            {{"a", "b"}, "Parent", {"a", "b"}, OnDelete::refuse}};
  EXPECT_EQ(found.tables[1].links, expected);
}

TEST_F(SqliteCatalogue, ours_and_sqlite_s_own_and_virtual_tables_are_left_out) {
  const Catalogue found = catalogue_of(
      "CREATE TABLE a (id integer PRIMARY KEY AUTOINCREMENT);"
      "CREATE TABLE alfred_ops (op text); CREATE TABLE alfredo (x);"
      "CREATE VIRTUAL TABLE words USING fts5(body)");
  ASSERT_EQ(found.tables.size(), 2U);
  EXPECT_EQ(found.tables[0].name, "a");
  EXPECT_EQ(found.tables[1].name, "alfredo");
}

TEST_F(SqliteCatalogue, a_text_key_may_hold_uuids) {
  const Catalogue found = catalogue_of(
      "CREATE TABLE a (id text PRIMARY KEY, x text); CREATE TABLE b (id text PRIMARY KEY);"
      "CREATE TABLE c (id text PRIMARY KEY); CREATE TABLE d (id text, of text, PRIMARY KEY (id, of));"
      "INSERT INTO a VALUES ('7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c377',"
      "'7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c378');"
      "INSERT INTO b VALUES ('7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c377'), ('west');"
      "INSERT INTO d VALUES ('7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c377', 'x')");
  EXPECT_TRUE(found.tables[0].columns[0].holds_uuids);
  EXPECT_FALSE(found.tables[0].columns[1].holds_uuids);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_FALSE(found.tables[i].columns[0].holds_uuids) << i;
}

TEST_F(SqliteCatalogue, rows_without_a_key_have_a_number) {
  const Catalogue found = catalogue_of(
      "CREATE TABLE a (x); CREATE TABLE b (RowId, x); CREATE TABLE c (rowid, _rowid_, oid);"
      "CREATE TABLE d (x PRIMARY KEY); CREATE VIEW e AS SELECT x FROM a");
  EXPECT_EQ(found.tables[0].row_number, "rowid");
  EXPECT_EQ(found.tables[1].row_number, "_rowid_");
  for (std::size_t i = 2; i < 5; ++i) EXPECT_EQ(found.tables[i].row_number, "") << i;
}

TEST_F(SqliteCatalogue, a_check_of_another_form_gives_no_list) {
  const Catalogue found = catalogue_of(
      "CREATE TABLE a (x text CHECK (x IN ('a') OR x = 'b'), y integer CHECK (y IN (1, 2)), "
      "z text /* CHECK (z IN ('c')) */ DEFAULT 'CHECK (z IN (''d''))')");
  for (const CatalogueColumn& column : found.tables[0].columns)
    EXPECT_TRUE(column.enum_values.empty()) << column.name;
}

}  // namespace
}  // namespace alfred
