#include "surface/mcp/inbox/inbox_page.h"

#include <gtest/gtest.h>

namespace alfred::mcp {
namespace {

TEST(InboxPage, an_agent_has_one_address) {
  for (const char* const agent : {"fox", "agt_copper-fox", "team/a b", "l\xc3\xb6we", "100%"})
    EXPECT_EQ(inbox_agent(inbox_uri(agent)), agent);
  EXPECT_EQ(inbox_uri("team/a"), "inbox://team%2Fa");
  for (const char* const wrong : {"", "inbox://", "ref://fox", "inbox:fox", "inbox://team%2fa",
                                  "inbox://%66ox", "inbox://a/b", "inbox://a%2", "inbox://a%zz"})
    EXPECT_FALSE(inbox_agent(wrong)) << wrong;
}

}  // namespace
}  // namespace alfred::mcp
