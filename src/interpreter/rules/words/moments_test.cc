#include "interpreter/rules/words/moments.h"

#include <gtest/gtest.h>

namespace alfred::rules {
namespace {

class Moments : public testing::Test {
 protected:
  // Monday.
  Now now_ = Now::read("2026-03-02", "10:00", "Europe/Berlin");

  std::string read(std::string_view message) {
    const Tokens tokens = read_tokens(message);
    std::string out;
    for (const Moment& one : find_moments(tokens, now_)) {
      out += out.empty() ? "" : " ";
      if (one.kind == Moment::Kind::span) {
        out += std::to_string(one.length) + "d";
        continue;
      }
      if (one.kind != Moment::Kind::time) out += iso_day(one.day);
      if (one.kind == Moment::Kind::days) out += ".." + iso_day(one.last);
      if (one.minute >= 0) out += "@" + std::to_string(one.minute);
    }
    return out;
  }
};

TEST_F(Moments, days_by_name) {
  EXPECT_EQ(read("today"), "2026-03-02");
  EXPECT_EQ(read("the day after tomorrow"), "2026-03-04");
  EXPECT_EQ(read("yesterday"), "2026-03-01");
  EXPECT_EQ(read("in 10 days"), "2026-03-12");
  EXPECT_EQ(read("2026-04-01"), "2026-04-01");
  EXPECT_EQ(read("on 5 march"), "2026-03-05");
}

TEST_F(Moments, R1_weekdays_are_the_first_after_today) {
  EXPECT_EQ(read("friday"), "2026-03-06");
  EXPECT_EQ(read("next friday"), "2026-03-06");
  EXPECT_EQ(read("monday"), "2026-03-09");
}

TEST_F(Moments, R1_weeks_and_counted_days) {
  EXPECT_EQ(read("this week"), "2026-03-02..2026-03-08");
  EXPECT_EQ(read("the week after next"), "2026-03-16..2026-03-22");
  EXPECT_EQ(read("in the next 3 days"), "2026-03-02..2026-03-05");
  EXPECT_EQ(read("within a week"), "2026-03-02..2026-03-09");
  EXPECT_EQ(read("for 3 weeks"), "21d");
  EXPECT_EQ(read("another week"), "7d");
}

TEST_F(Moments, R2_times_and_the_evening) {
  EXPECT_EQ(read("tomorrow at 7am"), "2026-03-03@420");
  EXPECT_EQ(read("tonight at 8"), "2026-03-02@1200");
  EXPECT_EQ(read("tomorrow 18:30"), "2026-03-03@1110");
  EXPECT_EQ(read("in 20 minutes"), "2026-03-02@620");
  EXPECT_EQ(read("8 oclock in the morning"), "@480");
}

TEST_F(Moments, R3_numbers_of_things_are_no_times) {
  EXPECT_EQ(read("add 3 lemons"), "");
  EXPECT_EQ(read("for 4 people"), "");
  EXPECT_EQ(read("31 february"), "");
}

TEST_F(Moments, an_instant_names_the_users_zone) {
  EXPECT_EQ(instant_text(now_.day, 425, now_), "2026-03-02T07:05[Europe/Berlin]");
  now_.zone = "UTC";
  EXPECT_EQ(instant_text(now_.day, 425, now_), "2026-03-02T07:05:00Z");
  EXPECT_EQ(day_name(now_.day + 4, now_), "Friday, 6 March");
}

}  // namespace
}  // namespace alfred::rules
