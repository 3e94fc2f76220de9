#include "surface/mcp/inbox/inbox_resources.h"

#include <gtest/gtest.h>

#include "inbox/open_inbox.h"
#include "pack/load/folder_for_tests.h"
#include "surface/mcp/features_for_tests.h"

namespace alfred::mcp {
namespace {

TEST(InboxResources, R1_agents_beyond_the_first_hundred_are_listed_and_completed) {
  const FolderForTests folder{{}};
  const SystemClock clock;
  OsRandom random;
  Result<OpenInbox> opened =
      OpenInbox::open("sqlite:" + folder.path() + "/inbox.db", clock, random);
  ASSERT_TRUE(opened) << opened.error().message;
  for (int i = 0; i < 120; ++i)
    ASSERT_TRUE(opened->inbox().register_agent(
        JsonObject{{"agentId", "fox-" + std::to_string(i)}, {"backend", "mcp"}}));
  ASSERT_TRUE(opened->inbox().register_agent(JsonObject{{"agentId", "late"}, {"backend", "mcp"}}));
  InboxResources resources(std::make_unique<FeaturesForTests>(), opened->inbox());
  const JsonArray listed = resources.resources();
  ASSERT_EQ(listed.size(), 121U);
  EXPECT_EQ(listed.back().at("uri"), Json("inbox://late"));
  const auto completed = [&](std::string_view value) {
    const McpOutcome done = resources.complete(
        JsonObject{{"argument", JsonObject{{"name", "agent"}, {"value", value}}}});
    return std::get<JsonObject>(done).at("completion");
  };
  EXPECT_EQ(write_json(completed("la")), R"({"values":["late"],"hasMore":false})");
  EXPECT_EQ(completed("fox-").at("values").as_array().size(), 100U);
  EXPECT_EQ(completed("fox-").at("hasMore"), Json(true));
  EXPECT_EQ(completed("fox-11").at("values").as_array().size(), 11U);
  EXPECT_EQ(completed("fox-11").at("hasMore"), Json(false));
}

}  // namespace
}  // namespace alfred::mcp
