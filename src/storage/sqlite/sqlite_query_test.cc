#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

class SqliteQueries : public SqliteFixture {
 protected:
  void SetUp() override {
    make_foreign(path("theirs.db"),
                 std::string(kSchemaForTests) +
                     "INSERT INTO notes (title, rank, is_old) VALUES ('a', 1, 1), ('b', 2, 0);"
                     "INSERT INTO shelves VALUES ('ann', 's1', 'of ann', NULL), "
                     "('bob', 's2', 'of bob', NULL);"
                     "INSERT INTO secrets VALUES ('hush')");
    Result<std::unique_ptr<RecordStore>> opened = open(path("theirs.db"), {});
    ASSERT_TRUE(opened);
    store_ = std::move(*opened);
  }
  Result<QueryRows> query(const std::string& sql, std::vector<const Table*> tables,
                          std::size_t max_rows = 10) const {
    return store_->query({"ann"}, sql, tables, max_rows);
  }
  Result<QueryRows> direct(const std::string& sql) const { return query(sql, {&notes_}); }
  Result<QueryRows> walled(const std::string& sql) const {
    return query(sql, {&notes_, &shelves_});
  }
  // Nothing of what a caller may not know is in an answer.
  static std::string all_text(const Result<QueryRows>& answer) {
    if (!answer) return answer.error().message;
    std::string out;
    for (const QueryColumn& column : answer->columns) out += column.name + " ";
    for (const Row& row : answer->rows)
      for (const Value& value : row)
        if (const auto* text = std::get_if<std::string>(&value)) out += *text + " ";
    return out;
  }
  std::unique_ptr<RecordStore> store_;
};

TEST_F(SqliteQueries, a_select_gives_rows_typed_by_where_they_come_from) {
  for (const auto& tables :
       {std::vector<const Table*>{&notes_}, std::vector<const Table*>{&notes_, &shelves_}}) {
    const Result<QueryRows> answer =
        query("SELECT n.title AS t, is_old, rank + 1 AS next FROM Notes n ORDER BY title;  -- end",
              tables);
    ASSERT_TRUE(answer) << answer.error().message << answer.error().detail;
    ASSERT_EQ(answer->columns.size(), 3U);
    EXPECT_EQ(answer->columns[0].name, "t");
    EXPECT_EQ(answer->columns[0].table, "notes");
    EXPECT_EQ(answer->columns[0].column, "title");
    EXPECT_EQ(answer->columns[2].table, "");
    EXPECT_EQ(answer->rows, (std::vector<Row>{{std::string("a"), true, std::int64_t{2}},
                                              {std::string("b"), false, std::int64_t{3}}}));
    EXPECT_FALSE(answer->is_truncated);
  }
}

TEST_F(SqliteQueries, rows_past_the_cap_are_cut_and_said_so) {
  const Result<QueryRows> answer = query("SELECT title FROM notes", {&notes_}, 1);
  EXPECT_EQ(answer->rows.size(), 1U);
  EXPECT_TRUE(answer->is_truncated);
  EXPECT_FALSE(query("SELECT title FROM notes", {&notes_}, 2)->is_truncated);
}

TEST_F(SqliteQueries, everything_but_one_select_is_refused) {
  for (const char* sql : {"",
                          " -- nothing",
                          "DELETE FROM notes",
                          "INSERT INTO notes (title) VALUES ('x')",
                          "UPDATE notes SET rank = 1",
                          "SELECT 1; SELECT 2",
                          "SELECT 1; DELETE FROM notes",
                          "PRAGMA table_list",
                          "PRAGMA query_only=0",
                          "ATTACH 'x.db' AS x",
                          "VACUUM INTO 'x.db'",
                          "EXPLAIN SELECT * FROM notes",
                          "EXPLAIN QUERY PLAN SELECT * FROM notes",
                          "BEGIN",
                          "SAVEPOINT x",
                          "CREATE TABLE x (y)",
                          "CREATE TEMP TABLE x AS SELECT 1",
                          "SELECT load_extension('x')",
                          "SELECT readfile('x')",
                          "SELECT writefile('x', 'y')",
                          "SELECT * FROM sqlite_master",
                          "SELECT * FROM sqlite_schema",
                          "SELECT * FROM sqlite_temp_master",
                          "SELECT * FROM pragma_database_list",
                          "SELECT * FROM pragma_table_info('notes')",
                          "SELECT * FROM secrets",
                          "SELECT * FROM main.secrets",
                          "SELECT * FROM no_such_table",
                          "SELEC 1",
                          "WITH x AS (SELECT * FROM secrets) SELECT * FROM x",
                          "SELECT title FROM notes UNION SELECT word FROM secrets",
                          "SELECT (SELECT word FROM secrets)",
                          "REPLACE INTO notes (title) VALUES ('x')",
                          "WITH x AS (SELECT 1) DELETE FROM notes",
                          "SELECT ?1",
                          "REINDEX",
                          "ANALYZE"}) {
    for (const Result<QueryRows>& answer : {direct(sql), walled(sql)}) {
      ASSERT_FALSE(answer) << sql;
      EXPECT_EQ(answer.error().code, ErrorCode::query) << sql << ": " << answer.error().message;
    }
  }
  EXPECT_EQ(direct("SELECT title FROM notes")->rows.size(), 2U);
}

TEST_F(SqliteQueries, rows_are_counted_only_where_they_may_be_read) {
  for (const auto& tables :
       {std::vector<const Table*>{&notes_}, std::vector<const Table*>{&notes_, &shelves_}}) {
    const auto count = [&](const char* sql) {
      const Result<QueryRows> answer = query(sql, tables);
      if (!answer) return "refused: " + answer.error().message;
      return std::to_string(std::get<std::int64_t>(answer->rows.at(0).at(0)));
    };
    EXPECT_EQ(count("SELECT count(*) FROM notes"), "2");
    EXPECT_EQ(count("WITH x AS (SELECT 1 UNION SELECT 2) SELECT count(*) FROM x"), "2");
    EXPECT_EQ(count("WITH secrets AS (SELECT 1) SELECT count(*) FROM secrets"), "1");
    EXPECT_EQ(count("WITH x AS (SELECT title FROM notes) SELECT count(*) FROM x"), "2");
    for (const char* sql :
         {"SELECT count(*) FROM secrets", "SELECT count(*) FROM sqlite_master",
          "SELECT 1 FROM secrets", "SELECT EXISTS (SELECT 1 FROM secrets)",
          "WITH x AS (SELECT 1) SELECT count(*) FROM x, secrets",
          "SELECT count(*) FROM pragma_database_list", "SELECT count(*) FROM main.secrets",
          "WITH x AS (SELECT count(*) FROM secrets) SELECT count(*) FROM x"})
      EXPECT_EQ(count(sql), count("SELECT count(*) FROM no_such_table")) << sql;
  }
  EXPECT_EQ(walled("SELECT count(*) FROM shelves")->rows.at(0).at(0), Value(std::int64_t{1}));
}

TEST_F(SqliteQueries, a_hidden_and_an_unknown_table_are_refused_alike) {
  EXPECT_EQ(direct("SELECT * FROM secrets").error().message,
            direct("SELECT * FROM no_such_table").error().message)
      << direct("SELECT * FROM no_such_table").error().detail;
  EXPECT_EQ(walled("SELECT * FROM secrets").error().message,
            walled("SELECT * FROM no_such_table").error().message);
  EXPECT_EQ(direct("SELECT * FROM secrets").error().allowed, std::vector<std::string>{"notes"});
}

TEST_F(SqliteQueries, who_would_change_rows_is_told_that_a_query_reads) {
  for (const char* sql :
       {"DELETE FROM shelves", "UPDATE shelves SET name = 'x'",
        "INSERT INTO shelves (name) VALUES ('x')", "WITH x AS (SELECT 1) DELETE FROM shelves"})
    for (const Result<QueryRows>& answer : {direct(sql), walled(sql)}) {
      ASSERT_FALSE(answer) << sql;
      EXPECT_TRUE(answer.error().message.starts_with("A query only reads."))
          << sql << ": " << answer.error().message;
    }
}

TEST_F(SqliteQueries, the_wall_shows_only_the_caller_s_rows_and_no_owner) {
  const Result<QueryRows> answer = walled("SELECT * FROM shelves");
  ASSERT_TRUE(answer) << answer.error().message << answer.error().detail;
  EXPECT_EQ(answer->columns.size(), 3U);
  EXPECT_EQ(answer->columns[1].table, "shelves");
  EXPECT_EQ(answer->columns[1].column, "name");
  ASSERT_EQ(answer->rows.size(), 1U);
  EXPECT_EQ(answer->rows[0][1], Value("of ann"));
  const Error owner = walled("SELECT user_id FROM shelves").error();
  EXPECT_EQ(owner.code, ErrorCode::query);
}

TEST_F(SqliteQueries, no_trick_reaches_past_the_wall) {
  for (const char* sql : {"SELECT * FROM main.shelves", "SELECT * FROM temp.shelves",
                          "WITH shelves AS (SELECT * FROM shelves) SELECT * FROM shelves",
                          "WITH shelves AS (SELECT * FROM main.shelves) SELECT * FROM shelves",
                          "WITH notes AS (SELECT * FROM shelves) SELECT * FROM notes",
                          "SELECT rowid, * FROM shelves", "SELECT * FROM shelves NOT INDEXED",
                          "SELECT * FROM shelves INDEXED BY sqlite_autoindex_shelves_1",
                          "SELECT shelves.user_id FROM shelves", "SELECT \"user_id\" FROM shelves",
                          "SELECT * FROM shelves JOIN shelves AS b USING (user_id)",
                          "SELECT sql FROM temp.sqlite_master",
                          "SELECT name FROM pragma_database_list", "SELECT nope FROM shelves",
                          "SELECT * FROM w_.shelves", "SELECT json_group_array(name) FROM shelves",
                          "SELECT * FROM shelves WHERE name LIKE '%' OR 1 = 1"}) {
    const std::string text = all_text(walled(sql));
    EXPECT_EQ(text.find("bob"), std::string::npos) << sql << ": " << text;
    EXPECT_EQ(text.find("w_opn"), std::string::npos) << sql << ": " << text;
    EXPECT_EQ(text.find("CREATE"), std::string::npos) << sql << ": " << text;
  }
}

TEST_F(SqliteQueries, a_user_s_name_is_no_sql) {
  const std::vector<const Table*> tables{&shelves_};
  for (const char* user : {"' OR 1=1 --", "ann' OR 'a'='a", "\"", "x''y"}) {
    const Result<QueryRows> answer = store_->query({user}, "SELECT * FROM shelves", tables, 10);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->rows.size(), 0U);
  }
}

TEST_F(SqliteQueries, rows_of_users_need_a_user) {
  const std::vector<const Table*> tables{&shelves_};
  EXPECT_EQ(store_->query({}, "SELECT * FROM shelves", tables, 10).error().code, ErrorCode::table);
}

TEST_F(SqliteQueries, E11_a_query_without_end_is_stopped) {
  for (const char* sql :
       {"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "SELECT count(*) FROM notes a, notes b, notes c, notes d, notes e, notes f, notes g, notes "
        "h, notes i, notes j, notes k, notes l, notes m, notes n, notes o, notes p, notes q, notes "
        "r, notes s, notes t, notes u, notes v, notes w, notes x, notes y, notes z"}) {
    StoreOptions options;
    options.work_budget = 1'000'000;
    const Result<std::unique_ptr<RecordStore>> store = open(path("theirs.db"), options);
    const std::vector<const Table*> tables{&notes_};
    const Error error = (*store)->query({}, sql, tables, 10).error();
    EXPECT_EQ(error.code, ErrorCode::limit) << error.detail;
    EXPECT_NE(error.message.find("needs more work"), std::string::npos) << error.message;
    EXPECT_EQ(error.path, "sql");
  }
  EXPECT_FALSE(direct("SELECT zeroblob(1000000000)"));
  EXPECT_FALSE(direct("SELECT " + std::string(100'000, ' ') + "1"));
}

TEST_F(SqliteQueries, what_is_too_long_is_refused_before_it_is_copied) {
  const auto refusal = [&](const std::string& sql) {
    const Result<QueryRows> answer = direct(sql);
    return answer ? Error{} : answer.error();
  };
  const Error cell = refusal(
      "SELECT 1 AS n, replace(hex(zeroblob(3000000)), '00', 'x') AS x, "
      "hex(zeroblob(2200000)) AS wide");
  EXPECT_EQ(cell.code, ErrorCode::limit);
  EXPECT_NE(cell.message.find("`wide`"), std::string::npos) << cell.message;
  EXPECT_NE(cell.message.find("substr(wide, 1, 2000)"), std::string::npos) << cell.message;
  EXPECT_EQ(cell.path, "sql");
  const std::string long_text = "hex(zeroblob(2000000))";
  const Error row =
      refusal("SELECT " + long_text + " AS a, " + long_text + " AS b, " + long_text + " AS c");
  EXPECT_EQ(row.code, ErrorCode::limit);
  EXPECT_NE(row.message.find("A row is longer"), std::string::npos) << row.message;
  EXPECT_EQ(refusal("SELECT zeroblob(100000000)").code, ErrorCode::limit);
  // A part of what is long is not.
  const Result<QueryRows> part = direct("SELECT substr(hex(zeroblob(5000000)), 1, 3)");
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ(part->rows, (std::vector<Row>{{std::string("000")}}));
  // Whole rows, as many as fit.
  const Result<QueryRows> some = direct(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) "
      "SELECT " +
      long_text + " FROM n");
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_EQ(some->rows.size(), 3U);
  EXPECT_TRUE(some->is_truncated);
}

TEST_F(SqliteQueries, a_mistake_is_named_with_its_word_and_its_place) {
  const auto message = [&](const char* sql) { return direct(sql).error().message; };
  EXPECT_EQ(message("SELECT 'ä', title FORM notes WHERE 1"),
            "The query has a syntax error near `notes` at character 24. Correct it.");
  EXPECT_EQ(message("SELECT (1"),
            "The query ends before it is whole: a bracket, a text in quotes or a part is missing.");
  EXPECT_EQ(
      message("SELECT title FROM notes a JOIN notes b"),
      "The query does not compile: `ambiguous column name: title` at character 8. Correct it.");
  EXPECT_NE(message("SELECT round(1, 2, 3)").find("wrong number of arguments"), std::string::npos);
  EXPECT_NE(message("SELECT 1 UNION SELECT 1, 2").find("SELECTs to the left"), std::string::npos);
  EXPECT_NE(message("SELECT # FROM notes").find("unrecognized token"), std::string::npos);
}

TEST_F(SqliteQueries, a_name_in_double_quotes_is_a_column_and_never_a_text) {
  EXPECT_EQ(direct("SELECT \"title\" FROM \"notes\" WHERE \"rank\" = 1")->rows,
            (std::vector<Row>{{std::string("a")}}));
  for (const auto& tables :
       {std::vector<const Table*>{&notes_}, std::vector<const Table*>{&notes_, &shelves_}})
    for (const char* sql : {"SELECT count(*) FROM notes WHERE \"read_at\" IS NOT NULL",
                            "SELECT title FROM notes WHERE title = \"a\""}) {
      const Result<QueryRows> answer = query(sql, tables);
      ASSERT_FALSE(answer) << sql;
      EXPECT_EQ(answer.error().code, ErrorCode::query);
      EXPECT_NE(answer.error().message.find("a text stands in single quotes"), std::string::npos)
          << answer.error().message;
    }
}

TEST_F(SqliteQueries, what_is_committed_in_our_own_file_is_seen) {
  const Result<std::unique_ptr<RecordStore>> own = open(path("own.db"), ours());
  ASSERT_TRUE(own);
  ASSERT_TRUE(add_note(**own, "fresh"));
  const std::vector<const Table*> tables{&notes_, &shelves_};
  const Result<QueryRows> answer = (*own)->query({"ann"}, "SELECT title FROM notes", tables, 10);
  ASSERT_TRUE(answer) << answer.error().message << answer.error().detail;
  EXPECT_EQ(answer->rows, (std::vector<Row>{{std::string("fresh")}}));
  EXPECT_FALSE((*own)->query({"ann"}, "SELECT * FROM alfred_ops", tables, 10));
}

}  // namespace
}  // namespace alfred
