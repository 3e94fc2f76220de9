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

TEST_F(InsertShapesOf, R1_tables_without_row_numbers_return_their_rows) {
  EXPECT_EQ(
      inserted("CREATE TABLE things (id text PRIMARY KEY, name text) WITHOUT ROWID", {"a", "b"}),
      (std::vector<Row>{row("id of a", "a"), row("id of b", "b")}));
}

TEST_F(InsertShapesOf, R1_a_column_that_hides_row_numbers_is_not_taken_for_them) {
  things_.fields[1].name = "RowId";
  EXPECT_EQ(inserted("CREATE TABLE things (id text PRIMARY KEY, rowid text)", {"2", "1"}),
            (std::vector<Row>{row("id of 2", "2"), row("id of 1", "1")}));
}

TEST_F(InsertShapesOf, R2_what_a_trigger_ignores_comes_back_without_values) {
  const std::string sql =
      "CREATE TABLE things (id text PRIMARY KEY, name text);"
      "CREATE TRIGGER t BEFORE INSERT ON things WHEN new.name = 'b' BEGIN "
      "SELECT RAISE(IGNORE); END;";
  EXPECT_EQ(inserted(sql, {"a", "b", "c"}),
            (std::vector<Row>{row("id of a", "a"), {}, row("id of c", "c")}));
}

}  // namespace
}  // namespace alfred
