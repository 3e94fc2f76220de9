#include "surface/cli/db/db_params.h"

#include <gtest/gtest.h>

#include <sstream>

namespace alfred::cli {
namespace {

Result<Json> params_of(std::initializer_list<std::pair<const char*, std::string>> given) {
  Arguments arguments;
  for (const auto& [name, value] : given) arguments.add(name, {value});
  std::istringstream in;
  std::ostringstream out;
  return write_params(arguments, {in, out, out});
}

TEST(DbParams, C10_a_number_that_would_be_rounded_is_refused) {
  const Result<Json> data =
      params_of({{"table", "bills"}, {"--data", R"({"sum":12345678901234567.12})"}});
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, ErrorCode::value);
  EXPECT_EQ(data.error().path, "--data sum");
  EXPECT_NE(data.error().message.find("12345678901234567.12"), std::string::npos);
  EXPECT_TRUE(params_of({{"table", "bills"}, {"--data", R"({"sum":9007199254740993})"}}));
  const Result<Json> filter = filter_of("sum = 12345678901234567.12");
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().code, ErrorCode::value);
  EXPECT_TRUE(filter_of("sum = 9007199254740993"));
  EXPECT_TRUE(filter_of("name = no. 12345678901234567.12"));
}

TEST(DbParams, a_filter_s_value_is_read_by_its_column) {
  Table books;
  books.name = "books";
  books.key = {"id"};
  for (const auto& [name, type] : {std::pair{"id", FieldType::integer},
                                   {"n", FieldType::integer},
                                   {"name", FieldType::text},
                                   {"born", FieldType::date}}) {
    Field& field = books.fields.emplace_back();
    field.name = name;
    field.type = type;
  }
  const auto value = [&](std::string_view text) {
    const Result<Json> filter = filter_of(text, &books);
    return filter ? write_json(filter->at("value")) : filter.error().message;
  };
  EXPECT_EQ(value("n in 7,8"), "[7,8]");
  EXPECT_EQ(value("n in 7"), "[7]");
  EXPECT_EQ(value("n in [7,8]"), "[7,8]");
  EXPECT_EQ(value("n between 1, 9"), "[1,9]");
  EXPECT_EQ(value("n = 5"), "5");
  EXPECT_EQ(value("name = 5"), R"("5")");
  EXPECT_EQ(value("name = true"), R"("true")");
  EXPECT_EQ(value("name = 12345678901234567.12"), R"("12345678901234567.12")");
  EXPECT_EQ(value("name in 12345678901234567.12, 1e400"), R"(["12345678901234567.12","1e400"])");
  EXPECT_EQ(value("name = 1.10"), R"("1.10")");
  EXPECT_EQ(value("name = \"5\""), R"("5")");
  EXPECT_EQ(value("name in 5,six"), R"(["5","six"])");
  EXPECT_EQ(value("name in \"a,b\""), R"(["a,b"])");
  EXPECT_EQ(value("name like 5"), R"("5")");
  EXPECT_EQ(value("born between 2026-01-01,2026-02-01"), R"(["2026-01-01","2026-02-01"])");
  EXPECT_EQ(value("id in book_1,book_2"), R"(["book_1","book_2"])");
  EXPECT_EQ(write_json(filter_of("n in 7,8")->at("value")), "[7,8]");
}

TEST(DbParams, C10_a_filter_waits_for_its_column) {
  Arguments arguments;
  arguments.add("table", {"books"});
  arguments.add("--filter", {"name = 12345678901234567.12"});
  std::istringstream in;
  std::ostringstream out;
  const Result<Json> params = write_params(arguments, {in, out, out});
  ASSERT_TRUE(params) << params.error().message;
  Table books;
  Field& name = books.fields.emplace_back();
  name.name = "name";
  const auto fitted = [&] { return fitted_filters(*params, arguments, &books); };
  EXPECT_EQ(write_json(fitted().value().at("filters")),
            R"([{"field":"name","op":"=","value":"12345678901234567.12"}])");
  name.type = FieldType::number;
  EXPECT_EQ(fitted().error().code, ErrorCode::value);
}

TEST(DbParams, params_may_not_name_another_table) {
  const Result<Json> other =
      params_of({{"table", "empty"}, {"--params", R"({"table":"box","filters":[]})"}});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::usage);
  EXPECT_TRUE(params_of({{"table", "box"}, {"--params", R"({"table":"box","filters":[]})"}}));
  EXPECT_TRUE(params_of({{"table", "box"}, {"--params", R"({"filters":[]})"}}));
}

TEST(DbParams, rows_of_a_batch_are_not_named_by_an_option) {
  for (const char* option : {"--ref", "--filter"}) {
    const Result<Json> refused =
        params_of({{"table", "box"}, {"--batch", "b"}, {option, "box_1 = 1"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_EQ(refused.error().path, option);
    EXPECT_NE(refused.error().message.find("--data"), std::string::npos);
  }
  EXPECT_TRUE(params_of({{"table", "box"}, {"--batch", "b"}, {"--data", R"([{"ref":"x"}])"}}));
}

}  // namespace
}  // namespace alfred::cli
