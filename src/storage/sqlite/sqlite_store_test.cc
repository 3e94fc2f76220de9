#include "storage/sqlite/sqlite_store.h"

#include <random>
#include <stdexcept>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

using Titles = std::vector<std::string>;

class SqliteStores : public SqliteFixture {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<RecordStore>> opened = open(path("own.db"), ours());
    ASSERT_TRUE(opened) << opened.error().message << opened.error().detail;
    store_ = std::move(*opened);
  }
  std::unique_ptr<RecordStore> store_;
};

TEST_F(SqliteStores, R2_a_closure_that_fails_leaves_nothing) {
  const Result<std::string> answer = store_->write(call(), [&](Tx& tx) -> Result<std::string> {
    EXPECT_TRUE(tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("a")}}, {}}));
    return fail(ErrorCode::value, "no");
  });
  EXPECT_EQ(answer.error().code, ErrorCode::value);
  EXPECT_EQ(titles(*store_), Titles{});
}

TEST_F(SqliteStores, R2_what_was_answered_is_there_after_reopening) {
  ASSERT_TRUE(add_note(*store_, "a"));
  store_.reset();
  const Result<std::unique_ptr<RecordStore>> again = open(path("own.db"), ours());
  ASSERT_TRUE(again);
  EXPECT_EQ(titles(**again), Titles{"a"});
}

TEST_F(SqliteStores, R3_an_op_happens_once) {
  const WriteCall once = call();
  int runs = 0;
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    ++runs;
    EXPECT_TRUE(tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("a")}}, {}}));
    return std::string("first");
  };
  EXPECT_EQ(store_->write(once, closure).value(), "first");
  EXPECT_EQ(store_->write(once, closure).value(), "first");
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(store_->state()->answer_of(*once.op).value(), "first");
  EXPECT_EQ(store_->state()->answer_of(*call().op).value(), std::nullopt);
  const WriteCall other{once.op, "another request", {}};
  EXPECT_EQ(store_->write(other, closure).error().code, ErrorCode::op_reused);
}

TEST_F(SqliteStores, R3_an_op_that_failed_may_be_tried_again) {
  const WriteCall once = call();
  const auto fails = [](Tx&) -> Result<std::string> { return fail(ErrorCode::value, "no"); };
  EXPECT_FALSE(store_->write(once, fails));
  EXPECT_EQ(store_->write(once, [](Tx&) -> Result<std::string> { return "yes"; }).value(), "yes");
}

TEST_F(SqliteStores, a_read_sees_nothing_that_is_committed_meanwhile) {
  const SelectRows plan{.table = &notes_, .fields = {notes_.fields.data() + 1}};
  const Result<void> done = store_->read({}, [&](Tx& tx) -> Result<void> {
    EXPECT_TRUE(add_note(*store_, "meanwhile"));
    EXPECT_TRUE(tx.select(plan)->empty());
    return {};
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(titles(*store_), Titles{"meanwhile"});
}

TEST_F(SqliteStores, a_read_that_writes_is_a_bug) {
  const Result<void> done = store_->read({}, [&](Tx& tx) -> Result<void> {
    const Result<Row> row =
        tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("a")}}, {}});
    EXPECT_EQ(row.error().code, ErrorCode::bug);
    const Param params[] = {{"id", std::string("1")}};
    EXPECT_EQ(tx.run("DELETE FROM alfred_things WHERE id = :id", params).error().code,
              ErrorCode::bug);
    return {};
  });
  EXPECT_TRUE(done);
}

TEST_F(SqliteStores, a_write_inside_a_write_is_a_bug) {
  const Result<std::string> answer =
      store_->write(call(), [&](Tx&) -> Result<std::string> { return add_note(*store_, "inner"); });
  EXPECT_EQ(answer.error().code, ErrorCode::bug);
}

TEST_F(SqliteStores, a_closure_that_throws_is_a_bug_and_leaves_nothing) {
  const Result<std::string> answer = store_->write(call(), [&](Tx& tx) -> Result<std::string> {
    EXPECT_TRUE(tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("a")}}, {}}));
    throw std::runtime_error("thrown");
  });
  EXPECT_EQ(answer.error().code, ErrorCode::bug);
  EXPECT_EQ(titles(*store_), Titles{});
}

TEST_F(SqliteStores, values_come_back_as_their_type_says) {
  const auto field = [&](std::size_t at) { return notes_.fields.data() + at; };
  const Result<std::string> answer = store_->write(call(), [&](Tx& tx) -> Result<std::string> {
    const Result<Row> row =
        tx.insert({&notes_,
                   {{field(1), std::string("'; DROP TABLE notes; --")},
                    {field(2), std::int64_t{-5}},
                    {field(3), 0.1 + 0.2},
                    {field(4), true},
                    {field(5), std::string("7")}},
                   {field(0), field(1), field(2), field(3), field(4), field(5)}});
    EXPECT_EQ(row.value(), (Row{std::int64_t{1}, std::string("'; DROP TABLE notes; --"),
                                std::int64_t{-5}, 0.1 + 0.2, true, std::string("7")}));
    const Result<Row> whole =
        tx.insert({&notes_, {{field(1), std::string("b")}, {field(3), 3.0}}, {field(3), field(4)}});
    EXPECT_EQ(whole.value(), (Row{3.0, std::monostate()}));
    return std::string();
  });
  EXPECT_TRUE(answer);
}

TEST_F(SqliteStores, our_own_statements_take_named_values) {
  const Result<std::string> answer = store_->write(call(), [&](Tx& tx) -> Result<std::string> {
    const Param params[] = {{"body", std::string("x")}, {"id", std::string("1")}};
    const Statement insert =
        "INSERT INTO alfred_things (id, body) VALUES (:id, :body) RETURNING body";
    EXPECT_EQ(tx.run(insert, params).value(), (std::vector<Row>{{std::string("x")}}));
    // An error ends its savepoint only.
    const auto code_of = [&](const Statement& statement, Params given = {}) {
      const Result<void> part = tx.savepoint([&]() -> Result<void> {
        const Result<std::vector<Row>> rows = tx.run(statement, given);
        return rows ? Result<void>() : Unexpected(rows.error());
      });
      return part ? ErrorCode::json : part.error().code;
    };
    const Param wrong[] = {{"body", std::string("x")}, {"no", std::string("1")}};
    EXPECT_EQ(code_of(insert, wrong), ErrorCode::bug);
    EXPECT_EQ(code_of(insert), ErrorCode::bug);
    EXPECT_EQ(code_of("DROP TABLE alfred_things"), ErrorCode::storage);
    EXPECT_EQ(code_of("PRAGMA writable_schema=1"), ErrorCode::storage);
    EXPECT_EQ(code_of("ATTACH 'x' AS y"), ErrorCode::storage);
    EXPECT_EQ(code_of("SELECT load_extension('x')"), ErrorCode::storage);
    EXPECT_EQ(code_of("DELETE FROM sqlite_schema"), ErrorCode::storage);
    return std::string();
  });
  EXPECT_TRUE(answer);
}

TEST_F(SqliteStores, a_savepoint_undoes_its_part_alone) {
  const auto add = [&](Tx& tx, const char* title) {
    return tx.insert({&notes_, {{notes_.fields.data() + 1, std::string(title)}}, {}}).has_value();
  };
  const Result<std::string> answer = store_->write(call(), [&](Tx& tx) -> Result<std::string> {
    EXPECT_TRUE(add(tx, "a"));
    const Result<void> part = tx.savepoint([&]() -> Result<void> {
      EXPECT_TRUE(add(tx, "b"));
      EXPECT_TRUE(tx.savepoint([&]() -> Result<void> {
        EXPECT_TRUE(add(tx, "c"));
        return {};
      }));
      return fail(ErrorCode::value, "no");
    });
    EXPECT_EQ(part.error().code, ErrorCode::value);
    EXPECT_TRUE(add(tx, "d"));
    return std::string();
  });
  EXPECT_TRUE(answer);
  EXPECT_EQ(titles(*store_), (Titles{"a", "d"}));
}

TEST_F(SqliteStores, a_part_that_throws_before_it_writes_leaves_the_outer_one_as_it_is) {
  const auto add = [&](Tx& tx, const char* title) {
    return tx.insert({&notes_, {{notes_.fields.data() + 1, std::string(title)}}, {}}).has_value();
  };
  ASSERT_TRUE(store_->write(call(), [&](Tx& tx) -> Result<std::string> {
    EXPECT_TRUE(add(tx, "a"));
    EXPECT_FALSE(tx.savepoint([&]() -> Result<void> {
      EXPECT_TRUE(add(tx, "b"));
      try {
        (void)tx.savepoint([]() -> Result<void> { throw std::runtime_error("on purpose"); });
      } catch (const std::runtime_error&) {
        return fail(ErrorCode::value, "thrown");
      }
      return {};
    }));
    EXPECT_TRUE(add(tx, "c"));
    return std::string();
  }));
  EXPECT_EQ(titles(*store_), (Titles{"a", "c"}));
}

// Pages by `after` are the whole order, cut: against rows with nulls and equal values.
TEST_F(SqliteStores, pages_of_any_order_give_every_row_once) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(testing::Message() << "ALFRED_TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  ASSERT_TRUE(store_->write(call(), [&](Tx& tx) -> Result<std::string> {
    for (int i = 0; i < 60; ++i) {
      const auto maybe = [&](Value value) { return random() % 3 == 0 ? Value() : value; };
      const Result<Row> row =
          tx.insert({&notes_,
                     {{notes_.fields.data() + 1, "t" + std::to_string(i)},
                      {notes_.fields.data() + 2, maybe(static_cast<std::int64_t>(random() % 4))},
                      {notes_.fields.data() + 3, maybe(static_cast<double>(random() % 4) / 4)}},
                     {}});
      EXPECT_TRUE(row);
    }
    return std::string();
  }));
  for (std::size_t round = 0; round < test_size({2, 8, 40}); ++round) {
    SelectRows plan{.table = &notes_};
    for (const std::size_t at : {2U, 3U, 0U})
      plan.order.push_back({notes_.fields.data() + at, random() % 2 == 0});
    if (random() % 2 == 0) std::swap(plan.order[0], plan.order[1]);
    for (const OrderBy& one : plan.order) plan.fields.push_back(one.field);
    std::vector<Row> whole;
    std::vector<Row> pages;
    const Result<void> done = store_->read({}, [&](Tx& tx) -> Result<void> {
      whole = tx.select(plan).value();
      plan.limit = 1 + random() % 7;
      for (std::vector<Row> page = tx.select(plan).value(); !page.empty();
           page = tx.select(plan).value()) {
        pages.insert(pages.end(), page.begin(), page.end());
        plan.after = page.back();
      }
      return {};
    });
    ASSERT_TRUE(done);
    ASSERT_EQ(whole.size(), 60U);
    EXPECT_EQ(pages, whole);
    EXPECT_TRUE(is_null(whole.back()[0]));
    EXPECT_FALSE(is_null(whole.front()[0]));
  }
}

TEST_F(SqliteStores, lists_and_tuples_find_what_single_values_find) {
  for (const char* title : {"a", "b", "c"}) ASSERT_TRUE(add_note(*store_, title));
  const Field* id = notes_.fields.data();
  const Field* title = id + 1;
  const auto found = [&](const Condition& where) {
    std::vector<Row> rows;
    const Result<void> done = store_->read({}, [&](Tx& tx) -> Result<void> {
      rows =
          tx.select({.table = &notes_, .fields = {title}, .where = where, .order = {{id, false}}})
              .value();
      return {};
    });
    EXPECT_TRUE(done);
    return rows;
  };
  const Row a{std::string("a")};
  const Row b{std::string("b")};
  const Row c{std::string("c")};
  using Kind = Condition::Kind;
  EXPECT_EQ(found({.kind = Kind::in,
                   .field = title,
                   .values = {std::string("c"), std::string("a"), std::string("A")}}),
            (std::vector<Row>{a, c}));
  EXPECT_EQ(found({.kind = Kind::not_in,
                   .field = id,
                   .values = {std::int64_t{1}, std::monostate(), std::int64_t{3}}}),
            (std::vector<Row>{b}));
  EXPECT_EQ(found({.kind = Kind::tuple_in,
                   .values = {std::int64_t{1}, std::string("a"), std::int64_t{2}, std::string("c"),
                              std::int64_t{3}, std::string("c")},
                   .fields = {id, title}}),
            (std::vector<Row>{a, c}));
  EXPECT_EQ(found({.kind = Kind::in, .field = id}), std::vector<Row>{});
  EXPECT_EQ(found({.kind = Kind::any}), std::vector<Row>{});
}

TEST_F(SqliteStores, rows_of_other_users_are_not_there) {
  const auto field = [&](std::size_t at) { return shelves_.fields.data() + at; };
  for (const char* user : {"ann", "bob"}) {
    ASSERT_TRUE(store_->write(call(user), [&](Tx& tx) -> Result<std::string> {
      EXPECT_TRUE(tx.insert({&shelves_, {{field(1), std::string("s1")}}, {}}));
      return std::string();
    }));
  }
  const Condition s1 = compare(field(1), CompareOp::eq, std::string("s1"));
  const Result<std::string> answer = store_->write(call("ann"), [&](Tx& tx) -> Result<std::string> {
    EXPECT_EQ(tx.select({.table = &shelves_, .fields = {field(1)}})->size(), 1U);
    EXPECT_EQ(tx.update({&shelves_, {{field(2), std::string("n")}}, s1}).value(), 1U);
    EXPECT_EQ(tx.remove({&shelves_, s1}).value(), 1U);
    EXPECT_EQ(tx.remove({&shelves_, s1}).value(), 0U);
    return std::string();
  });
  EXPECT_TRUE(answer);
  const Result<void> read = store_->read({"bob"}, [&](Tx& tx) -> Result<void> {
    EXPECT_EQ(tx.select({.table = &shelves_, .fields = {field(2)}}).value(),
              (std::vector<Row>{{std::monostate()}}));
    return {};
  });
  EXPECT_TRUE(read);
}

TEST_F(SqliteStores, a_state_store_holds_no_rows) {
  const Result<std::unique_ptr<StateStore>> state = open_state(path("state.db"), ours());
  ASSERT_TRUE(state);
  const Result<void> done = (*state)->read({}, [&](Tx& tx) -> Result<void> {
    EXPECT_TRUE(tx.holds_state());
    EXPECT_EQ(tx.select({.table = &notes_}).error().code, ErrorCode::storage);
    return {};
  });
  EXPECT_TRUE(done);
}

TEST_F(SqliteStores, D22_a_users_database_is_changed_by_the_rows_asked_for_only) {
  make_foreign(path("theirs.db"), kSchemaForTests);
  Result<std::unique_ptr<RecordStore>> theirs = open(path("theirs.db"), {});
  ASSERT_TRUE(theirs);
  EXPECT_EQ((*theirs)->state(), nullptr);
  ASSERT_TRUE(add_note(**theirs, "a"));
  const Result<std::string> state = (*theirs)->write(call(), [](Tx& tx) -> Result<std::string> {
    EXPECT_FALSE(tx.holds_state());
    EXPECT_EQ(tx.run("SELECT 1").error().code, ErrorCode::storage);
    return std::string();
  });
  EXPECT_TRUE(state);
  theirs->reset();
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path("theirs.db").c_str(), &database), SQLITE_OK);
  std::string found;
  const auto collect = [](void* out, int, char** values, char**) {
    *static_cast<std::string*>(out) += std::string(values[0]) + " ";
    return 0;
  };
  sqlite3_exec(database,
               "PRAGMA journal_mode; SELECT name FROM sqlite_schema WHERE type = 'table'; "
               "PRAGMA application_id",
               collect, &found, nullptr);
  sqlite3_close(database);
  EXPECT_EQ(found, "delete notes shelves secrets 0 ");
  EXPECT_FALSE(std::filesystem::exists(path("theirs.db.lock")));
  EXPECT_FALSE(std::filesystem::exists(path("theirs.db-wal")));
}

TEST_F(SqliteStores, D22_a_users_database_has_to_exist) {
  EXPECT_EQ(open(path("none.db"), {}).error().code, ErrorCode::file);
  EXPECT_FALSE(std::filesystem::exists(path("none.db")));
}

TEST_F(SqliteStores, D13_a_users_database_keeps_ops_where_that_is_allowed) {
  make_foreign(path("theirs.db"), kSchemaForTests);
  StoreOptions options;
  options.allows_op_table = true;
  const Result<std::unique_ptr<RecordStore>> theirs = open(path("theirs.db"), options);
  ASSERT_TRUE(theirs);
  const WriteCall once = call();
  for (int i = 0; i < 2; ++i) {
    const Result<std::string> answer = (*theirs)->write(once, [&](Tx& tx) -> Result<std::string> {
      EXPECT_TRUE(tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("a")}}, {}}));
      return "run " + std::to_string(i);
    });
    EXPECT_EQ(answer.value(), "run 0");
  }
  EXPECT_EQ(titles(**theirs), Titles{"a"});
}

}  // namespace
}  // namespace alfred
