// Statements that are wanted no more while they run (pg_session.h, R6).
#include <chrono>
#include <thread>

#include "base/stop_scope.h"
#include "storage/postgres/postgres_store_for_tests.h"

namespace alfred {
namespace {

class PostgresStopThreads : public PostgresStoreForTests {
 protected:
  ~PostgresStopThreads() override {
    if (other_.joinable()) other_.join();
  }
  void stop_soon() {
    other_ = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop_ = true;
    });
  }
  StopFlag stop_{false};
  std::thread other_;
};

TEST_F(PostgresStopThreads, R6_a_statement_is_cancelled_and_the_connection_goes_on) {
  auto session = PgSession::open(url_);
  ASSERT_TRUE(session.has_value());
  const auto began = std::chrono::steady_clock::now();
  {
    const StopScope scope(&stop_);
    stop_soon();
    const auto slept = (*session)->run(PgCommand{"SELECT pg_sleep(60)", {}, false});
    ASSERT_FALSE(slept.has_value());
    EXPECT_EQ(slept.error().state, "57014") << slept.error().message;
    EXPECT_FALSE(slept.error().is_lost);
    EXPECT_TRUE((*session)->run(PgCommand{"SELECT 1", {}, false}).has_value());  // it is short
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
  EXPECT_TRUE((*session)->run(PgCommand{"SELECT pg_sleep(0.2)", {}, false}).has_value());
}

TEST_F(PostgresStopThreads, R6_a_write_is_undone_and_the_next_one_works) {
  const auto database = open(url_);
  {
    const StopScope scope(&stop_);
    stop_soon();
    const Result<std::string> written =
        database->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
          if (Result<std::string> added = add_shelf("undone")(tx); !added) return added;
          Result<std::vector<Row>> rows = tx.run("SELECT pg_sleep(25)");
          if (!rows) return Unexpected(std::move(rows).error());
          return std::string();
        });
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::busy) << told(written.error());
  }
  EXPECT_TRUE(database->write(call_of("ann"), add_shelf("kept")));
  EXPECT_EQ(count("shelves"), "1");
}

}  // namespace
}  // namespace alfred
