#include "base/error_table.h"

#include <set>

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(ErrorTable, names_are_distinct_and_complete) {
  std::set<std::string_view> names;
  for (const ErrorRow& row : error_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(error_name(row.code), row.name);
    EXPECT_FALSE(row.meaning.empty());
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::bug) + 1);
}

TEST(ErrorTable, http_status_follows_the_kind) {
  for (const ErrorRow& row : error_table()) {
    const bool server_fault = row.kind == ErrorKind::unavailable || row.kind == ErrorKind::bug;
    EXPECT_EQ(row.http_status >= 500, server_fault) << row.name;
  }
}

TEST(Result, carries_a_value_or_an_error) {
  Result<int> good = 3;
  Result<int> bad = fail(ErrorCode::limit, "too many", "rows", {"200"});
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(*good, 3);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code, ErrorCode::limit);
  EXPECT_EQ(bad.error().path, "rows");
}

}  // namespace
}  // namespace alfred
