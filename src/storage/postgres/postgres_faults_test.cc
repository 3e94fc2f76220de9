// The rows of robustness.md, part E, that are PostgreSQL's.
#include <barrier>
#include <set>

#include "base/test_size.h"
#include "storage/postgres/postgres_store_for_tests.h"

namespace alfred {
namespace {

class PostgresFaults : public PostgresStoreForTests {
 protected:
  // One op through a proxy that cuts at its COMMIT; true when exactly one shelf is there.
  void expect_once(CuttingProxy::Cut cut, const StoreOptions& options) {
    CuttingProxy proxy(server_);
    const auto database = open(proxy.through(url_), options);
    proxy.cut_next(cut);
    const Result<std::string> answer = database->write(call_of("ann"), add_shelf("s1"));
    ASSERT_TRUE(answer.has_value()) << told(answer.error());
    EXPECT_EQ(*answer, "s1");
    EXPECT_EQ(proxy.cuts(), 1);
    EXPECT_EQ(count("shelves"), "1");
  }

  Result<std::string> raise_rank(PostgresDatabase& database, const std::string& id,
                                 const std::function<void()>& after_read) {
    return database.write(call_of("ann"), [&, id](Tx& tx) -> Result<std::string> {
      ++runs_;
      SelectRows read = select_from(library_.shelves, {"rank"});
      read.where = where_is(library_.shelves, "id", CompareOp::eq, id);
      const Result<std::vector<Row>> rows = tx.select(read);
      if (!rows) return Unexpected(rows.error());
      after_read();
      const std::int64_t rank = std::get<std::int64_t>(rows->at(0).at(0)) + 1;
      UpdateRows change{
          &library_.shelves, {{field_of(library_.shelves, "rank"), rank}}, read.where};
      const Result<std::uint64_t> changed = tx.update(change);
      if (!changed) return Unexpected(changed.error());
      return std::to_string(rank);
    });
  }
};

using PostgresFaultsThreads = PostgresFaults;

TEST_F(PostgresFaults, E5_a_connection_lost_before_commit_runs_again_under_its_op) {
  const auto database = open(url_);
  const WriteCall call = call_of("ann");
  const Result<std::string> answer = database->write(call, [&](Tx& tx) -> Result<std::string> {
    Result<std::string> id = add_shelf("s1")(tx);
    if (runs_ == 1) server_.end_backends(url_);
    if (const Result<std::vector<Row>> rows = tx.select(select_from(library_.shelves, {"id"}));
        !rows)
      return Unexpected(rows.error());
    return id;
  });
  ASSERT_TRUE(answer.has_value()) << told(answer.error());
  EXPECT_EQ(runs_, 2);
  EXPECT_EQ(count("shelves"), "1");
  EXPECT_EQ(count("alfred.alfred_ops"), "1");
}

TEST_F(PostgresFaults, E5_idle_connections_that_died_are_not_noticed) {
  const auto database = open(url_);
  ASSERT_TRUE(database->write(call_of("ann"), add_shelf("s1")));
  server_.restart();
  ASSERT_TRUE(database->write(call_of("ann"), add_shelf("s2")));
  EXPECT_EQ(runs_, 2);
  server_.restart();
  const Result<void> read = database->read(Caller{"ann"}, [&](Tx& tx) -> Result<void> {
    const Result<std::vector<Row>> rows = tx.select(select_from(library_.shelves, {"id"}));
    if (!rows) return Unexpected(rows.error());
    EXPECT_EQ(rows->size(), 2U);
    return {};
  });
  EXPECT_TRUE(read.has_value()) << told(read.error());
}

TEST_F(PostgresFaultsThreads, E6_a_commit_that_never_arrived_runs_again) {
  expect_once(CuttingProxy::Cut::before, ours());
  EXPECT_EQ(runs_, 2);
}

TEST_F(PostgresFaultsThreads, E6_a_commit_whose_answer_was_lost_is_found_by_its_op) {
  expect_once(CuttingProxy::Cut::after, ours());
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(count("alfred.alfred_ops"), "1");
}

TEST_F(PostgresFaultsThreads, E6_a_commit_that_arrives_late_happens_once) {
  expect_once(CuttingProxy::Cut::late, ours());
}

TEST_F(PostgresFaultsThreads, E6_on_a_users_own_database_the_transaction_itself_is_looked_up) {
  open(url_);
  for (const auto cut :
       {CuttingProxy::Cut::before, CuttingProxy::Cut::after, CuttingProxy::Cut::late}) {
    PostgresForTests::run_on(url_, "DELETE FROM shelves");
    expect_once(cut, foreign());
  }
  EXPECT_EQ(count("alfred.alfred_ops"), "0");
}

TEST_F(PostgresFaultsThreads, E6_an_op_table_beside_a_users_own_tables_tells_too) {
  PostgresForTests::run_on(url_,
                           "CREATE TABLE shelves (user_id text, id text, name text, rank bigint)");
  StoreOptions options = foreign();
  options.allows_op_table = true;
  expect_once(CuttingProxy::Cut::after, options);
  EXPECT_EQ(count("alfred_ops"), "1");
}

TEST_F(PostgresFaultsThreads, E7_a_write_that_met_another_runs_again_and_loses_nothing) {
  const auto database = open(url_);
  ASSERT_TRUE(database->write(call_of("ann"), add_shelf("s1")));
  runs_ = 0;
  std::barrier both(2);
  const auto one = [&] {
    bool is_first = true;
    const Result<std::string> answer = raise_rank(*database, "s1", [&] {
      if (std::exchange(is_first, false)) both.arrive_and_wait();
    });
    EXPECT_TRUE(answer.has_value()) << told(answer.error());
  };
  std::thread other(one);
  one();
  other.join();
  EXPECT_EQ(runs_, 3);
  EXPECT_EQ(PostgresForTests::ask(url_, "SELECT rank FROM shelves"), "2");
}

TEST_F(PostgresFaultsThreads, E7_a_deadlock_ends_with_both_done) {
  const auto database = open(url_);
  for (const char* id : {"s1", "s2"}) ASSERT_TRUE(database->write(call_of("ann"), add_shelf(id)));
  PostgresForTests::run_on(url_, "ALTER DATABASE " +
                                     PostgresForTests::ask(url_, "SELECT current_database()") +
                                     " SET deadlock_timeout = '50ms'");
  const auto fast = open(url_);
  std::barrier both(2);
  const auto rename = [&](const std::string& first, const std::string& second) {
    bool is_first_run = true;
    const Result<std::string> answer =
        fast->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
          for (const std::string& id : {first, second}) {
            UpdateRows change{&library_.shelves,
                              {{field_of(library_.shelves, "rank"), std::int64_t{7}}},
                              where_is(library_.shelves, "id", CompareOp::eq, id)};
            const Result<std::uint64_t> changed = tx.update(change);
            if (!changed) return Unexpected(changed.error());
            if (std::exchange(is_first_run, false)) both.arrive_and_wait();
          }
          return "done";
        });
    EXPECT_TRUE(answer.has_value()) << told(answer.error());
  };
  std::thread other([&] { rename("s2", "s1"); });
  rename("s1", "s2");
  other.join();
}

TEST_F(PostgresFaults, E7_after_five_reruns_it_is_a_conflict) {
  const auto database = open(url_);
  ASSERT_TRUE(database->write(call_of("ann"), add_shelf("s1")));
  runs_ = 0;
  const Result<std::string> answer = raise_rank(*database, "s1", [&] {
    PostgresForTests::run_on(url_, "UPDATE shelves SET rank = rank + 100");
  });
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::conflict) << told(answer.error());
  EXPECT_EQ(runs_, 6);
}

TEST_F(PostgresFaults, E9_a_taken_name_is_a_conflict_with_the_column_and_without_the_value) {
  const auto database = open(url_);
  ASSERT_TRUE(database->write(call_of("ann"), add_shelf("secret")));
  const Result<std::string> answer =
      database->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        const Result<Row> row =
            tx.insert(insert_into(library_.shelves, {{"id", "s2"}, {"name", "secret"}}));
        if (!row) return Unexpected(row.error());
        return "stored";
      });
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::conflict);
  EXPECT_EQ(answer.error().path, "name");
  EXPECT_EQ(answer.error().message,
            "Another row has the same name. Give another value, or change that row.");
  EXPECT_EQ(told(answer.error()).find("secret"), std::string::npos) << told(answer.error());
  // Another user's shelf of that name is nobody's business.
  EXPECT_TRUE(database->write(call_of("bob"), add_shelf("secret")));
}

TEST_F(PostgresFaults, E10_a_broken_rule_in_the_middle_undoes_its_savepoint_only) {
  const auto database = open(url_);
  PostgresForTests::run_on(url_, R"(
    CREATE FUNCTION no_bad() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.title = 'bad' THEN RAISE EXCEPTION 'no % here', NEW.title; END IF; RETURN NEW; END $$;
    CREATE TRIGGER no_bad BEFORE INSERT ON books FOR EACH ROW EXECUTE FUNCTION no_bad())");
  std::vector<std::string> codes;
  const Result<std::string> answer =
      database->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        codes.clear();
        for (const InsertRow& plan :
             {insert_into(library_.books, {{"id", "b1"}, {"title", "one"}}),
              insert_into(library_.books, {{"id", "b2"}, {"title", "bad"}}),
              insert_into(library_.books,
                          {{"id", "b3"}, {"title", "x"}, {"pages", std::int64_t{-1}}}),
              insert_into(library_.books, {{"id", "b4"}, {"title", "y"}, {"shelf_id", "none"}}),
              insert_into(library_.books, {{"id", "b5"}}),
              insert_into(library_.books, {{"id", "b6"}, {"title", "two"}})}) {
          const Result<void> part = tx.savepoint([&]() -> Result<void> {
            const Result<Row> row = tx.insert(plan);
            if (!row) return Unexpected(row.error());
            return {};
          });
          codes.push_back(part ? "ok" : std::string(error_name(part.error().code)));
        }
        return "done";
      });
  ASSERT_TRUE(answer.has_value()) << told(answer.error());
  EXPECT_EQ(codes,
            (std::vector<std::string>{"ok", "conflict", "conflict", "conflict", "conflict", "ok"}));
  EXPECT_EQ(PostgresForTests::ask(url_, "SELECT string_agg(id, ',' ORDER BY id) FROM books"),
            "b1,b6");
}

TEST_F(PostgresFaults, E10_a_deferred_rule_looks_at_each_row_once_and_goes_on_being_deferred) {
  const auto database = open(url_);
  // A sequence counts what is undone as well.
  PostgresForTests::run_on(url_, R"(
    CREATE SEQUENCE looks;
    CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      $$ BEGIN PERFORM nextval('public.looks'); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER look AFTER INSERT ON books DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION look())");
  const auto looks = [&] {
    return PostgresForTests::ask(url_,
                                 "SELECT CASE WHEN is_called THEN last_value ELSE 0 END "
                                 "FROM looks");
  };
  std::vector<std::string> seen;
  const Result<std::string> answer =
      database->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        for (const char* const id : {"b1", "b2"}) {
          const Result<void> part = tx.savepoint([&]() -> Result<void> {
            tx.insert(insert_into(library_.books, {{"id", id}, {"title", id}})).value();
            seen.push_back(looks());
            return {};
          });
          EXPECT_TRUE(part.has_value());
          seen.push_back(looks());
        }
        return "done";
      });
  ASSERT_TRUE(answer.has_value()) << told(answer.error());
  EXPECT_EQ(seen, (std::vector<std::string>{"0", "1", "1", "2"}));
  EXPECT_EQ(looks(), "2");
}

TEST_F(PostgresFaults, E10_a_rule_that_may_be_deferred_and_is_not_stays_immediate) {
  const auto database = open(url_);
  PostgresForTests::run_on(
      url_,
      "ALTER TABLE shelves ADD CONSTRAINT one_name UNIQUE (name) DEFERRABLE INITIALLY IMMEDIATE");
  std::vector<std::string> told_of;
  const Result<std::string> answer =
      database->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        told_of.clear();
        tx.insert(insert_into(library_.shelves, {{"id", "s0"}, {"name", "taken"}})).value();
        for (const char* const id : {"s1", "s2", "s3"}) {
          const bool is_good = std::string_view(id) == "s2";
          const Result<void> part = tx.savepoint([&]() -> Result<void> {
            const Result<Row> row = tx.insert(
                insert_into(library_.shelves, {{"id", id}, {"name", is_good ? "free" : "taken"}}));
            if (!row) return Unexpected(row.error());
            return {};
          });
          told_of.push_back(part ? "good" : part.error().path + ": " + part.error().message);
        }
        return "done";
      });
  ASSERT_TRUE(answer.has_value()) << told(answer.error());
  ASSERT_EQ(told_of.size(), 3U);
  EXPECT_EQ(told_of[1], "good");
  EXPECT_EQ(told_of[0], told_of[2]);
  EXPECT_TRUE(told_of[0].starts_with("name: ")) << told_of[0];
}

TEST_F(PostgresFaultsThreads, E11_a_lock_that_others_hold_is_busy) {
  open(url_)->write(call_of("ann"), add_shelf("s1")).value();
  StoreOptions options = ours();
  options.busy_timeout_ms = 100;
  const auto database = open(url_, options);
  auto holder = PgSession::open(url_);
  ASSERT_TRUE(holder.has_value());
  ASSERT_TRUE((*holder)->run(PgCommand{"BEGIN", {}, false}));
  ASSERT_TRUE((*holder)->run(PgCommand{"UPDATE shelves SET rank = 5", {}, false}));
  const Result<std::string> answer = raise_rank(*database, "s1", [] {});
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::busy) << told(answer.error());
  ASSERT_TRUE((*holder)->run(PgCommand{"ROLLBACK", {}, false}));
  EXPECT_TRUE(raise_rank(*database, "s1", [] {}));
}

TEST_F(PostgresFaults, E11_a_statement_that_takes_too_long_is_busy) {
  open(url_);
  StoreOptions options = ours();
  options.statement_timeout_ms = 80;
  const auto database = open(url_, options);
  const Result<std::string> answer =
      database->write(call_of("ann"), [](Tx& tx) -> Result<std::string> {
        const Result<std::vector<Row>> rows = tx.run("SELECT pg_sleep(5)");
        if (!rows) return Unexpected(rows.error());
        return "slept";
      });
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::busy) << told(answer.error());
}

TEST_F(PostgresFaults, R1_of_the_pool_all_connections_in_use_is_busy) {
  StoreOptions options = ours();
  options.pool = 1;
  options.busy_timeout_ms = 50;
  const auto database = open(url_, options);
  const Result<void> read = database->read({}, [&](Tx&) -> Result<void> {
    const Result<std::string> inner = database->write(call_of("ann"), add_shelf("s1"));
    EXPECT_EQ(inner.error().code, ErrorCode::busy);
    return {};
  });
  EXPECT_TRUE(read.has_value());
}

// Every op is sent until it is answered, as a client would; the server meanwhile crashes and
// restarts.
TEST_F(PostgresFaultsThreads, E12_no_acknowledged_op_is_lost_and_none_is_doubled) {
  const auto database = open(url_);
  const std::size_t ops = test_size({60, 300, 1000});
  const std::size_t restarts = test_size({2, 4, 20});
  constexpr std::size_t kThreads = 3;
  std::atomic<std::size_t> answered = 0;
  std::atomic<std::size_t> errors = 0;
  const auto client = [&](std::size_t number) {
    for (std::size_t i = number; i < ops; i += kThreads) {
      const WriteCall call = call_of("ann");
      for (;;) {
        const Result<std::string> answer =
            database->write(call, [&](Tx& tx) -> Result<std::string> {
              const Result<Row> row = tx.insert(
                  insert_into(library_.notes, {{"body", std::string(call.op->view())}}, {"id"}));
              if (!row) return Unexpected(row.error());
              return std::to_string(std::get<std::int64_t>(row->at(0)));
            });
        if (answer) break;
        ++errors;
      }
      ++answered;
    }
  };
  std::vector<std::thread> clients;
  for (std::size_t i = 0; i < kThreads; ++i) clients.emplace_back(client, i);
  for (std::size_t i = 1; i <= restarts; ++i) {
    while (answered < i * ops / (restarts + 1))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (i % 2 == 0) {
      server_.crash();
    } else {
      server_.stop();
    }
    server_.start();
  }
  for (std::thread& one : clients) one.join();
  EXPECT_EQ(count("notes"), std::to_string(ops)) << errors << " errors on the way";
  EXPECT_EQ(PostgresForTests::ask(url_, "SELECT count(DISTINCT body) FROM notes"),
            std::to_string(ops));
  EXPECT_EQ(PostgresForTests::ask(url_,
                                  "SELECT count(*) FROM notes n JOIN alfred.alfred_ops o "
                                  "ON o.op = n.body AND o.answer = n.id::text"),
            std::to_string(ops));
}

}  // namespace
}  // namespace alfred
