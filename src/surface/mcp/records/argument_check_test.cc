#include "surface/mcp/records/argument_check.h"

#include <gtest/gtest.h>

#include "surface/mcp/records/tool_list.h"

namespace alfred::mcp {
namespace {

Result<void> check(std::string_view tool, std::string_view arguments) {
  const Json given = parse_json(arguments, JsonLimits::none()).value();
  for (const Json& one : record_tools(false))
    if (std::string_view(one.at("name").as_string()) == tool)
      return check_arguments(one.at("inputSchema").as_object(), given.as_object());
  return fail(ErrorCode::bug, "no such tool");
}

TEST(ArgumentCheck, R1_takes_what_the_tools_say) {
  EXPECT_TRUE(check("schema", "{}").has_value());
  EXPECT_TRUE(check("db_read", R"({"table":"books","limit":200,"refs":["book_1"],"count":true})"));
  EXPECT_TRUE(check("db_create", R"({"table":"books","data":[{}]})").has_value());
  EXPECT_TRUE(check("batch", R"({"action":"status","batch":"bat_1"})").has_value());
}

struct WrongCall {
  std::string_view tool;
  std::string_view arguments;
  std::string_view path;
};

TEST(ArgumentCheck, R2_names_the_argument_that_is_wrong) {
  for (const WrongCall& wrong :
       {WrongCall{"db_read", "{}", "table"}, WrongCall{"db_read", R"({"table":7})", "table"},
        WrongCall{"db_read", R"({"table":"b","limit":0})", "limit"},
        WrongCall{"db_read", R"({"table":"b","limit":201})", "limit"},
        WrongCall{"db_read", R"({"table":"b","limit":1.5})", "limit"},
        WrongCall{"db_read", R"({"table":"b","limit":18446744073709551615})", "limit"},
        WrongCall{"db_read", R"({"table":"b","refs":"book_1"})", "refs"},
        WrongCall{"db_read", R"({"table":"b","refs":["book_1",2]})", "refs[1]"},
        WrongCall{"db_create", R"({"table":"b","data":"x"})", "data"},
        WrongCall{"db_delete", R"({"table":"b"})", "refs"},
        WrongCall{"db_delete", R"({"table":"b","refs":[],"dry_run":1})", "dry_run"},
        WrongCall{"batch", R"({"action":"end"})", "action"}}) {
    const Result<void> checked = check(wrong.tool, wrong.arguments);
    ASSERT_FALSE(checked.has_value()) << wrong.arguments;
    EXPECT_EQ(checked.error().path, wrong.path) << wrong.arguments;
  }
}

TEST(ArgumentCheck, R2_says_what_came) {
  const auto said = [](std::string_view tool, std::string_view arguments) {
    return check(tool, arguments).error().message;
  };
  EXPECT_EQ(said("db_read", R"({"table":5})"), "table is of type string; this is `5`.");
  EXPECT_EQ(said("db_read", R"({"table":"b","limit":"x"})"),
            "limit is of type integer; this is the text `x`.");
  EXPECT_EQ(said("db_read", R"({"table":"b","limit":0})"),
            "limit is a whole number from 1 to 200; this is `0`.");
  EXPECT_EQ(said("db_read", R"({"table":"b","refs":["book_1",{}]})"),
            "Each of refs is of type string; this is an object.");
  const Error action = check("batch", R"({"action":"x"})").error();
  EXPECT_EQ(action.message, "action is one of a list; this is the text `x`.");
  EXPECT_EQ(action.code, ErrorCode::schema);  // no column's list, so the schema does not tell it
  EXPECT_FALSE(action.allowed.empty());
}

TEST(ArgumentCheck, R2_says_which_arguments_there_are) {
  const Result<void> checked = check("query", R"({"sql":"SELECT 1","rows":5})");
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().allowed, (std::vector<std::string>{"sql", "limit"}));
}

}  // namespace
}  // namespace alfred::mcp
