// What robustness.md says of files (E1, E3, E4, E13, E14, E18), as a server's clients meet it:
// others hold its tables, its disk fails, it is killed, a database of it is closed, gone, damaged
// or read-only.
#include "storage/postgres/postgres_store_for_tests.h"

namespace alfred {
namespace {

class PostgresServerFaults : public PostgresStoreForTests {
 protected:
  // A shelf and its book, in one write.
  WriteFn add_pair(
      const std::string& id, const std::function<void()>& between = [] {}) {
    return [this, id, between](Tx& tx) -> Result<std::string> {
      ++runs_;
      const Result<Row> shelf =
          tx.insert(insert_into(library_.shelves, {{"id", id}, {"name", id}}));
      if (!shelf) return Unexpected(shelf.error());
      between();
      const Result<Row> book = tx.insert(
          insert_into(library_.books, {{"id", "b" + id}, {"title", id}, {"shelf_id", id}}));
      if (!book) return Unexpected(book.error());
      return id;
    };
  }
  std::string pairs() const {
    return PostgresForTests::ask(url_,
                                 "SELECT string_agg(s.id || coalesce(b.id, '?'), ',' ORDER BY "
                                 "s.id) FROM shelves s FULL JOIN books b ON b.shelf_id = s.id");
  }
  std::size_t shelves_seen(PostgresDatabase& database) {
    std::size_t count = 0;
    const Result<void> read = database.read(Caller{"ann"}, [&](Tx& tx) -> Result<void> {
      const Result<std::vector<Row>> rows = tx.select(select_from(library_.shelves, {"id"}));
      if (!rows) return Unexpected(rows.error());
      count = rows->size();
      return {};
    });
    EXPECT_TRUE(read.has_value()) << told(read.error());
    return count;
  }
  // From here on every new shelf meets this error: at once, or when its write is stored.
  void fail_with(const std::string& state, bool is_at_commit = false) {
    PostgresForTests::run_on(
        url_, fmt::format("CREATE OR REPLACE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS "
                          "$$ BEGIN RAISE EXCEPTION 'could not read block 7' USING ERRCODE = '{}'; "
                          "END $$;"
                          "CREATE {} TRIGGER fault AFTER INSERT ON shelves {} FOR EACH ROW EXECUTE "
                          "FUNCTION fault()",
                          state, is_at_commit ? "CONSTRAINT" : "",
                          is_at_commit ? "DEFERRABLE INITIALLY DEFERRED" : ""));
  }
  void fail_no_more() { PostgresForTests::run_on(url_, "DROP TRIGGER fault ON shelves"); }
  std::string name() const { return PostgresForTests::ask(url_, "SELECT current_database()"); }
};

TEST_F(PostgresServerFaults, E1_a_table_that_another_program_holds_is_busy) {
  open(url_);
  StoreOptions options = foreign();
  options.busy_timeout_ms = 50;
  const auto database = open(url_, options);
  auto other = PgSession::open(url_);
  ASSERT_TRUE(other.has_value());
  ASSERT_TRUE((*other)->run(PgCommand{"BEGIN", {}, false}));
  ASSERT_TRUE((*other)->run(PgCommand{"LOCK TABLE books", {}, false}));
  const Result<std::string> answer = database->write(call_of("ann"), add_pair("s1"));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::busy) << told(answer.error());
  ASSERT_TRUE((*other)->run(PgCommand{"ROLLBACK", {}, false}));
  EXPECT_EQ(pairs(), "");  // nothing half done
  ASSERT_TRUE(database->write(call_of("ann"), add_pair("s1")));
  EXPECT_EQ(pairs(), "s1bs1");
}

TEST_F(PostgresServerFaults, E3_after_an_io_error_an_answer_tells_what_the_database_holds) {
  const auto database = open(url_);
  for (const bool is_at_commit : {false, true}) {
    const std::string id = is_at_commit ? "s2" : "s1";
    fail_with("58030", is_at_commit);
    const WriteCall call = call_of("ann");
    const Result<std::string> answer = database->write(call, add_pair(id));
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::storage) << told(answer.error());
    EXPECT_FALSE(database->health().is_writable);
    fail_no_more();
    EXPECT_EQ(pairs().find(id), std::string::npos);
    EXPECT_FALSE(database->answer_of(*call.op).value().has_value());
    EXPECT_EQ(database->write(call, add_pair(id)).value(), id);
    EXPECT_TRUE(database->health().is_writable);
  }
  EXPECT_EQ(pairs(), "s1bs1,s2bs2");
}

TEST_F(PostgresServerFaults, E4_what_was_answered_is_there_after_a_crash_and_nothing_by_halves) {
  StoreOptions options = ours();
  options.busy_timeout_ms = 50;
  const auto database = open(url_, options);
  ASSERT_TRUE(database->write(call_of("ann"), add_pair("s1")));
  const WriteCall call = call_of("ann");
  const Result<std::string> answer = database->write(call, add_pair("s2", [&] {
                                                       if (runs_ == 2) server_.crash();
                                                     }));
  server_.start();
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(pairs(), "s1bs1");
  EXPECT_EQ(database->write(call, add_pair("s2")).value(), "s2");
  EXPECT_EQ(pairs(), "s1bs1,s2bs2");
}

TEST_F(PostgresServerFaults, E13_a_database_that_is_closed_is_left_alone_until_it_is_open_again) {
  StoreOptions options = ours();
  options.busy_timeout_ms = 50;
  const auto database = open(url_, options);
  const std::string closed = name();
  server_.admin("ALTER DATABASE " + closed + " ALLOW_CONNECTIONS false");
  server_.admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" +
                closed + "'");
  const Result<std::string> answer = database->write(call_of("ann"), add_pair("s1"));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::storage) << told(answer.error());
  EXPECT_NE(answer.error().message.find("cannot be reached"), std::string::npos)
      << answer.error().message;
  server_.admin("ALTER DATABASE " + closed + " ALLOW_CONNECTIONS true");
  EXPECT_TRUE(database->write(call_of("ann"), add_pair("s2")));
  EXPECT_EQ(pairs(), "s2bs2");
}

TEST_F(PostgresServerFaults, E13_a_database_that_was_replaced_is_not_written) {
  StoreOptions options = ours();
  options.busy_timeout_ms = 50;
  const auto database = open(url_, options);
  ASSERT_TRUE(database->write(call_of("ann"), add_pair("s1")));
  const std::string replaced = name();
  server_.admin("DROP DATABASE " + replaced + " WITH (FORCE)");
  server_.admin("CREATE DATABASE " + replaced + " TEMPLATE template0");
  const Result<std::string> answer = database->write(call_of("ann"), add_pair("s2"));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(PostgresForTests::ask(url_,
                                  "SELECT count(*) FROM pg_tables WHERE schemaname IN "
                                  "('public', 'alfred')"),
            "0");
}

TEST_F(PostgresServerFaults, E14_what_the_server_finds_damaged_is_said_and_left_alone) {
  const auto database = open(url_);
  ASSERT_TRUE(database->write(call_of("ann"), add_pair("s1")));
  for (const char* state : {"XX001", "XX002"}) {
    fail_with(state);
    const Result<std::string> answer = database->write(call_of("ann"), add_pair("s2"));
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::corrupt) << told(answer.error());
    fail_no_more();
    EXPECT_EQ(pairs(), "s1bs1");
  }
}

TEST_F(PostgresServerFaults, E18_a_database_that_takes_no_writes_is_an_error_and_not_an_empty_one) {
  ASSERT_TRUE(open(url_)->write(call_of("ann"), add_pair("s1")));
  server_.admin("ALTER DATABASE " + name() + " SET default_transaction_read_only = on");
  for (const StoreOptions& options : {ours(), foreign()}) {
    const auto database = open(url_, options);
    EXPECT_EQ(shelves_seen(*database), 1U);
    const Result<std::string> answer = database->write(call_of("ann"), add_pair("s2"));
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::storage) << told(answer.error());
    EXPECT_NE(answer.error().message.find("takes no writes"), std::string::npos)
        << answer.error().message;
    EXPECT_FALSE(database->health().is_writable);
    EXPECT_EQ(shelves_seen(*database), 1U);
  }
  server_.admin("ALTER DATABASE " + name() + " RESET default_transaction_read_only");
  EXPECT_TRUE(open(url_)->write(call_of("ann"), add_pair("s2")));
}

}  // namespace
}  // namespace alfred
