#include "storage/sqlite/stored_form.h"

#include <cmath>
#include <limits>

#include "storage/sqlite/sqlite_for_tests.h"

namespace alfred {
namespace {

// Tests are built with assertions, so each insert compares the row that is taken to be stored with
// the one that is (insert_shapes.h, R1): a wrong guess is an error `bug`.
class StoredForm : public SqliteFixture {
 protected:
  // The rows of `things` (key, cell) after these values were written to the cell.
  std::vector<Value> cells_of(const std::string& sql, const Field& cell,
                              const std::vector<Value>& values) {
    static int files = 0;
    const std::string file = path("theirs" + std::to_string(++files) + ".db");
    make_foreign(file, sql);
    Result<std::unique_ptr<RecordStore>> store = open(file, {});
    EXPECT_TRUE(store) << store.error().message;
    Table things;
    things.name = "things";
    things.fields = {field_for_tests("key", FieldType::text, "text", false), cell};
    std::vector<Value> cells;
    const Result<std::string> done = (*store)->write(call(), [&](Tx& tx) -> Result<std::string> {
      for (const Value& value : values) {
        InsertRow plan{&things, {{&things.fields[0], std::to_string(cells.size())}}, {}};
        if (!is_left_out_) plan.values.push_back({&things.fields[1], value});
        plan.returning = {&things.fields[0], &things.fields[1]};
        std::size_t failed_at = 0;
        Result<std::vector<Row>> rows = tx.insert_all({&plan, 1}, failed_at);
        if (!rows) return Unexpected(std::move(rows).error());
        cells.push_back(rows->front().at(1));
      }
      return std::string();
    });
    EXPECT_TRUE(done) << done.error().message << " " << done.error().detail << " on " << sql;
    return cells;
  }

  bool is_left_out_ = false;  // the cell
};

const std::vector<Value>& values_of(FieldType type) {
  static const std::vector<Value> texts{"",
                                        "plain",
                                        "5",
                                        "05",
                                        "1e3",
                                        " 7 ",
                                        "-0.0",
                                        "NaN",
                                        "\xC3\xA9",
                                        "\xEF\xBB\xBF"
                                        "mark",
                                        std::string(300, 'x'),
                                        "[1,2]",
                                        "null"};
  static const std::vector<Value> integers{std::int64_t{0}, std::int64_t{1}, std::int64_t{-7},
                                           std::numeric_limits<std::int64_t>::max(),
                                           std::numeric_limits<std::int64_t>::min()};
  static const std::vector<Value> numbers{
      0.0,  -0.0,         4.0,
      0.25, -1e300,       9007199254740993.0,
      1e18, std::nan(""), std::numeric_limits<double>::infinity()};
  static const std::vector<Value> flags{true, false};
  if (type == FieldType::integer) return integers;
  if (type == FieldType::number) return numbers;
  return type == FieldType::boolean ? flags : texts;
}

TEST_F(StoredForm, R1_no_value_is_taken_for_another_in_any_kind_of_column) {
  const std::vector<std::string> declared{
      "",        "text", "varchar(20)",   "clob",    "integer",          "bigint",
      "int2",    "real", "float",         "numeric", "double precision", "decimal",
      "boolean", "date", "json",          "blob",    "charint",          "uuid",
      "jsonb",   "any",  "floating point"};
  for (const std::string& type : declared)
    for (const FieldType held : {FieldType::text, FieldType::integer, FieldType::number,
                                 FieldType::boolean, FieldType::json}) {
      std::vector<Value> values = values_of(held);
      values.emplace_back();
      const Field field = field_for_tests("cell", held, type);
      EXPECT_EQ(
          cells_of("CREATE TABLE things (key text PRIMARY KEY, cell " + type + ")", field, values)
              .size(),
          values.size());
    }
}

TEST_F(StoredForm, R1_strict_tables_and_those_in_other_encodings_too) {
  for (const std::string& type : {"TEXT", "ANY"})
    for (const std::string& before : {"", "PRAGMA encoding = 'UTF-16le';"}) {
      const Field field = field_for_tests("cell", FieldType::text, type);
      const std::vector<Value>& values = values_of(FieldType::text);
      EXPECT_EQ(
          cells_of(before + "CREATE TABLE things (key TEXT PRIMARY KEY, cell " + type + ") STRICT",
                   field, values),
          values);
    }
}

TEST_F(StoredForm, R1_what_others_put_into_a_row_comes_back) {
  const Field text = field_for_tests("cell", FieldType::text, "text");
  const Value none;
  EXPECT_EQ(cells_of("CREATE TABLE things (key text PRIMARY KEY, cell text NOT NULL ON CONFLICT "
                     "REPLACE DEFAULT 'ours')",
                     text, {none, "given"}),
            (std::vector<Value>{"ours", "given"}));
  is_left_out_ = true;
  EXPECT_EQ(cells_of("CREATE TABLE things (key text PRIMARY KEY, cell text DEFAULT 'ours')", text,
                     {none}),
            (std::vector<Value>{"ours"}));
  EXPECT_EQ(cells_of("CREATE TABLE things (key text PRIMARY KEY, cell text AS (key || '!'))", text,
                     {none}),
            (std::vector<Value>{"0!"}));
  EXPECT_EQ(cells_of("CREATE TABLE things (key text, cell integer PRIMARY KEY)",
                     field_for_tests("cell", FieldType::integer, "integer"), {none, none}),
            (std::vector<Value>{std::int64_t{1}, std::int64_t{2}}));
}

TEST(MayReplaceRows, is_read_from_how_a_table_was_made) {
  EXPECT_TRUE(may_replace_rows(
      "CREATE TABLE t (id integer PRIMARY KEY, n text UNIQUE ON conflict\n REPLACE)"));
  EXPECT_TRUE(may_replace_rows("CREATE TABLE t (a text, UNIQUE (a) ON CONFLICT REPLACE)"));
  EXPECT_FALSE(
      may_replace_rows("CREATE TABLE t (a text NOT NULL ON CONFLICT REPLACE DEFAULT 'x')"));
  EXPECT_FALSE(may_replace_rows("CREATE TABLE t (a text UNIQUE ON CONFLICT IGNORE)"));
  EXPECT_FALSE(may_replace_rows(""));
  EXPECT_EQ(sparing_rows("UPDATE \"t\" SET a = 1"), "UPDATE OR ABORT \"t\" SET a = 1");
}

TEST_F(StoredForm, R2_a_trigger_that_comes_later_is_noticed) {
  const std::string file = path("theirs.db");
  make_foreign(file, "CREATE TABLE shelves (user_id text, id text, name text, parent text)");
  Result<std::unique_ptr<RecordStore>> store = open(file, {});
  ASSERT_TRUE(store) << store.error().message;
  const auto name_of = [&](const std::string& id) {
    Row stored;
    const Result<std::string> done =
        (*store)->write(call("ann"), [&](Tx& tx) -> Result<std::string> {
          Result<Row> row = tx.insert({&shelves_,
                                       {{&shelves_.fields[1], id}, {&shelves_.fields[2], "given"}},
                                       {&shelves_.fields[0], &shelves_.fields[2]}});
          if (!row) return Unexpected(std::move(row).error());
          stored = std::move(*row);
          return std::string();
        });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return stored;
  };
  EXPECT_EQ(name_of("a"), (Row{"ann", "given"}));
  make_foreign(file,
               "CREATE TRIGGER t AFTER INSERT ON shelves BEGIN UPDATE shelves SET name = 'theirs' "
               "WHERE id = new.id; END");
  EXPECT_EQ(name_of("b"), (Row{"ann", "theirs"}));
}

TEST(Affinity, is_read_from_a_declared_type_as_sqlite_does) {
  EXPECT_EQ(affinity_of("CHARINT"), Affinity::integer);
  EXPECT_EQ(affinity_of("floating point"), Affinity::integer);
  EXPECT_EQ(affinity_of("VARCHAR(255)"), Affinity::text);
  EXPECT_EQ(affinity_of("double precision"), Affinity::real);
  EXPECT_EQ(affinity_of("decimal(10,5)"), Affinity::numeric);
  EXPECT_EQ(affinity_of("string"), Affinity::numeric);
  EXPECT_EQ(affinity_of(""), Affinity::none);
}

}  // namespace
}  // namespace alfred
