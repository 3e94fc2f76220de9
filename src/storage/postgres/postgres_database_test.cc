#include "storage/postgres/postgres_database.h"

#include <gtest/gtest.h>

#include "storage/postgres/library_for_tests.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {
namespace {

class PostgresDatabaseTest : public testing::Test {
 protected:
  std::unique_ptr<PostgresDatabase> open(const std::string& url, StoreOptions options = ours()) {
    Result<std::unique_ptr<PostgresDatabase>> database =
        PostgresDatabase::open(DatabaseUrl{DatabaseUrl::Kind::postgres, url, "test"}, options);
    EXPECT_TRUE(database.has_value()) << (database ? "" : database.error().detail);
    return database ? std::move(*database) : nullptr;
  }

  static StoreOptions ours() {
    StoreOptions options;
    options.is_ours = true;
    options.packs = {Library::pack()};
    options.busy_timeout_ms = 2000;
    return options;
  }

  std::string url_ = PostgresForTests::server().fresh_database();
  Library library_;
};

TEST_F(PostgresDatabaseTest, R3_ours_holds_rows_and_state_in_one_transaction) {
  const auto database = open(url_);
  ASSERT_NE(database, nullptr);
  ASSERT_NE(database->state(), nullptr);
  const Result<std::string> answer =
      database->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        Result<Row> row = tx.insert(
            insert_into(library_.shelves, {{"id", "s1"}, {"name", "top"}}, {"id", "rank"}));
        if (!row) return Unexpected(row.error());
        EXPECT_EQ(*row, (Row{std::string("s1"), std::int64_t{0}}));
        Result<std::vector<Row>> ops = tx.run("SELECT count(*) FROM alfred_ops");
        if (!ops) return Unexpected(ops.error());
        return "done";
      });
  ASSERT_TRUE(answer.has_value()) << answer.error().message << answer.error().detail;
  EXPECT_EQ(*answer, "done");
}

}  // namespace
}  // namespace alfred
