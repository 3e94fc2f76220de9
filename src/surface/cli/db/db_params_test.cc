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
