#include "pack/sql/key_use.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

Field field(std::string name, FieldType type, std::string link = "") {
  Field out;
  out.name = std::move(name);
  out.type = type;
  if (!link.empty()) out.link = FieldLink{std::move(link), OnDelete::refuse};
  return out;
}

class KeyUseTest : public ::testing::Test {
 protected:
  KeyUseTest() {
    books.name = "books";
    books.key = {"id"};
    books.fields = {field("id", FieldType::integer), field("title", FieldType::text),
                    field("author_id", FieldType::integer, "authors"),
                    field("sequel_of", FieldType::integer, "books"),
                    field("pages", FieldType::integer)};
    authors.name = "authors";
    authors.key = {"id"};
    authors.fields = {field("id", FieldType::integer), field("name", FieldType::text)};
    genres.name = "genres";
    genres.key = {"name"};
    genres.fields = {field("name", FieldType::text), field("shelf", FieldType::text)};
  }
  Result<KeyUse> use(std::string_view sql, Brackets brackets = Brackets::quote_names) {
    const std::vector<const Table*> tables{&authors, &books, &genres};
    return read_key_use(sql, tables, brackets);
  }
  std::string shown(std::string_view sql) {
    const Result<KeyUse> found = use(sql);
    if (!found) return found.error().message;
    std::string out;
    for (const auto& [name, table] : found->shown)
      out += name + ":" + (table == nullptr ? "?" : table->name) + " ";
    return out;
  }
  Table books;
  Table authors;
  Table genres;
};

// SQLite's names may have dots in them; PostgreSQL's have a schema in front.
TEST_F(KeyUseTest, a_table_is_named_by_all_of_its_name_or_without_its_schema) {
  authors.name = "shop.authors";
  authors.fields[1].is_key_part = true;
  const std::vector<const Table*> all{&authors};
  for (const char* sql :
       {"SELECT max(id) FROM \"shop.authors\"", "SELECT id || 1 FROM [Shop.Authors]",
        "SELECT max(id) FROM shop.authors", "SELECT max(id) FROM authors AS a"}) {
    EXPECT_FALSE(use(sql)) << sql;
    EXPECT_EQ(named_with_key_parts(sql, all, Brackets::quote_names), all) << sql;
  }
  EXPECT_TRUE(use("SELECT id FROM \"shop.authors\""));
  EXPECT_EQ(shown("SELECT a.id AS x FROM \"shop.authors\" a"), "x:shop.authors ");
}

TEST_F(KeyUseTest, R1_keys_are_selected_compared_joined_counted_and_ordered_by) {
  for (
      const char* sql :
      {"SELECT id, title FROM books",
       "SELECT b.id AS x, b.title t FROM books b ORDER BY b.id DESC",
       "SELECT * FROM books",
       "SELECT b.*, a.id FROM books b, authors AS a WHERE a.id = b.author_id",
       "SELECT count(id), count(DISTINCT author_id) FROM books",
       "SELECT a.name, count(*) AS n FROM authors a LEFT JOIN books b ON b.author_id = a.id "
       "GROUP BY a.id, a.name HAVING count(b.id) > 1 ORDER BY n",
       "SELECT title FROM books WHERE (id = 5 OR author_id IS NULL) AND id NOT IN (1, 2)",
       "SELECT title FROM books WHERE author_id IN (SELECT id FROM authors WHERE name = 'x')",
       "SELECT title FROM books b WHERE EXISTS (SELECT id FROM authors a WHERE a.id = b.author_id)",
       "SELECT title, row_number() OVER (PARTITION BY author_id ORDER BY id) FROM books",
       "SELECT upper(title), substr(title, 1, 4), title || '!' FROM books WHERE id > 3",
       "SELECT CASE WHEN author_id = 3 THEN 'a' ELSE 'b' END AS which FROM books",
       "SELECT t.n FROM (SELECT author_id, count(*) AS n FROM books GROUP BY author_id) t",
       "WITH big AS (SELECT id, title FROM books WHERE pages > 9) SELECT id, title FROM big",
       "SELECT upper(g.shelf), upper(a.name) FROM genres g JOIN authors a ON a.name = g.name",
       "SELECT title AS id2 FROM books JOIN authors USING (id)",
       "SELECT (id), (title) FROM books",
       "SELECT group_concat(title, ',' ORDER BY id) FROM books",
       "SELECT sum(pages) + 1 FROM books",
       "SELECT max(author_id = 3) FROM books",
       "SELECT id FROM books WHERE id BETWEEN 1 AND 5 LIMIT 3;",
       "SELECT 'upper(id)' FROM books"})
    EXPECT_TRUE(use(sql)) << sql;
}

TEST_F(KeyUseTest, R1_every_other_use_is_refused) {
  for (const char* sql : {"SELECT upper(id) FROM books",
                          "SELECT id || '' FROM books",
                          "SELECT '' || id FROM books",
                          "SELECT max(id) FROM books",
                          "SELECT substr(id, 1, 4) FROM books",
                          "SELECT group_concat(author_id) FROM books",
                          "SELECT id + 0 FROM books",
                          "SELECT -id FROM books",
                          "SELECT CAST(id AS text) FROM books",
                          "SELECT id::text FROM books",
                          "SELECT coalesce(null, b.id) FROM books b",
                          "SELECT upper((id)) FROM books",
                          "SELECT (id) || '' FROM books",
                          "SELECT (id || '') FROM books",
                          "SELECT CASE WHEN 1 THEN id END FROM books",
                          "SELECT CASE WHEN 0 THEN 1 ELSE id END FROM books",
                          "SELECT (SELECT id FROM books LIMIT 1) || ''",
                          "SELECT (SELECT id FROM books LIMIT 1)",
                          "SELECT upper(\"id\") FROM books",
                          "SELECT upper([id]) FROM books",
                          "SELECT UPPER(ID) FROM Books",
                          "SELECT upper(`id`) FROM books",
                          "SELECT title FROM books WHERE id LIKE '1%'",
                          "SELECT upper(rowid) FROM books",
                          "SELECT _rowid_ + 1 FROM books",
                          "SELECT json_object('a', id) FROM books",
                          "SELECT title FROM books ORDER BY upper(id)",
                          "SELECT first_value(id) OVER (ORDER BY title) FROM books",
                          "VALUES ((SELECT id FROM books))",
                          "SELECT 1 AS ['], upper(id) AS ['] FROM books",
                          "SELECT upper(/* ' */ id) FROM books --'",
                          "SELECT min(g.name) FROM genres g",
                          "SELECT id COLLATE nocase FROM books"})
    EXPECT_FALSE(use(sql)) << sql;
}

TEST_F(KeyUseTest, R1_rows_as_a_whole_are_refused_where_a_database_has_them) {
  for (const char* sql :
       {"SELECT b FROM books b", "SELECT books FROM books", "SELECT b::text FROM books b",
        "SELECT row_to_json(b) FROM books b", "SELECT ROW(b.*) FROM books b",
        "SELECT ARRAY[id] FROM books", "SELECT ARRAY(SELECT id FROM books)",
        "WITH c AS (SELECT id FROM books) SELECT c FROM c",
        "SELECT array_agg(x) FROM (SELECT id FROM books) x",
        "SELECT mode() WITHIN GROUP (ORDER BY id) FROM books",
        "SELECT array_agg(id ORDER BY id) FROM books", "SELECT (b) FROM books b",
        "SELECT extract(day FROM id) FROM books", "SELECT substring(id from 1 for 4) FROM books",
        "SELECT trim(both 'x' from id) FROM books"})
    EXPECT_FALSE(use(sql, Brackets::hold_places)) << sql;
  for (const char* sql : {"SELECT count(b) FROM books b", "SELECT b.* FROM books b",
                          "SELECT count(*) AS books FROM books ORDER BY books",
                          "SELECT DISTINCT ON (author_id) id, title FROM books"})
    EXPECT_TRUE(use(sql, Brackets::hold_places)) << sql;
}

TEST_F(KeyUseTest, R2_other_names_of_a_key_column_are_key_columns) {
  for (const char* sql :
       {"SELECT upper(x) FROM (SELECT id AS x FROM books)",
        "SELECT upper(d.x) FROM (SELECT id x FROM books) d",
        "WITH c(x) AS (SELECT id FROM books) SELECT upper(x) FROM c",
        "WITH c(a, x) AS (SELECT title, id FROM books) SELECT x || '' FROM c",
        "WITH c(x) AS (SELECT * FROM books) SELECT upper(x) FROM c",
        "SELECT upper(y) FROM (SELECT x AS y FROM (SELECT id AS x FROM books))",
        "WITH books AS (SELECT id AS title FROM books) SELECT upper(books.title) FROM books",
        "SELECT max(id) FROM (SELECT id FROM books)"})
    EXPECT_FALSE(use(sql)) << sql;
  EXPECT_TRUE(use("WITH c(a, x) AS (SELECT title, id FROM books) SELECT upper(a), x FROM c"));
  EXPECT_EQ(shown("SELECT x FROM (SELECT id AS x FROM books)"), "x:books ");
  EXPECT_EQ(shown("SELECT author_id AS who, title FROM books"), "who:authors ");
}

TEST_F(KeyUseTest, R3_a_union_takes_keys_of_one_table) {
  for (const char* sql :
       {"SELECT title FROM books UNION SELECT id FROM books",
        "SELECT id FROM books UNION SELECT id FROM authors",
        "SELECT title, pages FROM books UNION ALL SELECT * FROM authors",
        "SELECT author_id FROM books EXCEPT SELECT sequel_of FROM books",
        "(SELECT title FROM books) UNION (SELECT id FROM books)",
        "SELECT title FROM books UNION SELECT x FROM (SELECT id AS x FROM books)"})
    EXPECT_FALSE(use(sql)) << sql;
  EXPECT_EQ(shown("SELECT a.id FROM authors a INTERSECT SELECT author_id FROM books"),
            "id:authors ");
  EXPECT_EQ(shown("SELECT NULL AS k UNION SELECT b.id FROM books b"), "k:books ");
  EXPECT_EQ(shown("WITH RECURSIVE t(k, depth) AS (SELECT id, 0 FROM books WHERE sequel_of IS NULL "
                  "UNION ALL SELECT b.id, depth + 1 FROM books b JOIN t ON b.sequel_of = t.k) "
                  "SELECT k, depth FROM t"),
            "k:books ");
}

TEST_F(KeyUseTest, R5_a_key_does_not_hide_behind_a_word_of_sql) {
  for (const char* sql :
       {"SELECT zone+1 FROM (SELECT id AS zone FROM books)",
        "SELECT zone+1 FROM (SELECT id AS \"zone\" FROM books)",
        "SELECT zone+1 FROM (SELECT id zone FROM books) q", "SELECT 1 AS with, id+1 FROM books",
        "SELECT 1 AS from, id+1 FROM books", "SELECT books.'id'+1 FROM books",
        "SELECT b.'rowid'+1 FROM books b", "SELECT x+1 FROM (SELECT id AS 'x' FROM books)",
        "SELECT x+1 FROM (SELECT id 'x' FROM books)"})
    EXPECT_FALSE(use(sql)) << sql;
  for (const char* sql :
       {"SELECT x+1 FROM books AS p(x, y)", "SELECT x+1 FROM books p(x, y)",
        "SELECT x+1 FROM (TABLE books) AS t(x, y)",
        "SELECT x+1 FROM (books JOIN genres ON true) j(x)",
        "SELECT make_date(year => id, month => 1, day => 1) FROM books",
        "SELECT make_date(year := id, month := 1, day := 1) FROM books",
        "SELECT id <-> 5 FROM books", "SELECT 5 <-> id FROM books", "SELECT id <=> 5 FROM books"})
    EXPECT_FALSE(use(sql, Brackets::hold_places)) << sql;
}

TEST_F(KeyUseTest, R5_tables_and_keys_that_are_called_as_a_word_of_sql_are_seen) {
  books.name = "match";
  genres.key = {"zone"};
  genres.fields = {field("zone", FieldType::integer), field("shelf", FieldType::text)};
  EXPECT_FALSE(use("SELECT max(id) FROM match"));
  EXPECT_TRUE(use("SELECT id, title FROM match"));
  EXPECT_FALSE(use("SELECT max(zone) FROM genres"));
  EXPECT_FALSE(use("SELECT max(\"zone\") FROM genres"));
  EXPECT_TRUE(use("SELECT \"zone\", shelf FROM genres"));
  const Result<KeyUse> bare = use("SELECT zone FROM genres");
  ASSERT_FALSE(bare);
  EXPECT_NE(bare.error().message.find("double quotes"), std::string::npos) << bare.error().message;
}

TEST_F(KeyUseTest, R5_a_key_may_be_called_as_a_word_that_is_no_name_without_quotes) {
  genres.key = {"from"};
  genres.fields = {field("from", FieldType::integer), field("select", FieldType::integer, "books"),
                   field("shelf", FieldType::text)};
  for (const char* sql :
       {"SELECT shelf FROM genres", "SELECT count(*) FROM genres",
        "SELECT \"from\", \"select\" FROM genres", "SELECT g.\"from\" FROM genres g"})
    EXPECT_TRUE(use(sql)) << sql << use(sql).error().message;
  EXPECT_EQ(shown("SELECT \"from\", \"select\" FROM genres"), "from:genres select:books ");
  for (const char* sql : {"SELECT \"from\" + 1 FROM genres", "SELECT max(\"select\") FROM genres",
                          "SELECT genres.from FROM genres", "SELECT shelf AS from FROM genres"})
    EXPECT_FALSE(use(sql)) << sql;
}

TEST_F(KeyUseTest, R5_what_is_written_as_usual_stays_allowed) {
  for (const char* sql :
       {"CREATE VIEW v AS SELECT b.id, count(*) AS n FROM books b GROUP BY b.id",
        "SELECT title AS \"from\", id FROM books WHERE title LIKE 'a%' ESCAPE '!'",
        "SELECT CASE title WHEN 'a' THEN 'b' ELSE 'c' END AS kind, id FROM books",
        "WITH t AS NOT MATERIALIZED (SELECT id FROM books) SELECT id FROM t",
        "SELECT strftime('%Y', title), CAST(pages AS text) FROM books WHERE id = -1 OR id <> 5"})
    EXPECT_TRUE(use(sql)) << sql << use(sql).error().message;
  for (const char* sql : {"SELECT id, date '2026-01-01' FROM books",
                          "SELECT n FROM generate_series(1, 3) AS g(n), books WHERE books.id = 1",
                          "SELECT x FROM (SELECT id FROM books) AS t(x)",
                          "SELECT pages::text, CAST(title AS interval) FROM books"})
    EXPECT_TRUE(use(sql, Brackets::hold_places)) << sql;
}

}  // namespace
}  // namespace alfred
