#include <filesystem>
#include <optional>

#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

class InsertShapesOf : public SqliteFixture {
 protected:
  // The rows that come back from inserts of these names into a table (id, name) of this schema.
  std::vector<Row> inserted(const std::string& sql, const std::vector<std::string>& names) {
    make_foreign(path("theirs.db"), sql);
    Result<std::unique_ptr<RecordStore>> store = open(path("theirs.db"), {});
    EXPECT_TRUE(store) << store.error().message;
    std::vector<Row> rows;
    const Result<std::string> done = (*store)->write(call(), [&](Tx& tx) -> Result<std::string> {
      for (const std::string& name : names) {
        const std::vector<FieldValue> values{{&things_.fields[0], "id of " + name},
                                             {&things_.fields[1], name}};
        Result<Row> row = tx.insert({&things_, values, {&things_.fields[0], &things_.fields[1]}});
        if (!row) return Unexpected(std::move(row).error());
        rows.push_back(std::move(*row));
      }
      return std::string();
    });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return rows;
  }
  static Row row(const std::string& id, const std::string& name) {
    return {Value(id), Value(name)};
  }

  InsertShapesOf() {
    things_.name = "things";
    things_.key = {"id"};
    things_.key_source = KeySource::caller;
    things_.fields = {field_for_tests("id", FieldType::text, "text", false),
                      field_for_tests("name", FieldType::text, "text")};
  }
  Table things_;
};

TEST_F(InsertShapesOf, R1_a_row_comes_back_as_it_is_stored_also_after_triggers) {
  const std::string sql =
      "CREATE TABLE things (id text PRIMARY KEY, name text);"
      "CREATE TABLE log (id integer PRIMARY KEY, name text);"
      "INSERT INTO log VALUES (100, 'first');"
      "CREATE TRIGGER t AFTER INSERT ON things BEGIN INSERT INTO log (name) VALUES (new.name);"
      "UPDATE things SET name = upper(new.name) WHERE id = new.id; END;";
  EXPECT_EQ(inserted(sql, {"a", "b"}),
            (std::vector<Row>{row("id of a", "A"), row("id of b", "B")}));
}

TEST_F(InsertShapesOf, R2_tables_without_row_numbers_return_their_rows) {
  EXPECT_EQ(
      inserted("CREATE TABLE things (id text PRIMARY KEY, name text) WITHOUT ROWID", {"a", "b"}),
      (std::vector<Row>{row("id of a", "a"), row("id of b", "b")}));
}

TEST_F(InsertShapesOf, R2_a_column_that_hides_row_numbers_is_not_taken_for_them) {
  things_.fields[1].name = "RowId";
  EXPECT_EQ(inserted("CREATE TABLE things (id text PRIMARY KEY, rowid text)", {"2", "1"}),
            (std::vector<Row>{row("id of 2", "2"), row("id of 1", "1")}));
}

TEST_F(InsertShapesOf, R3_what_a_trigger_ignores_comes_back_without_values) {
  const std::string sql =
      "CREATE TABLE things (id text PRIMARY KEY, name text);"
      "CREATE TRIGGER t BEFORE INSERT ON things WHEN new.name = 'b' BEGIN "
      "SELECT RAISE(IGNORE); END;";
  EXPECT_EQ(inserted(sql, {"a", "b", "c"}),
            (std::vector<Row>{row("id of a", "a"), {}, row("id of c", "c")}));
}

// Many rows of one table, as insert_all() takes them.
class ManyRows : public InsertShapesOf {
 protected:
  std::vector<InsertRow> plans(std::size_t count) const {
    std::vector<InsertRow> plans;
    for (std::size_t i = 0; i < count; ++i) {
      InsertRow plan{&things_, {{&things_.fields[0], "id " + std::to_string(i)}}, {}};
      if (i % 3 != 0) plan.values.push_back({&things_.fields[1], "name " + std::to_string(i)});
      plan.returning = {&things_.fields[0], &things_.fields[1]};
      plans.push_back(std::move(plan));
    }
    return plans;
  }
  static Value name_of(std::size_t i) {
    return i % 3 == 0 ? Value() : Value("name " + std::to_string(i));
  }
  // What is in the table in the end, after inserting these rows in a part that may fail.
  std::vector<Row> stored_after(std::vector<InsertRow> rows, const std::string& sql) {
    make_foreign(path("many.db"), sql);
    Result<std::unique_ptr<RecordStore>> store = open(path("many.db"), {});
    EXPECT_TRUE(store) << store.error().message;
    std::vector<Row> stored;
    const Result<std::string> done = (*store)->write(call(), [&](Tx& tx) -> Result<std::string> {
      const Result<void> part = tx.savepoint([&]() -> Result<void> {
        Result<std::vector<Row>> inserted = tx.insert_all(rows, failed_at_);
        if (!inserted) return Unexpected(std::move(inserted).error());
        came_back_ = std::move(*inserted);
        return {};
      });
      if (!part) failure_ = part.error().code;
      const SelectRows all{.table = &things_, .fields = {&things_.fields[0], &things_.fields[1]}};
      stored = tx.select(all).value();
      return std::string();
    });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return stored;
  }

  std::size_t failed_at_ = 0;
  std::optional<ErrorCode> failure_;
  std::vector<Row> came_back_;
};

TEST_F(ManyRows, R4_those_that_go_together_are_those_that_were_given) {
  const std::vector<Row> stored =
      stored_after(plans(500), "CREATE TABLE things (id text PRIMARY KEY, name text)");
  EXPECT_EQ(failure_, std::nullopt);
  ASSERT_EQ(stored.size(), 500U);
  EXPECT_EQ(stored, came_back_);
  for (std::size_t i = 0; i < stored.size(); ++i)
    EXPECT_EQ(stored[i], (Row{"id " + std::to_string(i), name_of(i)}));
}

TEST_F(ManyRows, R4_the_one_that_fails_is_named_and_none_stays) {
  for (const std::size_t bad : {0U, 31U, 32U, 77U, 199U}) {
    std::vector<InsertRow> rows = plans(200);
    rows[bad].values[0].value = "id " + std::to_string(bad == 0 ? 1 : bad - 1);
    std::filesystem::remove(path("many.db"));
    EXPECT_EQ(stored_after(std::move(rows), "CREATE TABLE things (id text PRIMARY KEY, name text)"),
              std::vector<Row>());
    EXPECT_EQ(failure_, ErrorCode::conflict);
    EXPECT_EQ(failed_at_, bad == 0 ? 1U : bad);
  }
}

TEST_F(ManyRows, R4_a_table_that_may_leave_rows_out_gets_them_one_by_one) {
  std::vector<InsertRow> rows = plans(120);
  rows[60].values[0].value = "id 59";
  EXPECT_EQ(stored_after(std::move(rows),
                         "CREATE TABLE things (id text PRIMARY KEY ON CONFLICT IGNORE, name text)")
                .size(),
            119U);
  EXPECT_EQ(failure_, std::nullopt);
  ASSERT_EQ(came_back_.size(), 120U);
  EXPECT_EQ(came_back_[60], Row());
  EXPECT_EQ(came_back_[61], (Row{"id 61", "name 61"}));
}

}  // namespace
}  // namespace alfred
