// RecordStore::query: what is read and what is refused, alike on both.
#include "store_under_test.h"

namespace alfred {
namespace {

class Queries : public StoreUnderTest {
 protected:
  void SetUp() override {
    for (const char* user : {"ann", "bob"})
      ASSERT_FALSE(store_row(insert_into(library_.shelves, {{"id", user}, {"name", "top"}}), user));
    add_note("n1", std::int64_t{7}, 0.5);
    add_note("n2", std::int64_t{8});
  }
  Result<QueryRows> ask(std::string_view sql, std::size_t max_rows = 10) {
    const Table* const tables[] = {&library_.shelves, &library_.notes};
    return store_->query(Caller{"ann"}, sql, tables, max_rows);
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, Queries, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

TEST_P(Queries, rows_come_with_their_origins) {
  const Result<QueryRows> rows =
      ask("SELECT n.body, n.number + 1 AS more, n.amount FROM notes AS n ORDER BY n.number DESC");
  ASSERT_TRUE(rows.has_value()) << told(rows.error());
  EXPECT_EQ(rows->columns[0].table + "." + rows->columns[0].column, "notes.body");
  EXPECT_EQ(rows->columns[1].name, "more");
  EXPECT_EQ(rows->columns[1].table, "");
  EXPECT_EQ(rows->rows, (std::vector<Row>{{std::string("n2"), std::int64_t{9}, Value()},
                                          {std::string("n1"), std::int64_t{8}, 0.5}}));
}

TEST_P(Queries, only_the_callers_rows_are_there) {
  const Result<QueryRows> rows = ask("SELECT id FROM shelves");
  ASSERT_TRUE(rows.has_value()) << told(rows.error());
  EXPECT_EQ(rows->rows, (std::vector<Row>{{std::string("ann")}}));
  EXPECT_EQ(ask("SELECT count(*) FROM shelves")->rows, (std::vector<Row>{{std::int64_t{1}}}));
}

TEST_P(Queries, rows_are_capped) {
  const Result<QueryRows> rows = ask("SELECT body FROM notes ORDER BY id", 1);
  ASSERT_TRUE(rows.has_value()) << told(rows.error());
  EXPECT_EQ(rows->rows.size(), 1U);
  EXPECT_TRUE(rows->is_truncated);
  EXPECT_FALSE(ask("SELECT body FROM notes", 2)->is_truncated);
}

TEST_P(Queries, anything_else_is_refused) {
  for (const char* sql :
       {"DELETE FROM notes", "SELECT 1; SELECT 2", "SELECT * FROM books",
        "SELECT * FROM alfred_ops", "SELECT * FROM nowhere", "SELECT nothing FROM notes", "",
        "not sql", "CREATE TABLE x (y text)", "SELECT user_id FROM shelves"}) {
    const Result<QueryRows> rows = ask(sql);
    ASSERT_FALSE(rows.has_value()) << sql;
    EXPECT_EQ(rows.error().code, ErrorCode::query) << sql << ": " << told(rows.error());
  }
  EXPECT_EQ(ask("SELECT * FROM books").error().message,
            ask("SELECT * FROM nowhere").error().message);
}

}  // namespace
}  // namespace alfred
