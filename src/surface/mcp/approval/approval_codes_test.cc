#include "surface/mcp/approval/approval_codes.h"

#include <gtest/gtest.h>

namespace alfred::mcp {
namespace {

TEST(ApprovalCodes, R1_a_code_stands_for_one_call_with_one_outcome) {
  SeededRandom random(7);
  ApprovalCodes codes(random);
  const std::string code = codes.code_for("delete a");
  EXPECT_EQ(codes.code_for("delete a"), code);
  EXPECT_NE(codes.code_for("delete b"), code);
  EXPECT_FALSE(codes.use(code, "delete b", "opn_1"));
  EXPECT_FALSE(codes.use("", "delete a", "opn_1"));
  EXPECT_EQ(codes.used_for(code), "");
  EXPECT_TRUE(codes.use(code, "delete a", "opn_1"));
}

TEST(ApprovalCodes, R2_a_code_is_good_for_one_write) {
  SeededRandom random(7);
  ApprovalCodes codes(random);
  const std::string code = codes.code_for("delete a");
  EXPECT_TRUE(codes.use(code, "delete a", "opn_1"));
  EXPECT_EQ(codes.used_for(code), "opn_1");
  EXPECT_FALSE(codes.use(code, "delete a", "opn_1"));
  const std::string next = codes.code_for("delete a");
  EXPECT_NE(next, code);
  EXPECT_TRUE(codes.use(next, "delete a", "opn_1"));
  codes.give_back(next);
  EXPECT_EQ(codes.used_for(next), "");
  EXPECT_TRUE(codes.use(next, "delete a", "opn_1"));
}

TEST(ApprovalCodes, R3_the_oldest_go_first) {
  SeededRandom random(7);
  ApprovalCodes codes(random);
  const std::string code = codes.code_for("first");
  for (std::size_t i = 0; i < ApprovalCodes::kMost; ++i) codes.code_for(std::to_string(i));
  EXPECT_FALSE(codes.use(code, "first", "opn_1"));
  EXPECT_TRUE(codes.use(codes.code_for("0"), "0", "opn_1"));
}

}  // namespace
}  // namespace alfred::mcp
