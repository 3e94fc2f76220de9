#include "records/query/query_rows.h"

#include <gtest/gtest.h>

#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

class Query : public ::testing::TestWithParam<StoredRows::Kind> {
 protected:
  Result<RecordOutcome> call(std::string_view params) {
    StoredRows& place = StoredRows::one(GetParam(), library.schema);
    RecordContext context = library.context(library.registry, place.schema());
    return query_rows(place.store(library.rows), context,
                      parse_json(params, JsonLimits::none()).value());
  }
  std::string rows(std::string_view sql, std::string_view more = "") {
    const Result<RecordOutcome> outcome =
        call(fmt::format(R"({{"sql":{}{}}})", write_json(Json(sql)), more));
    EXPECT_TRUE(outcome) << sql << (outcome ? "" : outcome.error().message);
    if (!outcome) return "";
    ReadLibrary::expect_no_key(outcome->answer);
    return outcome->answer;
  }
  Error error(std::string_view sql) {
    const std::string before = RegistryJson::write(library.registry);
    const Result<RecordOutcome> outcome =
        call(fmt::format(R"({{"sql":{}}})", write_json(Json(sql))));
    EXPECT_FALSE(outcome) << sql << (outcome ? outcome->answer : "");
    EXPECT_EQ(RegistryJson::write(library.registry), before);
    return outcome ? Error{} : outcome.error();
  }
  ReadLibrary library;
};

TEST_P(Query, R2_keys_and_links_are_refs_by_origin) {
  EXPECT_EQ(rows("SELECT id, title, author_id AS who FROM books WHERE pages > 300 ORDER BY title"),
            R"({"rows":[{"id":"book_1","title":"Dune","who":"author_1"},)"
            R"({"id":"book_2","title":"Emma","who":"author_2"}]})");
  EXPECT_EQ(library.registry.status(library.registry.find("book_1")), RefStatus::read);
  EXPECT_EQ(library.registry.label(library.registry.find("book_1")), "Dune");
  EXPECT_EQ(library.registry.status(library.registry.find("author_1")), RefStatus::linked);
}

TEST_P(Query, R1_a_whole_number_may_be_written_with_a_point) {
  EXPECT_EQ(rows("SELECT title FROM books ORDER BY title", R"(,"limit":1.0)"),
            R"({"rows":[{"title":"Dune"}],"truncated":true,"hint":"only 1 rows are shown; narrow )"
            R"(the query with WHERE, fewer columns or LIMIT and OFFSET"})");
  const Result<RecordOutcome> half = call(R"({"sql":"SELECT 1","limit":1.5})");
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().path, "limit");
}

TEST_P(Query, R5_a_first_row_that_is_too_long_says_how_to_narrow) {
  const std::string long_text = GetParam() == StoredRows::Kind::postgres
                                    ? "repeat('x', 100000)"
                                    : "replace(hex(zeroblob(50000)), '0', 'x')";
  const std::string answer = rows("SELECT 1 AS n, " + long_text + " AS title FROM books LIMIT 1");
  EXPECT_NE(answer.find(R"({"rows":[],"truncated":true,"hint":"the first row alone)"),
            std::string::npos)
      << answer;
  EXPECT_NE(answer.find("substr(title, 1, "), std::string::npos) << answer;
}

TEST_P(Query, R2_the_same_row_has_the_same_ref_as_in_a_read) {
  library.read(R"({"table":"books","order":"title desc"})");
  EXPECT_EQ(rows("SELECT id FROM books WHERE title = 'Dune'"), R"({"rows":[{"id":"book_4"}]})");
}

TEST_P(Query, R2_joins_may_name_a_column_twice) {
  EXPECT_EQ(rows("SELECT b.id, s.id FROM books b JOIN books s ON s.sequel_of = b.id"),
            R"({"rows":[{"id":"book_1","id_2":"book_2"}]})");
  EXPECT_EQ(library.registry.label(library.registry.find("book_1")), "");
}

TEST_P(Query, R1_rows_of_others_and_hidden_columns_are_out_of_reach) {
  EXPECT_EQ(rows("SELECT count(*) AS n FROM books"), R"({"rows":[{"n":4}]})");
  EXPECT_EQ(rows("SELECT title FROM books WHERE title LIKE 'Foreign%'"), R"({"rows":[]})");
  for (const char* sql :
       {"SELECT secret FROM books", "SELECT user_id FROM books", "SELECT upper(secret) FROM books",
        "SELECT * FROM sqlite_master", "DELETE FROM books", "SELECT 1; SELECT 2",
        "PRAGMA table_info(books)", "ATTACH 'x' AS y", "nonsense"})
    EXPECT_EQ(error(sql).code, ErrorCode::query) << sql;
  EXPECT_EQ(rows("SELECT * FROM visits WHERE people = 7"),
            R"({"rows":[{"day":"2026-01-06","people":7}]})");
}

TEST_P(Query, R3_text_of_tables_is_masked) {
  library.add_book(6, fmt::format("See {}", book_key(1)), {.tags = R"(["sea"])"});
  EXPECT_EQ(rows("SELECT title, tags, cover FROM books WHERE title LIKE 'See%'"),
            R"({"rows":[{"title":"See lit_1","tags":["sea"],"cover":"<5 bytes>"}]})");
}

TEST_P(Query, R4_keys_are_no_part_of_what_is_computed) {
  const bool is_sqlite = GetParam() == StoredRows::Kind::sqlite;
  for (const char* sql :
       {"SELECT upper(id) AS x FROM books",
        is_sqlite ? "SELECT group_concat(id) AS x FROM books"
                  : "SELECT string_agg(id, ',') AS x FROM books",
        "SELECT substr(id, 1, 8) AS x FROM books", "SELECT 'k' || author_id AS x FROM books",
        "SELECT replace(id, '-', '') AS x FROM books",
        "SELECT author_id, author_id + 0 AS x FROM books",
        "SELECT author_id, author_id * 1.0 AS x FROM books", "SELECT max(id) AS x FROM books"})
    EXPECT_EQ(error(sql).code, ErrorCode::query) << sql;
  EXPECT_NE(error("SELECT upper(id) FROM books").message.find("counted"), std::string::npos);
}

TEST_P(Query, R4_keys_are_counted_compared_and_grouped_by) {
  EXPECT_EQ(rows("SELECT b.sequel_of, count(b.id) AS n FROM books b JOIN books a "
                 "ON a.id = b.sequel_of GROUP BY b.sequel_of ORDER BY b.sequel_of"),
            R"({"rows":[{"sequel_of":"book_1","n":1}]})");
}

TEST_P(Query, R2_a_column_is_a_key_whatever_it_is_called_on_the_way) {
  EXPECT_EQ(rows("SELECT k FROM (SELECT id AS k, title FROM books UNION SELECT id, title FROM "
                 "books) AS both_of_them WHERE title = 'Dune'"),
            R"({"rows":[{"k":"book_1"}]})");
}

TEST_P(Query, R4_prose_in_computed_columns_is_masked_by_its_words) {
  library.add_book(6, fmt::format("See {} twice", book_key(1)), {});
  EXPECT_EQ(rows("SELECT title || '!' AS x FROM books WHERE title LIKE 'See%'"),
            R"({"rows":[{"x":"See lit_1 twice!"}]})");
  EXPECT_EQ(
      rows("SELECT substr(title, 30, 10) AS x FROM books WHERE title LIKE 'See%'").find("lit_"),
      15U);
}

TEST_P(Query, R4_other_numbers_and_texts_are_shown) {
  EXPECT_EQ(rows("SELECT sum(pages) AS pages, upper(min(title)) AS t, 1.5 AS f, NULL AS n "
                 "FROM books"),
            R"({"rows":[{"pages":1342,"t":"DUNE","f":1.5,"n":null}]})");
}

TEST_P(Query, R5_limits) {
  const std::string answer = rows("SELECT title FROM books ORDER BY title", R"(,"limit":2)");
  EXPECT_NE(answer.find(R"([{"title":"Dune"},{"title":"Dune Messiah"}],"truncated":true)"),
            std::string::npos)
      << answer;
  for (int i = 20; i < 40; ++i) library.add_book(i, fmt::format("Book {}", i), {});
  library.limits.read_bytes = 500;
  const std::string cut = rows("SELECT id, title FROM books ORDER BY title");
  EXPECT_LE(cut.size(), 500u);
  EXPECT_NE(cut.find("truncated"), std::string::npos);
  EXPECT_EQ(library.registry.find("book_20"), kNoEntity);
  EXPECT_EQ(call(R"({"sql":"SELECT 1","limit":201})").error().code, ErrorCode::limit);
  EXPECT_EQ(call(R"({"sql":"SELECT 1","limit":0})").error().code, ErrorCode::schema);
  EXPECT_EQ(call(R"({"sql":7})").error().path, "sql");
  EXPECT_EQ(call(R"({"sql":"SELECT 1","user_id":"bob"})").error().code, ErrorCode::schema);
}

TEST_P(Query, R6_refs_inside_sql_are_refused) {
  library.read(R"({"table":"books"})");
  // The first two would be answered with a number that is wrong.
  for (const char* sql :
       {"SELECT count(*) AS n FROM books WHERE id = 'book_1'",
        "SELECT count(*) AS n FROM books WHERE id NOT IN ('x', 'book_1')",
        "SELECT title FROM books WHERE author_id = 'author_1' -- of the author"}) {
    const Error refused = error(sql);
    EXPECT_EQ(refused.code, ErrorCode::query) << sql;
    EXPECT_NE(refused.message.find("db_read"), std::string::npos) << refused.message;
  }
  EXPECT_EQ(rows("SELECT title FROM books WHERE title = 'none'"), R"({"rows":[]})");
  EXPECT_EQ(rows("SELECT title FROM books WHERE title = 'book_99' OR title = 'a book_1'"),
            R"({"rows":[]})");
}

TEST_P(Query, R3_numbers_in_json_that_are_known_keys_are_hidden) {
  library.rows.tables["books"][0][11] =
      text_value(R"({"a":918273641,"b":[918273641,12],"c":"918273641"})");
  library.rows.tables["books"][1][11] = text_value("918273642");
  library.read(R"({"table":"authors"})");
  EXPECT_EQ(rows("SELECT extra FROM books WHERE title = 'Dune'"),
            R"({"rows":[{"extra":{"a":"lit_2","b":["lit_2",12],"c":"lit_1"}}]})");
  EXPECT_EQ(rows("SELECT extra FROM books WHERE title = 'Emma'").find("918273642"),
            std::string::npos);
}

TEST_P(Query, R1_a_rowid_is_refused_and_not_answered_with_nothing) {
  for (const char* sql :
       {"SELECT rowid, title FROM books", "SELECT title FROM books WHERE rowid = 1",
        "SELECT title FROM books ORDER BY \"_rowid_\""})
    EXPECT_EQ(error(sql).code, ErrorCode::query) << sql;
  if (GetParam() == StoredRows::Kind::sqlite)
    EXPECT_NE(error("SELECT books.OID FROM books").message.find("no rowid"), std::string::npos);
  EXPECT_EQ(rows("SELECT title FROM books WHERE title = 'rowid'"), R"({"rows":[]})");
}

INSTANTIATE_TEST_SUITE_P(Stores, Query, testing::ValuesIn(StoredRows::kKinds),
                         [](const auto& kind) { return StoredRows::name(kind.param); });

}  // namespace
}  // namespace alfred
