#include "surface/cli/meant_command.h"

#include <gtest/gtest.h>

#include <vector>

namespace alfred::cli {
namespace {

std::string meant(std::vector<std::string> words) { return meant_command(words); }

TEST(MeantCommand, a_wrong_word_is_told_with_the_nearest_and_all_there_are) {
  const std::string verb = meant({"inbox", "raed", "fox"});
  EXPECT_TRUE(verb.starts_with("There is no command inbox raed. Did you mean inbox read?")) << verb;
  EXPECT_NE(verb.find("ack"), std::string::npos) << verb;
  EXPECT_TRUE(meant({"inbx", "read"}).starts_with("There is no command inbx. Did you mean inbox?"));
  EXPECT_TRUE(meant({"frobnicate"}).starts_with("There is no command frobnicate. There are: "));
  EXPECT_TRUE(meant({"inbox", "ack", "fox", "--al"})
                  .starts_with("There is no option --al here. Did you mean --all?"));
}

TEST(MeantCommand, what_is_known_is_left_to_the_parser) {
  EXPECT_EQ(meant({}), "");
  EXPECT_EQ(meant({"--version"}), "");
  EXPECT_EQ(meant({"inbox"}), "");
  EXPECT_EQ(meant({"inbox", "--help"}), "");
  EXPECT_EQ(meant({"inbox", "read", "fox", "--limit=3"}), "");
  EXPECT_EQ(meant({"refs", "show"}), "");
}

}  // namespace
}  // namespace alfred::cli
