#include "engine/session/turn_hold.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "pack/load/folder_for_tests.h"

namespace alfred {
namespace {

const std::string kSession = "ses_7k2f9m3qw1bx";

TEST(TurnHold, R1_one_at_a_time_and_the_next_when_it_is_let_go) {
  const FolderForTests folder({});
  RecordPlace place;
  place.data_dir = folder.path();
  {
    const Result<TurnHold> first = hold_turns(place, kSession, 0);
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->has_value());
    const Result<TurnHold> second = hold_turns(place, kSession, 0);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::busy);
  }
  EXPECT_TRUE(hold_turns(place, kSession, 0));
}

TEST(TurnHold, R2_another_session_is_not_held_up) {
  const FolderForTests folder({});
  RecordPlace place;
  place.data_dir = folder.path();
  const Result<TurnHold> first = hold_turns(place, kSession, 0);
  ASSERT_TRUE(first);
  EXPECT_TRUE(hold_turns(place, "ses_7k2f9m3qw1by", 0));
}

TEST(TurnHold, what_is_no_id_makes_no_file) {
  const FolderForTests folder({});
  RecordPlace place;
  place.data_dir = folder.path() + "/inner";
  for (const char* odd : {"../x", "", "ses_", "a/b"}) {
    const Result<TurnHold> hold = hold_turns(place, odd, 0);
    ASSERT_TRUE(hold) << odd;
    EXPECT_FALSE(hold->has_value()) << odd;
  }
  EXPECT_FALSE(read_file(folder.path() + "/x.lock"));
}

}  // namespace
}  // namespace alfred
