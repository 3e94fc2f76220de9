#include "storage/postgres/pg_query.h"

#include "storage/postgres/postgres_store_for_tests.h"

namespace alfred {
namespace {

class PostgresQuery : public PostgresStoreForTests {
 protected:
  void SetUp() override {
    database_ = open(url_);
    for (const char* user : {"ann", "bob"})
      for (const char* id : {"1", "2"})
        database_->write(call_of(user), add_shelf(std::string(user) + id)).value();
    PostgresForTests::run_on(url_, R"(
      INSERT INTO notes (body, amount, number, is_done) VALUES ('n1', 0.1, 7, 1), ('n2', null, 8, 0);
      CREATE TABLE hidden (id bigint, word text); INSERT INTO hidden VALUES (1, 'secret');
      CREATE VIEW seen AS SELECT id FROM hidden;
      CREATE FUNCTION leak() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT word FROM hidden';
      CREATE FUNCTION leak(notes) RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT word FROM hidden';
      CREATE SCHEMA shop; CREATE TABLE shop.items (id bigint, name text);
      INSERT INTO shop.items VALUES (1, 'pen');)");
    seen_.name = "seen";
    seen_.fields = {typed_field("id", FieldType::integer, "bigint")};
    items_.name = "shop.items";
    items_.fields = {typed_field("id", FieldType::integer, "bigint"), text_field("name")};
    tables_ = {&library_.shelves, &library_.notes, &seen_, &items_};
  }

  Result<QueryRows> ask(const std::string& sql, std::optional<std::string> user = "ann",
                        std::size_t max_rows = 10) {
    return database_->query(Caller{std::move(user)}, sql, tables_, max_rows);
  }
  std::string first(const std::string& sql) {
    const Result<QueryRows> rows = ask(sql);
    if (!rows) return told(rows.error());
    if (rows->rows.empty()) return "no rows";
    const Value& value = rows->rows[0].at(0);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
    return is_null(value) ? "null" : "other";
  }

  std::unique_ptr<PostgresDatabase> database_;
  Table seen_;
  Table items_;
  std::vector<const Table*> tables_;
};

TEST_F(PostgresQuery, rows_come_with_the_origin_of_their_columns) {
  const Result<QueryRows> rows = ask(
      "SELECT s.id, upper(s.name) AS loud, n.amount, n.is_done, i.name\nFROM shelves s, notes AS n, "
      "shop.items i WHERE n.number = 7 -- a comment\nORDER BY s.id;");
  ASSERT_TRUE(rows.has_value()) << told(rows.error());
  ASSERT_EQ(rows->columns.size(), 5U);
  EXPECT_EQ(rows->columns[0].table + "." + rows->columns[0].column, "shelves.id");
  EXPECT_EQ(rows->columns[1].table, "");
  EXPECT_EQ(rows->columns[1].name, "loud");
  EXPECT_EQ(rows->columns[4].table + "." + rows->columns[4].column, "shop.items.name");
  ASSERT_EQ(rows->rows.size(), 2U);
  EXPECT_EQ(rows->rows[0],
            (Row{std::string("ann1"), std::string("ANN1"), 0.1, true, std::string("pen")}));
  EXPECT_FALSE(rows->is_truncated);
}

TEST_F(PostgresQuery, R5_what_is_too_long_stays_at_the_server) {
  const Error cell = ask("SELECT 1 AS n, repeat('x', 200000000) AS wide").error();
  EXPECT_EQ(cell.code, ErrorCode::limit);
  EXPECT_NE(cell.message.find("substr(wide, 1, 2000)"), std::string::npos) << cell.message;
  EXPECT_EQ(cell.path, "sql");
  const std::string long_text = "repeat('x', 4000000)";
  const Error row =
      ask("SELECT " + long_text + " AS a, " + long_text + " AS b, " + long_text + " AS c").error();
  EXPECT_EQ(row.code, ErrorCode::limit);
  EXPECT_NE(row.message.find("A row is longer"), std::string::npos) << row.message;
  EXPECT_EQ(first("SELECT substr(repeat('xyz', 50000000), 1, 3)"), "xyz");
  // Nor does a condition's text, or an error's.
  EXPECT_EQ(first("SELECT body FROM notes WHERE body = repeat('x', 50000000)"), "no rows");
  const Error number = ask("SELECT repeat('x', 9000000)::int").error();
  EXPECT_LT(number.detail.size(), 2000U);
  // Whole rows, as many as fit.
  const Result<QueryRows> some =
      ask("SELECT i, " + long_text + " AS t FROM generate_series(1, 9) AS i ORDER BY i");
  ASSERT_TRUE(some.has_value()) << told(some.error());
  ASSERT_EQ(some->rows.size(), 3U);
  EXPECT_EQ(some->rows[2][0], Value(std::int64_t{3}));
  EXPECT_TRUE(some->is_truncated);
}

TEST_F(PostgresQuery, R5_values_of_every_type_come_as_they_are) {
  const Result<QueryRows> rows = ask(
      "SELECT 1.50::numeric(6,2) AS a, 'ab'::char(4) AS b, ARRAY[1,2] AS c, '{\"k\": 1}'::jsonb AS d, "
      "'x'::bytea AS e, NULL::text AS f, true AS g, 'n' AS h, row(1, 2) AS i, n.body, n.body FROM notes n "
      "WHERE number = 7");
  ASSERT_TRUE(rows.has_value()) << told(rows.error());
  ASSERT_EQ(rows->columns.size(), 11U);
  EXPECT_EQ(rows->columns[9].table + "." + rows->columns[9].column, "notes.body");
  EXPECT_EQ(rows->columns[10].name, "body");
  ASSERT_EQ(rows->rows.size(), 1U);
  EXPECT_EQ(rows->rows[0].size(), 11U);
  EXPECT_TRUE(is_null(rows->rows[0][5]));
  EXPECT_EQ(rows->rows[0][9], Value("n1"));
  EXPECT_FALSE(rows->is_truncated);
  EXPECT_EQ(ask("SELECT FROM notes").error().code, ErrorCode::query);
}

TEST_F(PostgresQuery, R1_only_the_callers_rows_are_there_however_they_are_asked_for) {
  EXPECT_EQ(first("SELECT string_agg(name, ',' ORDER BY id) FROM shelves"), "ann1,ann2");
  EXPECT_EQ(first("SELECT string_agg(name, ',' ORDER BY id) FROM (SELECT * FROM SHELVES) x"),
            "ann1,ann2");
  EXPECT_EQ(first("WITH x AS (SELECT * FROM \"shelves\") SELECT count(*) FROM x"), "2");
  EXPECT_EQ(first("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) "
                  "SELECT max(n) FROM t"),
            "5");
  EXPECT_EQ(ask("SELECT * FROM shelves", std::nullopt).error().code, ErrorCode::table);
  EXPECT_EQ(ask("SELECT * FROM shelves", "").error().code, ErrorCode::table);
  // The owner's column is not there.
  EXPECT_EQ(ask("SELECT user_id FROM shelves").error().code, ErrorCode::query);
  const Result<QueryRows> all = ask("SELECT * FROM shelves");
  ASSERT_TRUE(all.has_value()) << told(all.error());
  EXPECT_EQ(all->columns.size(), 3U);
}

TEST_F(PostgresQuery, R1_an_error_tells_nothing_of_others_rows) {
  const Result<QueryRows> cast =
      ask("SELECT CAST(name AS integer) FROM shelves WHERE name LIKE 'bob%'");
  ASSERT_TRUE(cast.has_value()) << told(cast.error());
  EXPECT_TRUE(cast->rows.empty());
  const Result<QueryRows> own = ask("SELECT CAST(name AS integer) FROM shelves");
  ASSERT_FALSE(own.has_value());
  EXPECT_EQ(own.error().code, ErrorCode::query);
  EXPECT_EQ(told(own.error()).find("ann1"), std::string::npos) << told(own.error());
}

TEST_F(PostgresQuery, R2_what_is_not_allowed_is_refused) {
  for (const char* sql : {"SELECT * FROM hidden",
                          "SELECT * FROM public.hidden",
                          "SELECT * FROM public.shelves",
                          "SELECT (SELECT word FROM hidden LIMIT 1) FROM notes",
                          "SELECT 1 FROM notes WHERE false AND "
                          "EXISTS (SELECT 1 FROM hidden)",
                          "SELECT * FROM books",
                          "SELECT * FROM alfred.alfred_ops",
                          "SELECT * FROM pg_class",
                          "SELECT * FROM pg_catalog.pg_authid",
                          "SELECT * FROM information_schema.tables",
                          "SELECT leak()",
                          "SELECT public.leak()",
                          "SELECT n.leak FROM notes n",
                          "SELECT (n).leak FROM notes n",
                          "SELECT pg_read_file('/etc/passwd')",
                          "SELECT pg_sleep(1)",
                          "SELECT set_config('app.tenant','bob',true)",
                          "SELECT current_setting('app.tenant')",
                          "SELECT nextval('notes_id_seq')",
                          "SELECT last_value FROM notes_id_seq",
                          "SELECT (SELECT last_value FROM notes_id_seq) FROM notes",
                          "SELECT lo_import('/etc/passwd')",
                          "SELECT query_to_xml('SELECT * FROM hidden', true, true, '')",
                          "SELECT 'hidden'::regclass",
                          "SELECT tableoid FROM notes",
                          "SELECT current_user",
                          "SELECT user",
                          "SELECT version()",
                          "SELECT 1; SELECT 2",
                          "SELECT 1; DELETE FROM notes",
                          "DELETE FROM notes",
                          "INSERT INTO notes DEFAULT VALUES",
                          "WITH d AS (DELETE FROM notes RETURNING *) SELECT * FROM d",
                          "SELECT * INTO copy FROM notes",
                          "SELECT 1) AS q, (SELECT word FROM hidden",
                          "SELECT (1",
                          "SELECT $1",
                          "SELECT :x",
                          "SELECT $$a$$",
                          "SELECT E'\\''",
                          "SELECT * FROM U&\"hidden\"",
                          "SELECT /* open",
                          "",
                          ";",
                          "EXPLAIN SELECT 1",
                          "COPY notes TO STDOUT",
                          "SET app.tenant = 'bob'",
                          "SELECT * FROM dblink('dbname=x', 'SELECT 1') AS (a int)",
                          "SELECT id FROM seen, hidden",
                          "SELECT hidden.word FROM seen",
                          "SELECT nothing FROM notes",
                          "SELECT * FROM nowhere"}) {
    const Result<QueryRows> rows = ask(sql);
    ASSERT_FALSE(rows.has_value()) << sql;
    EXPECT_EQ(rows.error().code, ErrorCode::query) << sql << ": " << told(rows.error());
    EXPECT_EQ(rows.error().message.find("secret"), std::string::npos) << sql;
  }
  EXPECT_EQ(count("notes"), "2");
}

TEST_F(PostgresQuery, what_cannot_be_computed_says_what_to_correct) {
  const auto said = [&](const std::string& sql) {
    const Result<QueryRows> rows = ask(sql);
    EXPECT_FALSE(rows.has_value()) << sql;
    if (rows) return std::string();
    EXPECT_EQ(rows.error().code, ErrorCode::query) << sql << ": " << told(rows.error());
    return rows.error().message;
  };
  EXPECT_EQ(said("SELECT (SELECT body FROM notes)"),
            "The query cannot be computed: more than one row returned by a subquery used as an "
            "expression. Correct it.");
  EXPECT_NE(said("SELECT length(repeat('xxxxxxxxxx', 200000000))").find("cannot be computed"),
            std::string::npos);
}

TEST_F(PostgresQuery, operators_and_comments_stay_what_they_are) {
  EXPECT_EQ(first("SELECT body||'-'||number::text FROM notes WHERE number>=8/* x */AND number<>9"),
            "n2-8");
  EXPECT_EQ(first("SELECT '{\"a\": 5}'::jsonb->>'a' -- why"), "5");
  EXPECT_EQ(first("SELECT CASE WHEN amount IS NULL THEN 'none' ELSE 'some' END FROM notes WHERE "
                  "number IN (8) AND body NOT IN ('x') GROUP BY amount"),
            "none");
}

TEST_F(PostgresQuery, R2_unknown_and_forbidden_tables_read_the_same) {
  const Error unknown = ask("SELECT * FROM nowhere").error();
  const Error forbidden = ask("SELECT * FROM hidden").error();
  EXPECT_EQ(unknown.message, forbidden.message);
  EXPECT_EQ(unknown.allowed, forbidden.allowed);
}

TEST_F(PostgresQuery, a_view_that_is_allowed_may_read_what_is_not) {
  EXPECT_EQ(first("SELECT count(*) FROM seen"), "1");
}

TEST_F(PostgresQuery, R3_rows_and_time_are_bounded) {
  const Result<QueryRows> rows = ask("SELECT generate_series(1, 1000) AS n", "ann", 3);
  ASSERT_TRUE(rows.has_value()) << told(rows.error());
  EXPECT_EQ(rows->rows.size(), 3U);
  EXPECT_TRUE(rows->is_truncated);
  EXPECT_FALSE(ask("SELECT 1", "ann", 1)->is_truncated);
  StoreOptions options = ours();
  options.statement_timeout_ms = 60;
  database_ = open(url_, options);
  const Result<QueryRows> slow =
      ask("SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b");
  ASSERT_FALSE(slow.has_value());
  EXPECT_EQ(slow.error().code, ErrorCode::limit) << told(slow.error());
  EXPECT_NE(slow.error().message.find("needs more work"), std::string::npos)
      << slow.error().message;
}

TEST_F(PostgresQuery, computed_values_have_their_types) {
  const Result<QueryRows> rows = ask(
      "SELECT count(*), sum(number), avg(number), max(amount), min(body), bool_and(number > 1), "
      "to_timestamp(0), array_agg(body ORDER BY body), NULL FROM notes");
  ASSERT_TRUE(rows.has_value()) << told(rows.error());
  EXPECT_EQ(rows->rows[0], (Row{std::int64_t{2}, std::int64_t{15}, 7.5, 0.1, std::string("n1"),
                                true, std::string("1970-01-01T00:00:00.000Z"),
                                std::string("[\"n1\",\"n2\"]"), Value()}));
}

}  // namespace
}  // namespace alfred
