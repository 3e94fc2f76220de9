// Rows E1 to E4, E8 to E11 and E13 of robustness.md: a disk and a world that do not do as they are
// told.
#include <sys/stat.h>

#include <fstream>
#include <random>

#include "alfred/random.h"
#include "base/ids/mint.h"
#include "base/test_seed.h"
#include "base/test_size.h"
#include "storage/sqlite/faulty_vfs_for_tests.h"
#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

using Titles = std::vector<std::string>;
using Op = FaultyVfs::Op;

class SqliteFaults : public SqliteFixture {
 protected:
  std::unique_ptr<RecordStore> open_ours(const StoreOptions& options) const {
    Result<std::unique_ptr<RecordStore>> opened = open(path("own.db"), options);
    EXPECT_TRUE(opened) << opened.error().message << opened.error().detail;
    return opened ? std::move(*opened) : nullptr;
  }
  StoreOptions faulty() const {
    StoreOptions options = ours();
    options.vfs = vfs_.name();
    return options;
  }
  std::string integrity(const std::string& file) const {
    sqlite3* database = nullptr;
    std::string out;
    sqlite3_open(file.c_str(), &database);
    const auto collect = [](void* text, int, char** values, char**) {
      *static_cast<std::string*>(text) += values[0];
      return 0;
    };
    sqlite3_exec(database, "PRAGMA integrity_check", collect, &out, nullptr);
    sqlite3_close(database);
    return out;
  }

  FaultyVfs vfs_{"faulty"};
};

TEST_F(SqliteFaults, E1_a_user_s_database_that_another_program_holds_is_busy) {
  make_foreign(path("theirs.db"), kSchemaForTests);
  StoreOptions options;
  options.busy_timeout_ms = 50;
  const Result<std::unique_ptr<RecordStore>> store = open(path("theirs.db"), options);
  ASSERT_TRUE(store);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path("theirs.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(add_note(**store, "a").error().code, ErrorCode::busy);
  sqlite3_close(other);
  EXPECT_TRUE(add_note(**store, "b"));
  EXPECT_EQ(titles(**store), Titles{"b"});
}

TEST_F(SqliteFaults, E2_a_full_disk_at_each_write_leaves_nothing_and_the_next_write_tries_again) {
  const std::unique_ptr<RecordStore> store = open_ours(faulty());
  ASSERT_TRUE(add_note(*store, "first"));
  Titles expected{"first"};
  long failures = 0;
  for (long nth = 1; nth < 8; ++nth) {
    vfs_.fail_at(Op::write, nth, SQLITE_FULL);
    const std::string title = "note " + std::to_string(nth);
    const Result<std::string> answer = add_note(*store, title);
    vfs_.fail_nothing();
    if (answer) {
      expected.push_back(title);
    } else {
      ++failures;
      EXPECT_EQ(answer.error().code, ErrorCode::storage);
    }
    EXPECT_EQ(titles(*store), expected);
    ASSERT_TRUE(add_note(*store, title + " again"));
    expected.push_back(title + " again");
  }
  EXPECT_GT(failures, 0);
  EXPECT_EQ(titles(*store), expected);
}

TEST_F(SqliteFaults, E3_after_an_io_error_an_answer_tells_what_the_file_holds) {
  const std::unique_ptr<RecordStore> store = open_ours(faulty());
  long failures = 0;
  for (const Op op : {Op::sync, Op::write, Op::read}) {
    for (long nth = 1; nth < 6; ++nth) {
      vfs_.fail_at(op, nth, op == Op::sync ? SQLITE_IOERR_FSYNC : SQLITE_IOERR);
      const WriteCall once = call();
      const std::string title = std::to_string(static_cast<int>(op)) + "." + std::to_string(nth);
      const auto closure = [&](Tx& tx) -> Result<std::string> {
        Result<Row> row = tx.insert({&notes_, {{notes_.fields.data() + 1, title}}, {}});
        if (!row) return Unexpected(std::move(row).error());
        return title;
      };
      const Result<std::string> answer = store->write(once, closure);
      vfs_.fail_nothing();
      const Titles now = titles(*store);
      const bool is_there = std::find(now.begin(), now.end(), title) != now.end();
      EXPECT_EQ(answer.has_value(), is_there) << title;
      EXPECT_EQ(store->state()->answer_of(*once.op)->has_value(), is_there);
      if (!answer) {
        ++failures;
        EXPECT_EQ(answer.error().code, ErrorCode::storage);
      }
      EXPECT_EQ(store->write(once, closure).value(), title);
    }
  }
  EXPECT_GT(failures, 0);
}

// Somebody reads from the log, so it cannot be moved: what became of the write is not known.
TEST_F(SqliteFaults, E3_what_cannot_be_put_on_the_disk_is_not_said_to_be_there) {
  StoreOptions options = faulty();
  options.busy_timeout_ms = 20;
  const std::unique_ptr<RecordStore> store = open_ours(options);
  ASSERT_TRUE(add_note(*store, "before"));
  sqlite3* reader = nullptr;
  ASSERT_EQ(sqlite3_open(path("own.db").c_str(), &reader), SQLITE_OK);
  const auto run = [&](const char* sql) {
    return sqlite3_exec(reader, sql, nullptr, nullptr, nullptr);
  };
  ASSERT_EQ(run("BEGIN; SELECT count(*) FROM notes"), SQLITE_OK);
  const WriteCall once = call();
  const auto add = [&](Tx& tx) -> Result<std::string> {
    const Result<Row> row = tx.insert({&notes_, {{notes_.fields.data() + 1, "after"}}, {}});
    if (!row) return Unexpected(row.error());
    return "after";
  };
  vfs_.fail_at(Op::sync, 1, SQLITE_IOERR_FSYNC);
  const Result<std::string> answer = store->write(once, add);
  vfs_.fail_nothing();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::storage);
  EXPECT_NE(answer.error().message.find("is not known"), std::string::npos)
      << answer.error().message;
  EXPECT_EQ(run("COMMIT"), SQLITE_OK);
  sqlite3_close(reader);
  EXPECT_EQ(store->write(once, add).value(), "after");
  EXPECT_EQ(titles(*store), (Titles{"before", "after"}));
}

// As a move of a session, whose journal tells what became of it.
TEST_F(SqliteFaults, E3_without_an_op_the_call_s_own_rows_tell_what_the_file_holds) {
  const std::unique_ptr<RecordStore> store = open_ours(faulty());
  int asked = 0;
  for (const Op op : {Op::sync, Op::write}) {
    for (long nth = 1; nth < 6; ++nth) {
      const std::string title = std::to_string(static_cast<int>(op)) + "." + std::to_string(nth);
      WriteCall once = call();
      once.op.reset();
      once.has_happened = [&](Tx& tx) -> Result<bool> {
        ++asked;
        const Result<std::vector<Row>> rows =
            tx.select({.table = &notes_, .fields = {notes_.fields.data() + 1}});
        if (!rows) return Unexpected(rows.error());
        return std::find(rows->begin(), rows->end(), Row{title}) != rows->end();
      };
      vfs_.fail_at(op, nth, op == Op::sync ? SQLITE_IOERR_FSYNC : SQLITE_IOERR);
      const Result<std::string> answer = store->write(once, [&](Tx& tx) -> Result<std::string> {
        Result<Row> row = tx.insert({&notes_, {{notes_.fields.data() + 1, title}}, {}});
        if (!row) return Unexpected(std::move(row).error());
        return title;
      });
      vfs_.fail_nothing();
      const Titles now = titles(*store);
      EXPECT_EQ(answer.has_value(), std::find(now.begin(), now.end(), title) != now.end()) << title;
    }
  }
  EXPECT_GT(asked, 0);
}

// A loss of power at every change of a file, with what was not synced gone or torn.
TEST_F(SqliteFaults, E4_what_was_answered_is_there_after_a_loss_of_power_and_nothing_by_halves) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(testing::Message() << "ALFRED_TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  const std::size_t rounds = test_size({20, 60, 400});
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::string file = path("crash" + std::to_string(round) + ".db");
    Titles answered;
    Titles asked;
    vfs_.crash_at(static_cast<long>(1 + round % 60 + (round < 60 ? 0 : random() % 40)));
    if (Result<std::unique_ptr<RecordStore>> store = open(file, faulty())) {
      for (int i = 0; i < 4 && !vfs_.is_crashed(); ++i) {
        const std::string pair = std::to_string(i);
        asked.push_back(pair);
        const Result<std::string> answer =
            (*store)->write(call(), [&](Tx& tx) -> Result<std::string> {
              for (const char* half : {"x", "y"})
                if (Result<Row> row =
                        tx.insert({&notes_, {{notes_.fields.data() + 1, half + pair}}, {}});
                    !row)
                  return Unexpected(std::move(row).error());
              return pair;
            });
        if (answer) answered.push_back(pair);
      }
    }
    vfs_.lose_power(round % 2 == 0 ? FaultyVfs::Loss::torn : FaultyVfs::Loss::all_unsynced, random);
    const Result<std::unique_ptr<RecordStore>> again = open(file, ours());
    ASSERT_TRUE(again) << again.error().message << again.error().detail << " round " << round;
    const Titles found = titles(**again);
    for (const std::string& pair : asked) {
      const auto count = std::count(found.begin(), found.end(), "x" + pair) +
                         std::count(found.begin(), found.end(), "y" + pair);
      EXPECT_NE(count, 1) << "half of " << pair << " in round " << round;
      if (std::find(answered.begin(), answered.end(), pair) != answered.end()) {
        EXPECT_EQ(count, 2) << "lost " << pair << " in round " << round;
      }
    }
    EXPECT_EQ(integrity(file), "ok");
  }
}

// Gives the same bits again and again, then others.
class StubbornRandom final : public Random {
 public:
  explicit StubbornRandom(int repeats) : left_(repeats) {}
  void fill(std::span<std::byte> bytes) override {
    if (left_ > 0) --left_;
    std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(left_ > 0 ? 0 : 0x55));
  }

 private:
  int left_;
};

Result<std::string> mint_thing(RecordStore& store, const WriteCall& call, Random& random) {
  return store.write(call, [&](Tx& tx) -> Result<std::string> {
    const auto try_insert = [&](const ShortId<IdKind::source>& id) -> Result<bool> {
      const Result<void> part = tx.savepoint([&]() -> Result<void> {
        const Param params[] = {{"id", std::string(id.view())}};
        const Result<std::vector<Row>> rows =
            tx.run("INSERT INTO alfred_things (id, body) VALUES (:id, 'x')", params);
        if (!rows) return Unexpected(rows.error());
        return {};
      });
      if (part) return true;
      if (part.error().code == ErrorCode::conflict) return false;
      return Unexpected(part.error());
    };
    const Result<ShortId<IdKind::source>> id = mint<IdKind::source>(random, try_insert);
    if (!id) return Unexpected(id.error());
    return std::string(id->view());
  });
}

TEST_F(SqliteFaults, E8_a_taken_id_is_answered_with_another_and_at_last_with_an_error) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  StubbornRandom first(1000);
  const Result<std::string> one = mint_thing(*store, call(), first);
  ASSERT_TRUE(one);
  StubbornRandom second(3);
  const Result<std::string> two = mint_thing(*store, call(), second);
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_NE(*one, *two);
  EXPECT_EQ(mint_thing(*store, call(), first).error().code, ErrorCode::storage);
}

TEST_F(SqliteFaults, E9_a_conflict_names_the_column_and_no_value) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  ASSERT_TRUE(add_note(*store, "the only one"));
  const Error error = add_note(*store, "the only one").error();
  EXPECT_EQ(error.code, ErrorCode::conflict);
  EXPECT_EQ(error.path, "title");
  EXPECT_NE(error.message.find("title"), std::string::npos);
  EXPECT_EQ(error.message.find("the only one"), std::string::npos);
}

TEST_F(SqliteFaults, E9_the_owner_s_column_is_not_named) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  const auto add = [&](const char* id) {
    return store->write(call("ann"), [&](Tx& tx) -> Result<std::string> {
      const Result<Row> row = tx.insert({&shelves_,
                                         {{shelves_.fields.data() + 1, std::string(id)},
                                          {shelves_.fields.data() + 2, std::string("same")}},
                                         {}});
      if (!row) return Unexpected(row.error());
      return std::string();
    });
  };
  ASSERT_TRUE(add("1"));
  const Error error = add("2").error();
  EXPECT_EQ(error.path, "name");
  EXPECT_EQ(error.message.find("user_id"), std::string::npos);
}

TEST_F(SqliteFaults, E10_a_broken_rule_in_the_middle_undoes_its_item_alone) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  const auto field = [&](std::size_t at) { return notes_.fields.data() + at; };
  std::vector<ErrorCode> codes;
  const auto item = [&](Tx& tx, const InsertRow& plan) {
    const Result<void> part = tx.savepoint([&]() -> Result<void> {
      const Result<Row> row = tx.insert(plan);
      if (!row) return Unexpected(row.error());
      return {};
    });
    if (!part) codes.push_back(part.error().code);
  };
  const Result<std::string> answer = store->write(call("ann"), [&](Tx& tx) -> Result<std::string> {
    item(tx, {&notes_, {{field(1), std::string("a")}}, {}});
    item(tx, {&notes_, {{field(1), std::string("b")}, {field(2), std::int64_t{1000}}}, {}});
    item(tx, {&notes_, {{field(2), std::int64_t{1}}}, {}});
    item(tx, {&shelves_,
              {{shelves_.fields.data() + 1, std::string("s")},
               {shelves_.fields.data() + 3, std::string("nowhere")}},
              {}});
    item(tx, {&notes_, {{field(1), std::string("c")}}, {}});
    return std::string();
  });
  EXPECT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(codes, std::vector<ErrorCode>(3, ErrorCode::conflict));
  EXPECT_EQ(titles(*store), (Titles{"a", "c"}));
}

TEST_F(SqliteFaults, E10_a_link_to_nothing_fails_the_write_that_made_it) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  const Result<std::string> answer = store->write(call("ann"), [&](Tx& tx) -> Result<std::string> {
    EXPECT_TRUE(tx.insert({&shelves_,
                           {{shelves_.fields.data() + 1, std::string("s")},
                            {shelves_.fields.data() + 3, std::string("nowhere")}},
                           {}}));
    return std::string();
  });
  EXPECT_EQ(answer.error().code, ErrorCode::conflict);
}

TEST_F(SqliteFaults, E11_more_work_than_the_budget_is_busy_and_leaves_nothing) {
  StoreOptions options = ours();
  options.work_budget = 50'000;
  const std::unique_ptr<RecordStore> store = open_ours(options);
  const Result<std::string> answer = store->write(call(), [&](Tx& tx) -> Result<std::string> {
    EXPECT_TRUE(tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("a")}}, {}}));
    const Result<std::vector<Row>> rows = tx.run(
        "INSERT INTO alfred_things (id, body) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT "
        "i + 1 FROM n WHERE i < 1000000) SELECT i, 'x' FROM n");
    EXPECT_EQ(rows.error().code, ErrorCode::busy);
    // Gone on as if nothing were: it must not be taken for a success.
    EXPECT_FALSE(tx.insert({&notes_, {{notes_.fields.data() + 1, std::string("b")}}, {}}));
    return std::string("done");
  });
  EXPECT_EQ(answer.error().code, ErrorCode::busy);
  EXPECT_EQ(titles(*store), Titles{});
  EXPECT_TRUE(add_note(*store, "c"));
}

TEST_F(SqliteFaults, E13_a_file_that_was_replaced_is_not_written) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  ASSERT_TRUE(add_note(*store, "a"));
  std::filesystem::rename(path("own.db"), path("moved.db"));
  EXPECT_EQ(add_note(*store, "b").error().code, ErrorCode::storage);
  std::filesystem::copy_file(path("moved.db"), path("own.db"));
  const Error error = add_note(*store, "b").error();
  EXPECT_EQ(error.code, ErrorCode::storage);
  EXPECT_NE(error.message.find("replaced"), std::string::npos);
  EXPECT_EQ(store->read({}, [](Tx&) -> Result<void> { return {}; }).error().code,
            ErrorCode::storage);
}

TEST_F(SqliteFaults, E13_a_file_without_permissions_is_left_alone_until_they_are_back) {
  const std::unique_ptr<RecordStore> store = open_ours(ours());
  ::chmod(path("own.db").c_str(), 0);
  EXPECT_EQ(add_note(*store, "a").error().code, ErrorCode::storage);
  ::chmod(path("own.db").c_str(), 0600);
  EXPECT_TRUE(add_note(*store, "b"));
  EXPECT_EQ(titles(*store), Titles{"b"});
}

TEST_F(SqliteFaults, E19_bytes_that_are_no_text_come_as_bytes) {
  make_foreign(path("theirs.db"), std::string(kSchemaForTests) +
                                      "INSERT INTO notes (title, rank) VALUES "
                                      "('a text that is longer than a few bytes', 5), "
                                      "(CAST(x'41ff42' AS text), NULL), ('b', 7)");
  const Result<std::unique_ptr<RecordStore>> store = open(path("theirs.db"), {});
  ASSERT_TRUE(store);
  const Result<void> done = (*store)->read({}, [&](Tx& tx) -> Result<void> {
    const Field* const fields = notes_.fields.data();
    const Result<std::vector<Row>> rows =
        tx.select({.table = &notes_, .fields = {fields + 1, fields + 2}});
    EXPECT_EQ(
        rows.value(),
        (std::vector<Row>{{std::string("a text that is longer than a few bytes"), std::int64_t{5}},
                          {Bytes{"A\xff"
                                 "B"},
                           std::monostate()},
                          {std::string("b"), std::int64_t{7}}}));
    return {};
  });
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace alfred
