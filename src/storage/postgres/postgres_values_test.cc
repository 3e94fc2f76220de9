// Every type of PostgreSQL that a field may have, there and back.
#include <cmath>
#include <limits>

#include "storage/postgres/pg_text.h"
#include "storage/postgres/postgres_store_for_tests.h"
#include "storage/tables_for_tests.h"

namespace alfred {
namespace {

class PostgresValues : public PostgresStoreForTests {
 protected:
  void SetUp() override {
    PostgresForTests::run_on(url_, R"(
      CREATE TYPE mood AS ENUM ('calm', 'wild');
      CREATE TABLE books (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), title varchar(40), mood mood,
        pages integer, price numeric(10,2), weight real, is_out boolean, is_old integer, born date,
        seen timestamptz, extra jsonb, tags text[], cover bytea))");
    books_.fields.push_back(typed_field("cover", FieldType::bytes, "bytea"));
    database_ = open(url_, foreign());
  }

  Result<Value> round_trip(std::string_view field, const Value& value) {
    Value out;
    const Result<std::string> answer =
        database_->write(call_of({}), [&](Tx& tx) -> Result<std::string> {
          Result<Row> row = tx.insert(insert_into(books_, {{field, value}}, {field}));
          if (!row) return Unexpected(row.error());
          out = row->at(0);
          return "done";
        });
    if (!answer) return Unexpected(answer.error());
    return out;
  }
  void expect_same(std::string_view field, const Value& value) {
    const Result<Value> back = round_trip(field, value);
    ASSERT_TRUE(back.has_value()) << field << ": " << told(back.error());
    EXPECT_EQ(*back, value) << field;
  }

  Table books_ = books_for_tests();
  std::unique_ptr<PostgresDatabase> database_;
};

TEST_F(PostgresValues, R1_each_type_comes_back_as_it_was_stored) {
  expect_same("id", "0d3c8b4e-64f5-4a6e-9d0e-2f7a5c1b9e77");
  expect_same("title", "ünï 😀");
  expect_same("mood", "wild");
  expect_same("pages", std::int64_t{-7});
  expect_same("price", 12.25);
  expect_same("weight", 0.5);
  expect_same("is_out", true);
  expect_same("is_old", false);
  expect_same("born", "2026-02-28");
  expect_same("seen", "2026-02-28T17:05:00.000Z");
  expect_same("seen", "2026-02-28T17:05:00.120Z");
  expect_same("seen", "2026-02-28T17:05:00.123456Z");
  expect_same("seen", "infinity");
  expect_same("seen", "-infinity");
  expect_same("seen", "0044-03-15 00:00:00 BC");
  expect_same("extra", "{\"a\": [1, \"x\"]}");
  expect_same("tags", R"(["a","b, c","\"q\"",""])");
  expect_same("tags", "[]");
  expect_same("cover", Bytes{std::string("\0\x01\xff", 3)});
  for (const Field& field : books_.fields)
    if (field.name != "id") expect_same(field.name, Value());
}

TEST_F(PostgresValues, a_value_that_does_not_fit_is_told_without_the_value) {
  for (const auto& [field, value] :
       std::vector<std::pair<std::string_view, Value>>{{"id", "secret"},
                                                       {"born", "secret"},
                                                       {"seen", "2026-13-01T00:00:00Z"},
                                                       {"mood", "secret"},
                                                       {"pages", std::int64_t{1} << 40},
                                                       {"title", std::string(41, 'x')},
                                                       {"extra", "{secret"},
                                                       {"title", "\xff secret"}}) {
    const Result<Value> back = round_trip(field, value);
    ASSERT_FALSE(back.has_value()) << field;
    EXPECT_EQ(back.error().code, ErrorCode::value) << field << " " << told(back.error());
    EXPECT_EQ(told(back.error()).find("secret"), std::string::npos) << told(back.error());
  }
}

TEST_F(PostgresValues, conditions_use_the_columns_types) {
  expect_same("mood", "calm");
  expect_same("seen", "2026-02-28T17:05:00.000Z");
  expect_same("price", 12.25);
  const auto count_of = [&](const Condition& where) {
    std::size_t size = 0;
    const Result<void> read = database_->read({}, [&](Tx& tx) -> Result<void> {
      SelectRows plan = select_from(books_, {"id"});
      plan.where = where;
      const Result<std::vector<Row>> rows = tx.select(plan);
      if (!rows) return Unexpected(rows.error());
      size = rows->size();
      return {};
    });
    EXPECT_TRUE(read.has_value()) << told(read.error());
    return size;
  };
  EXPECT_EQ(count_of(where_is(books_, "mood", CompareOp::eq, "calm")), 1U);
  EXPECT_EQ(count_of(where_is(books_, "mood", CompareOp::eq, "no such mood")), 0U);
  EXPECT_EQ(count_of(where_is(books_, "seen", CompareOp::le, "2026-02-28T17:05:00.000Z")), 1U);
  EXPECT_EQ(count_of(where_is(books_, "price", CompareOp::gt, 12.0)), 1U);
}

TEST(PgText, R3_instants_have_one_form) {
  constexpr std::uint32_t kTimestamptz = 1184;
  const auto instant = [](std::string_view text) {
    return std::get<std::string>(value_by_type(text, kTimestamptz, true));
  };
  EXPECT_EQ(instant("2026-02-28 17:05:00+00"), "2026-02-28T17:05:00.000Z");
  EXPECT_EQ(instant("2026-02-28 17:05:00.5+00"), "2026-02-28T17:05:00.500Z");
  EXPECT_EQ(instant("2026-02-28 17:05:00.1234+00"), "2026-02-28T17:05:00.123400Z");
  EXPECT_EQ(instant("infinity"), "infinity");
}

TEST(PgText, R2_C10_numeric_keeps_its_digits) {
  constexpr std::uint32_t kFloat8 = 701;
  constexpr std::uint32_t kNumeric = 1700;
  const auto of_field = [](std::string_view text) {
    return value_of_field(text, kNumeric, FieldType::number);
  };
  EXPECT_EQ(of_field("1.5000000000"), Value(1.5));
  EXPECT_EQ(of_field("9007199254740993.0000"), Value(std::int64_t{9007199254740993}));
  EXPECT_EQ(of_field("12345678901234567.1200000000"), Value(std::string("12345678901234567.12")));
  EXPECT_EQ(of_field("12345678901234567890.0123456789"),
            Value(std::string("12345678901234567890.0123456789")));
  EXPECT_EQ(of_field("12345678901234567890"), Value(std::string("12345678901234567890")));
  EXPECT_EQ(value_of_field("12345678901234567890", kNumeric, FieldType::integer),
            Value(std::string("12345678901234567890")));
  EXPECT_EQ(of_field("-Infinity"), Value(-std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(std::isnan(std::get<double>(of_field("NaN"))));
  EXPECT_EQ(value_of_field("9.007199254740994e+15", kFloat8, FieldType::number),
            Value(9007199254740994.0));
  EXPECT_EQ(value_by_type("3.3333333333333333", kNumeric, true), Value(10.0 / 3));
  EXPECT_EQ(value_by_type("12345678901234567.12", kNumeric, true),
            Value(std::string("12345678901234567.12")));
}

TEST(PgText, arrays_are_read_with_their_quotes) {
  using Elements = std::vector<std::optional<std::string>>;
  EXPECT_EQ(array_elements("{}"), Elements{});
  EXPECT_EQ(array_elements(R"({a,"b,c","q\"\\",NULL,"NULL",""})"),
            (Elements{"a", "b,c", "q\"\\", std::nullopt, "NULL", ""}));
}

}  // namespace
}  // namespace alfred
