#include "storage/postgres/pg_catalogue.h"

#include "storage/postgres/portable_sql.h"
#include "storage/postgres/postgres_store_for_tests.h"
#include "storage/postgres/sql_tokens.h"

namespace alfred {
namespace {

class PostgresCatalogue : public PostgresStoreForTests {
 protected:
  const CatalogueTable& table(const std::string& name) {
    for (const CatalogueTable& one : catalogue_.tables)
      if (one.name == name) return one;
    throw std::runtime_error("no table " + name);
  }
  const CatalogueColumn& column(const std::string& of, const std::string& name) {
    for (const CatalogueColumn& one : table(of).columns)
      if (one.name == name) return one;
    throw std::runtime_error("no column " + name);
  }
  void read(const std::string& ddl) {
    PostgresForTests::run_on(url_, ddl);
    catalogue_ = open(url_, foreign())->catalogue().value();
  }
  Catalogue catalogue_;
};

TEST_F(PostgresCatalogue, R1_schemas_and_views_are_named_and_ours_are_not) {
  open(url_);
  read(
      R"(CREATE SCHEMA shop; CREATE TABLE shop.items (id bigint); CREATE VIEW cheap AS SELECT * FROM shop.items;
          CREATE EXTENSION pg_trgm; CREATE MATERIALIZED VIEW kept AS SELECT 1 AS one;
          CREATE TABLE part (id bigint) PARTITION BY RANGE (id);
          CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (9);)");
  std::vector<std::string> names;
  for (const CatalogueTable& one : catalogue_.tables) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"books", "cheap", "kept", "notes", "part", "shelves",
                                             "shop.items"}));
  EXPECT_TRUE(table("cheap").is_view);
  EXPECT_TRUE(table("kept").is_view);
  EXPECT_FALSE(table("shop.items").is_view);
}

TEST_F(PostgresCatalogue, columns_of_views_say_where_they_come_from) {
  read(R"(CREATE TABLE people (id bigint PRIMARY KEY, "full name" text);
          CREATE VIEW seen AS SELECT p.id AS who, p."full name", upper(p."full name") AS loud,
            (SELECT max(id) FROM people) AS most FROM people p;
          CREATE MATERIALIZED VIEW kept AS SELECT x.who FROM (SELECT who FROM seen) x;)");
  EXPECT_EQ(column("seen", "who").origin_table, "people");
  EXPECT_EQ(column("seen", "who").origin_column, "id");
  EXPECT_EQ(column("seen", "full name").origin_column, "full name");
  EXPECT_EQ(column("seen", "loud").origin_table, "");
  EXPECT_EQ(column("seen", "most").origin_table, "");
  EXPECT_EQ(column("kept", "who").origin_table, "seen");
  EXPECT_NE(table("seen").view_sql.find("upper"), std::string::npos);
  EXPECT_EQ(column("people", "id").origin_table, "");
}

TEST_F(PostgresCatalogue, columns_say_what_they_are) {
  read(R"(CREATE TYPE mood AS ENUM ('sad', 'it''s ok'); CREATE DOMAIN mail AS varchar(40) NOT NULL;
          CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n serial, a varchar(40) NOT NULL,
            m mood DEFAULT 'sad', e mail, tags text[], at timestamptz DEFAULT now(), u uuid, j jsonb,
            twice int GENERATED ALWAYS AS (n * 2) STORED, price numeric(10,2),
            state text CHECK (state IN ('open', 'done')), size varchar(9) CHECK (size IN ('S', 'L')),
            odd text CHECK (odd IN ('a', 'b') OR odd = n::text)))");
  EXPECT_EQ(column("t", "a").declared_type, "character varying(40)");
  EXPECT_FALSE(column("t", "a").is_nullable);
  EXPECT_TRUE(column("t", "id").has_default);
  EXPECT_TRUE(column("t", "n").has_default);
  EXPECT_EQ(column("t", "m").enum_values, (std::vector<std::string>{"sad", "it's ok"}));
  EXPECT_EQ(column("t", "e").declared_type, "character varying(40)");
  EXPECT_FALSE(column("t", "e").is_nullable);
  EXPECT_EQ(column("t", "tags").declared_type, "text[]");
  EXPECT_TRUE(column("t", "twice").is_computed);
  EXPECT_FALSE(column("t", "twice").has_default);
  EXPECT_EQ(column("t", "state").enum_values, (std::vector<std::string>{"open", "done"}));
  EXPECT_EQ(column("t", "size").enum_values, (std::vector<std::string>{"S", "L"}));
  EXPECT_TRUE(column("t", "odd").enum_values.empty());
  EXPECT_EQ(column("t", "price").declared_type, "numeric(10,2)");
}

TEST_F(PostgresCatalogue, keys_and_links_keep_their_order) {
  read(R"(CREATE TABLE p (b int, a int, c int UNIQUE, PRIMARY KEY (b, a));
          CREATE UNIQUE INDEX ON p (a, c); CREATE UNIQUE INDEX ON p (a) WHERE c > 1;
          CREATE UNIQUE INDEX ON p (lower(a::text));
          CREATE TABLE k (x int, y int, z int REFERENCES p (c) ON DELETE SET NULL,
            self int, id int PRIMARY KEY, FOREIGN KEY (y, x) REFERENCES p ON DELETE CASCADE,
            FOREIGN KEY (self) REFERENCES k);)");
  EXPECT_EQ(table("p").primary_key, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(table("p").uniques, (std::vector<std::vector<std::string>>{{"a", "c"}, {"c"}}));
  const std::vector<CatalogueLink> links{{{"self"}, "k", {"id"}, OnDelete::refuse},
                                         {{"y", "x"}, "p", {"b", "a"}, OnDelete::cascade},
                                         {{"z"}, "p", {"c"}, OnDelete::set_null}};
  EXPECT_EQ(table("k").links, links);
}

TEST_F(PostgresCatalogue, a_text_key_may_hold_uuids) {
  read(R"(CREATE TABLE a (id text PRIMARY KEY, x text); CREATE TABLE b (id varchar(40) PRIMARY KEY);
          CREATE TABLE "C d" (id text PRIMARY KEY); CREATE TABLE e (id text PRIMARY KEY);
          INSERT INTO a VALUES ('7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c377', 'x');
          INSERT INTO b VALUES ('7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c377'), ('west');
          INSERT INTO "C d" VALUES ('7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c377');)");
  EXPECT_TRUE(column("a", "id").holds_uuids);
  EXPECT_FALSE(column("a", "x").holds_uuids);
  EXPECT_FALSE(column("b", "id").holds_uuids);
  EXPECT_TRUE(column("C d", "id").holds_uuids);
  EXPECT_FALSE(column("e", "id").holds_uuids);
}

TEST(PortableSql, R1_names_become_numbers_outside_of_texts) {
  const NumberedSql sql = numbered_parameters(
      "SELECT ':a', \":b\", x::text -- :c\n FROM t WHERE p = :one AND q = :two OR r = :one /* :d */");
  EXPECT_EQ(
      sql.text,
      "SELECT ':a', \":b\", x::text -- :c\n FROM t WHERE p = $1 AND q = $2 OR r = $1 /* :d */");
  EXPECT_EQ(sql.names, (std::vector<std::string>{"one", "two"}));
}

TEST(PortableSql, R2_types_are_postgres_s_where_a_table_is_made) {
  EXPECT_EQ(
      postgres_ddl("CREATE TABLE t (id INTEGER PRIMARY KEY, n integer NOT NULL, \"real\" real, "
                   "integer text, b blob, c text DEFAULT 'an integer real')"),
      "CREATE TABLE t (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n bigint NOT NULL, "
      "\"real\" double precision, integer text, b bytea, c text DEFAULT 'an integer real')");
  EXPECT_EQ(postgres_ddl("INSERT INTO t VALUES (x integer); ALTER TABLE t ADD COLUMN x integer;"),
            "INSERT INTO t VALUES (x integer); ALTER TABLE t ADD COLUMN x bigint;");
}

TEST(PortableSql, R2_autoincrement_is_an_identity) {
  EXPECT_EQ(postgres_ddl("CREATE TABLE t (id text PRIMARY KEY) WITHOUT ROWID; CREATE TABLE u"),
            "CREATE TABLE t (id text PRIMARY KEY)  ; CREATE TABLE u");
  EXPECT_EQ(postgres_ddl("create table t (id integer primary key autoincrement)"),
            "create table t (id bigint GENERATED BY DEFAULT AS IDENTITY primary key )");
}

TEST(SqlTokens, joined_together_they_are_the_text) {
  for (const std::string_view sql :
       {"SELECT 'it''s' /* a /* b */ c */ \"x\"\"y\" 1.5e3 $1 E'\\'' ::text :p --end", "'open",
        "/* open", "U&\"d\" date'2026-01-01'", ""}) {
    std::string all;
    for (const SqlToken& token : sql_tokens(sql)) all += token.text;
    EXPECT_EQ(all, sql);
  }
}

}  // namespace
}  // namespace alfred
