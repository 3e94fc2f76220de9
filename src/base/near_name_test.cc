#include "base/near_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace alfred {
namespace {

const std::vector<std::string> kNames{"read", "ack", "send", "policy", "compact", "local_event"};

TEST(NearName, R1_one_letter_of_three_may_be_wrong) {
  EXPECT_EQ(near_name("raed", kNames), "read");
  EXPECT_EQ(near_name("akc", kNames), "ack");
  EXPECT_EQ(near_name("polcy", kNames), "policy");
  EXPECT_EQ(near_name("localevent", kNames), "local_event");
  EXPECT_EQ(near_name("comp", kNames), "compact");
  EXPECT_EQ(near_name("xyz", kNames), "");
  EXPECT_EQ(near_name("", kNames), "");
  EXPECT_EQ(near_name(std::string(1000, 'a'), kNames), "");
}

TEST(NearName, R2_the_nearest_is_told) {
  EXPECT_EQ(near_name("sead", kNames), "read");
  EXPECT_EQ(did_you_mean("sned", kNames), " Did you mean send?");
  EXPECT_EQ(did_you_mean("nothing", kNames), "");
}

}  // namespace
}  // namespace alfred
