#include "contracts/wake_up.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(WakeUp, R1_entries_are_called_by_refs_and_read_back) {
  const std::vector<WakeEntry> entries{{"timer", "2026-02-28 17:05", "Buy (good): bread"},
                                       {"built", "2026-02-28 17:06", "two\nlines"}};
  const std::string message = wake_up_message(entries);
  EXPECT_NE(
      message.find("\nentry_1 (timer, 2026-02-28 17:05): Buy (good): bread\nentry_2 (built, "),
      std::string::npos)
      << message;
  const std::vector<WakeEntry> read = read_wake_up(message);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].kind, "timer");
  EXPECT_EQ(read[0].when, "2026-02-28 17:05");
  EXPECT_EQ(read[0].text, "Buy (good): bread");
  EXPECT_EQ(read[1].text, "two lines");
}

TEST(WakeUp, R2_what_people_type_is_none) {
  EXPECT_TRUE(is_wake_up(wake_up_message({})));
  EXPECT_FALSE(is_wake_up("wake-up at 7"));
  EXPECT_TRUE(read_wake_up("entry_1 (timer, now): x").empty());
  EXPECT_TRUE(read_wake_up("[wake-up]\nentry_1 timer now: x\nnothing").empty());
}

TEST(WakeUp, R3_an_entry_is_cut_between_characters) {
  const std::vector<WakeEntry> entries{{"timer", "now", std::string(5'000, 'x')}};
  EXPECT_EQ(read_wake_up(wake_up_message(entries)).at(0).text.size(), kWakeEntryBytes);
}

}  // namespace
}  // namespace alfred
