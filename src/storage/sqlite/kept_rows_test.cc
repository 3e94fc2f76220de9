#include "storage/sqlite/kept_rows.h"

#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

struct Mark final : RowNote {};

class KeptRowsOf : public SqliteFixture {
 protected:
  KeptRowsOf() {
    things_.name = "things";
    things_.key = {"id"};
    things_.key_source = KeySource::caller;
    things_.fields = {field_for_tests("id", FieldType::text, "text", false),
                      field_for_tests("name", FieldType::text, "text")};
  }
  void start(const std::string& sql) {
    make_foreign(path("theirs.db"), sql);
    Result<std::unique_ptr<RecordStore>> store = open(path("theirs.db"), {});
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
  }
  void start_plain() {
    start(
        "CREATE TABLE things (id text PRIMARY KEY, name text);"
        "INSERT INTO things VALUES ('b', 'bean'), ('d', 'dill'), ('a', 'apple');");
  }
  // What somebody else does to the file, on a connection of their own.
  void elsewhere(const std::string& sql) {
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(path("theirs.db").c_str(), &other), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(other, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(other);
  }
  Result<void> write(const std::function<Result<void>(Tx&)>& part) {
    const Result<std::string> done = store_->write(call(), [&](Tx& tx) -> Result<std::string> {
      if (Result<void> ok = part(tx); !ok) return Unexpected(ok.error());
      return std::string();
    });
    if (!done) return Unexpected(done.error());
    return {};
  }
  SelectRows plan() const {
    SelectRows plan;
    plan.table = &things_;
    plan.fields = {&things_.fields[0], &things_.fields[1]};
    plan.order = {{&things_.fields[0], false}};
    return plan;
  }
  // "a apple*, b bean!": `!` where the row is kept and had no note, `*` where it had one. Every row
  // that is kept is left one. They are counted before and after they are looked at.
  std::string seen(Tx& tx) {
    std::string out;
    SelectRows all;
    all.table = &things_;
    std::size_t rows = 0;
    const Result<std::uint64_t> before = tx.count(all);
    const Result<void> done =
        tx.scan_noted(plan(), [&](const Row& row, NotePlaces* notes) -> Result<bool> {
          out += (out.empty() ? "" : ", ") + std::get<std::string>(row[0]) + " " +
                 std::get<std::string>(row[1]);
          ++rows;
          if (notes == nullptr) return true;
          out += notes->of_row == nullptr ? "!" : "*";
          EXPECT_TRUE(notes->of_row == nullptr || notes->of_plan != nullptr) << "R4";
          if (rows == 1) had_plan_note_ = notes->of_plan != nullptr;
          notes->of_row = std::make_unique<Mark>();
          notes->of_plan = std::make_unique<Mark>();
          return true;
        });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    EXPECT_EQ(before.value(), rows);
    EXPECT_EQ(tx.count(all).value(), rows);
    return out;
  }
  std::string seen() {
    std::string out;
    const Result<void> done = write([&](Tx& tx) -> Result<void> {
      out = seen(tx);
      return {};
    });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return out;
  }
  void keep() {
    seen();
    seen();
  }
  Result<void> put(Tx& tx, const std::string& id, const std::string& name) {
    const Result<Row> row =
        tx.insert({&things_, {{&things_.fields[0], id}, {&things_.fields[1], name}}, {}});
    if (!row) return Unexpected(row.error());
    return {};
  }
  Condition is(const std::string& id) const {
    return compare(&things_.fields[0], CompareOp::eq, id);
  }

  Table things_;
  std::unique_ptr<RecordStore> store_;
  bool had_plan_note_ = false;  // when rows that are kept were looked at last
};

TEST_F(KeptRowsOf, R3_rows_are_kept_when_they_are_asked_for_a_second_time) {
  start_plain();
  EXPECT_EQ(seen(), "a apple, b bean, d dill");
  EXPECT_EQ(seen(), "a apple!, b bean!, d dill!");
  EXPECT_EQ(seen(), "a apple*, b bean*, d dill*");
}

TEST_F(KeptRowsOf, R1_R4_what_is_changed_here_is_read_again_and_the_rest_is_not) {
  start_plain();
  keep();
  ASSERT_TRUE(write([&](Tx& tx) -> Result<void> {
    if (Result<void> ok = put(tx, "c", "corn"); !ok) return ok;
    EXPECT_EQ(seen(tx), "a apple*, b bean*, c corn!, d dill*");
    const Result<std::uint64_t> changed =
        tx.update({&things_, {{&things_.fields[1], "date"}}, is("d")});
    return changed ? Result<void>() : Unexpected(changed.error());
  }));
  EXPECT_EQ(seen(), "a apple*, b bean*, c corn*, d date!");
  ASSERT_TRUE(write([&](Tx& tx) -> Result<void> {
    const Result<std::uint64_t> changed =
        tx.update({&things_, {{&things_.fields[0], "z"}}, is("a")});
    if (!changed) return Unexpected(changed.error());
    const Result<std::uint64_t> removed = tx.remove({&things_, is("b")});
    return removed ? Result<void>() : Unexpected(removed.error());
  }));
  EXPECT_EQ(seen(), "c corn*, d date*, z apple!");
}

TEST_F(KeptRowsOf, R4_what_is_left_with_a_plan_stays_until_its_rows_are_read_anew) {
  start_plain();
  keep();
  EXPECT_FALSE(had_plan_note_);
  ASSERT_TRUE(write([&](Tx& tx) { return put(tx, "c", "corn"); }));
  EXPECT_EQ(seen(), "a apple*, b bean*, c corn!, d dill*");
  EXPECT_TRUE(had_plan_note_);
  elsewhere("DELETE FROM things WHERE id = 'b'");
  EXPECT_EQ(seen(), "a apple!, c corn!, d dill!");
  EXPECT_FALSE(had_plan_note_);
  seen();
  EXPECT_TRUE(had_plan_note_);
}

TEST_F(KeptRowsOf, R1_many_changes_at_once_are_read_as_a_whole) {
  start_plain();
  keep();
  ASSERT_TRUE(write([&](Tx& tx) -> Result<void> {
    for (int i = 0; i < 100; ++i)
      if (Result<void> ok = put(tx, "x" + std::to_string(i), "many"); !ok) return ok;
    return {};
  }));
  EXPECT_TRUE(seen().starts_with("a apple!, b bean!, d dill!, x0 many!, x1 many!, x10 many!"));
}

TEST_F(KeptRowsOf, R1_what_others_commit_is_there_in_the_very_next_transaction) {
  start_plain();
  keep();
  elsewhere("UPDATE things SET name = 'avocado' WHERE id = 'a'");
  EXPECT_EQ(seen(), "a avocado!, b bean!, d dill!");
  elsewhere("DELETE FROM things WHERE id = 'b'; INSERT INTO things VALUES ('e', 'egg')");
  EXPECT_EQ(seen(), "a avocado!, d dill!, e egg!");
  elsewhere("ALTER TABLE things ADD COLUMN more text");
  EXPECT_EQ(seen(), "a avocado!, d dill!, e egg!");
}

TEST_F(KeptRowsOf, R1_what_is_undone_is_not_kept) {
  start_plain();
  keep();
  const Error stop{ErrorCode::value, "stop", {}, {}, {}};
  ASSERT_TRUE(write([&](Tx& tx) -> Result<void> {
    EXPECT_FALSE(tx.savepoint([&]() -> Result<void> {
      EXPECT_TRUE(put(tx, "c", "corn"));
      EXPECT_EQ(seen(tx), "a apple*, b bean*, c corn!, d dill*");
      return Unexpected(stop);
    }));
    EXPECT_EQ(seen(tx), "a apple!, b bean!, d dill!");
    return {};
  }));
  EXPECT_FALSE(write([&](Tx& tx) -> Result<void> {
    EXPECT_TRUE(tx.remove({&things_, is("a")}));
    EXPECT_EQ(seen(tx), "b bean*, d dill*");
    return Unexpected(stop);
  }));
  EXPECT_EQ(seen(), "a apple!, b bean!, d dill!");
}

// Rows that go with another row are told of too.
TEST_F(KeptRowsOf, R1_a_cascade_is_a_change) {
  start(
      "CREATE TABLE owners (id text PRIMARY KEY);"
      "CREATE TABLE things (id text PRIMARY KEY, name text REFERENCES owners (id) "
      "ON DELETE CASCADE ON UPDATE CASCADE);"
      "INSERT INTO owners VALUES ('ann'), ('bob');"
      "INSERT INTO things VALUES ('a', 'ann'), ('b', 'bob');");
  keep();
  Table owners;
  owners.name = "owners";
  owners.key = {"id"};
  owners.fields = {field_for_tests("id", FieldType::text, "text", false)};
  const auto named = [&](const std::string& id) {
    return compare(&owners.fields[0], CompareOp::eq, id);
  };
  ASSERT_TRUE(write([&](Tx& tx) -> Result<void> {
    EXPECT_TRUE(tx.remove({&owners, named("ann")}));
    EXPECT_TRUE(tx.update({&owners, {{&owners.fields[0], "rob"}}, named("bob")}));
    return {};
  }));
  EXPECT_EQ(seen(), "b rob!");
}

TEST_F(KeptRowsOf, R2_nothing_is_kept_where_sqlite_does_not_tell_of_every_change) {
  const std::string rows = "INSERT INTO things VALUES ('a', 'apple');";
  for (const std::string& sql :
       {"CREATE TABLE things (id text PRIMARY KEY, name text) WITHOUT ROWID;" + rows,
        "CREATE TABLE things (id text PRIMARY KEY, name text UNIQUE ON CONFLICT REPLACE);" + rows,
        "CREATE TABLE things (id text PRIMARY KEY, name text); CREATE TABLE log (x);"
        "CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM things; END;" +
            rows}) {
    std::filesystem::remove(path("theirs.db"));
    start(sql);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(seen(), "a apple") << sql;
    store_.reset();
  }
}

TEST_F(KeptRowsOf, R3_a_plan_with_too_many_rows_is_not_kept) {
  start(
      "CREATE TABLE things (id text PRIMARY KEY, name text);"
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001) "
      "INSERT INTO things SELECT printf('%05d', i), 'x' FROM n;");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(seen().starts_with("00001 x, 00002 x"));
  elsewhere("DELETE FROM things WHERE id > '00002'");
  EXPECT_EQ(seen(), "00001 x!, 00002 x!");
}

}  // namespace
}  // namespace alfred
