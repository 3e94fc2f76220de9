#include "surface/mcp/records/tool_list.h"

#include <gtest/gtest.h>

#include "context/token_estimate.h"
#include "surface/mcp/turns/turn_features.h"

namespace alfred::mcp {
namespace {

TEST(ToolList, R1_has_fewer_than_2500_tokens) {
  const std::string all = write_json(record_tools(false));
  EXPECT_LT(estimate_tokens(all), 2500U) << all.size() << " bytes";
  EXPECT_GT(estimate_tokens(all), 500U);
}

TEST(ToolList, R1_turns_have_few_tokens) {
  EXPECT_LT(estimate_tokens(write_json(turn_tools())), 700U);
}

TEST(ToolList, R2_the_order_is_always_the_same) {
  EXPECT_EQ(write_json(record_tools(false)), write_json(record_tools(false)));
}

TEST(ToolList, R3_a_server_that_reads_lists_tools_that_read) {
  const JsonArray tools = record_tools(true);
  EXPECT_EQ(tools.size(), 4U);
  for (const Json& tool : tools) {
    EXPECT_TRUE(tool.at("annotations").at("readOnlyHint").as_bool()) << write_json(tool);
    EXPECT_TRUE(tool.at("outputSchema").is_object());
  }
}

TEST(ToolList, names_suit_every_client) {
  for (const Json& tool : record_tools(false))
    for (const char c : tool.at("name").as_string())
      EXPECT_TRUE((c >= 'a' && c <= 'z') || c == '_') << c;
}

}  // namespace
}  // namespace alfred::mcp
