#include "records/record_keys.h"

#include <gtest/gtest.h>

#include "refs/keys/key_door_for_tests.h"

namespace alfred {
namespace {

Table table_with(std::vector<std::string> key) {
  Table table;
  table.name = "loans";
  table.key = std::move(key);
  for (const char* name : {"id", "book_id", "day"}) {
    Field field;
    field.name = name;
    table.fields.push_back(field);
  }
  return table;
}

std::vector<const Field*> fields_in(const Table& table) {
  std::vector<const Field*> fields;
  for (const Field& field : table.fields) fields.push_back(&field);
  return fields;
}

const std::string kUuid = "6f9619ff-8b86-4011-b42d-00c04fc964ff";

TEST(RecordKeys, a_key_of_one_column_goes_to_values_and_back) {
  const Table table = table_with({"id"});
  const std::vector<const Field*> fields = fields_in(table);
  for (const Value& id :
       {Value(kUuid), Value(std::int64_t{-7}), Value(std::string("north")), Value(std::string())}) {
    const Result<RecordKey> key = RecordKeys::of_row(table, fields, {id, {}, {}});
    ASSERT_TRUE(key);
    EXPECT_EQ(RecordKeys::values(table, *key), std::vector<Value>{id});
    EXPECT_EQ(RecordKeys::link_value(*fields[1], *key), id);
    EXPECT_EQ(RecordKeys::linked(*fields[1], id).value(), *key);
  }
}

TEST(RecordKeys, a_composite_key_keeps_the_order_of_the_key) {
  const Table table = table_with({"day", "book_id"});
  const std::vector<const Field*> fields = fields_in(table);
  const Row row = {std::int64_t{1}, std::int64_t{424242424}, std::string("2026-02-28")};
  const RecordKey key = RecordKeys::of_row(table, fields, row).value();
  EXPECT_EQ(KeyDoorForTests::text(key), "2026-02-28|424242424");
  EXPECT_EQ(RecordKeys::values(table, key), (std::vector<Value>{row[2], row[1]}));
}

TEST(RecordKeys, the_condition_names_exactly_the_rows) {
  const Table one = table_with({"id"});
  const RecordKey keys[] = {RecordKey::integer(3), RecordKey::integer(5)};
  const Condition in = RecordKeys::condition(one, keys);
  EXPECT_EQ(in.kind, Condition::Kind::in);
  EXPECT_EQ(in.field, one.find("id"));
  EXPECT_EQ(in.values, (std::vector<Value>{std::int64_t{3}, std::int64_t{5}}));

  const Table two = table_with({"book_id", "day"});
  const RecordKey parts[] = {RecordKey::integer(3), RecordKey::text("x")};
  const RecordKey pair[] = {RecordKey::composite(parts)};
  const Condition tuple = RecordKeys::condition(two, pair);
  EXPECT_EQ(tuple.kind, Condition::Kind::tuple_in);
  EXPECT_EQ(tuple.fields, (std::vector<const Field*>{two.find("book_id"), two.find("day")}));
  EXPECT_EQ(tuple.values, (std::vector<Value>{std::int64_t{3}, std::string("x")}));
  EXPECT_TRUE(RecordKeys::condition(one, {}).values.empty());
}

TEST(RecordKeys, what_is_no_key_is_an_error_and_not_shown) {
  const Table table = table_with({"id"});
  const std::vector<const Field*> fields = fields_in(table);
  for (const Value& bad : {Value(), Value(1.5), Value(true), Value(Bytes{"secret"})}) {
    const Result<RecordKey> key = RecordKeys::of_row(table, fields, {bad, {}, {}});
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().code, ErrorCode::key_type);
    EXPECT_EQ(key.error().message.find("secret"), std::string::npos);
  }
  EXPECT_EQ(RecordKeys::of_row(table, {&fields[1], 1}, {Value()}).error().code, ErrorCode::bug);
}

}  // namespace
}  // namespace alfred
