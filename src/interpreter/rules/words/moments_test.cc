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
      if (one.minute >= 0) out += "@" + clock_text(one.minute, one.second);
      if (one.minute < 0 && one.part != DayPart::none)
        out += "~" + clock_text(clock_of(one.part), 0);
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
  EXPECT_EQ(read("tomorrow at 7am"), "2026-03-03@07:00");
  EXPECT_EQ(read("tonight at 8"), "2026-03-02@20:00");
  EXPECT_EQ(read("tomorrow 18:30"), "2026-03-03@18:30");
  EXPECT_EQ(read("in 20 minutes"), "2026-03-02@10:20");
  EXPECT_EQ(read("8 oclock in the morning"), "@08:00");
}

TEST_F(Moments, R2_an_hour_that_stands_alone_is_of_the_waking_day) {
  EXPECT_EQ(read("tomorrow at 5"), "2026-03-03@17:00");
  EXPECT_EQ(read("tomorrow, at 5"), "2026-03-03@17:00");
  EXPECT_EQ(read("at 5 tomorrow"), "2026-03-03@17:00");
  EXPECT_EQ(read("at 1"), "@13:00");
  EXPECT_EQ(read("at 7"), "@19:00");
  EXPECT_EQ(read("at 8"), "@08:00");
  EXPECT_EQ(read("at 11"), "@11:00");
  EXPECT_EQ(read("at 12"), "@12:00");
  EXPECT_EQ(read("at 12:30"), "@12:30");
  EXPECT_EQ(read("at 13"), "@13:00");
  EXPECT_EQ(read("at 5:30"), "@17:30");
  EXPECT_EQ(read("at 05:30"), "@05:30");
  EXPECT_EQ(read("at 17:30"), "@17:30");
  EXPECT_EQ(read("at half past 2"), "@14:30");
  EXPECT_EQ(read("at a quarter to 6"), "@17:45");
  EXPECT_EQ(read("at 10 past 9"), "@09:10");
  EXPECT_EQ(read("half past twelve"), "@12:30");
}

TEST_F(Moments, R2_what_is_said_beside_an_hour_decides) {
  EXPECT_EQ(read("at 5am"), "@05:00");
  EXPECT_EQ(read("at 9 p.m."), "@21:00");
  EXPECT_EQ(read("at 12am"), "@00:00");
  EXPECT_EQ(read("tomorrow morning at 5"), "2026-03-03@05:00");
  EXPECT_EQ(read("at 5 tomorrow morning"), "2026-03-03@05:00");
  EXPECT_EQ(read("at 6 in the morning"), "@06:00");
  EXPECT_EQ(read("this evening at 9"), "2026-03-02@21:00");
  EXPECT_EQ(read("friday afternoon at 3"), "2026-03-06@15:00");
  EXPECT_EQ(read("tonight at 1"), "2026-03-03@01:00");
  EXPECT_EQ(read("tonight at midnight"), "2026-03-03@00:00");
  EXPECT_EQ(read("tonight at 12"), "2026-03-03@00:00");
}

TEST_F(Moments, R2_a_part_of_the_day_has_a_time_of_its_own) {
  EXPECT_EQ(read("tomorrow morning"), "2026-03-03~08:00");
  EXPECT_EQ(read("tomorrow noon"), "2026-03-03~12:00");
  EXPECT_EQ(read("this afternoon"), "2026-03-02~15:00");
  EXPECT_EQ(read("this evening"), "2026-03-02~19:00");
  EXPECT_EQ(read("tonight"), "2026-03-02~20:00");
  EXPECT_EQ(read("in the morning"), "@08:00");
  EXPECT_EQ(read("tomorrow in the evening"), "2026-03-03@19:00");
}

TEST_F(Moments, R2_lengths_of_time_are_exact) {
  now_ = Now::read("2026-03-02", "10:00:50", "Europe/Berlin");
  EXPECT_EQ(read("in 1 minute"), "2026-03-02@10:01:50");
  EXPECT_EQ(read("in a minute"), "2026-03-02@10:01:50");
  EXPECT_EQ(read("in 90 seconds"), "2026-03-02@10:02:20");
  EXPECT_EQ(read("in 10 seconds"), "2026-03-02@10:01");
  EXPECT_EQ(read("in 1 hour and 30 minutes"), "2026-03-02@11:30:50");
  EXPECT_EQ(read("in 1.5 hours"), "2026-03-02@11:30:50");
  EXPECT_EQ(read("in 20 hours"), "2026-03-03@06:00:50");
  EXPECT_EQ(read("in 99999999999999999999 hours"), "");
  EXPECT_EQ(read("in 99999999999999999999 days"), "");
}

TEST_F(Moments, R2_lengths_of_time_hold_where_clocks_are_set) {
  now_ = Now::read("2026-03-29", "01:30", "Europe/Berlin");  // 02:00 is 03:00
  EXPECT_EQ(read("in 1 hour"), "2026-03-29@03:30");
  now_ = Now::read("2026-10-24", "22:00", "Europe/Berlin");  // at 03:00 it is 02:00 again
  EXPECT_EQ(read("in 6 hours"), "2026-10-25@03:00");
}

TEST_F(Moments, an_instant_for_people_has_its_day_its_date_and_its_time) {
  EXPECT_EQ(when_text({now_.day + 1, 17 * 60, 0}, now_), "tomorrow (2026-03-03) at 17:00");
  EXPECT_EQ(when_text({now_.day, 17 * 60, 30}, now_), "today (2026-03-02) at 17:00:30");
  EXPECT_EQ(when_text({now_.day + 4, 9 * 60, 0}, now_), "on Friday, 6 March (2026-03-06) at 09:00");
}

TEST_F(Moments, R3_numbers_of_things_are_no_times) {
  EXPECT_EQ(read("add 3 lemons"), "");
  EXPECT_EQ(read("for 4 people"), "");
  EXPECT_EQ(read("31 february"), "");
  EXPECT_EQ(read("stop at 2 litres"), "");
  EXPECT_EQ(read("5 to 7 eggs"), "");
}

TEST_F(Moments, R3_a_day_that_cannot_be_is_told) {
  const auto told = [](std::string_view text) { return no_such_day(read_tokens(text)); };
  EXPECT_EQ(told("on february 30"), "There is no February 30.");
  EXPECT_EQ(told("by 31 april"), "There is no April 31.");
  EXPECT_EQ(told("on 2026-02-30"), "There is no such day: 2026-02-30.");
  for (const char* text : {"on february 29", "31 may", "2026-02-28", "add 31 lemons", "may 40", ""})
    EXPECT_EQ(told(text), "") << text;
}

TEST_F(Moments, an_instant_names_the_users_zone) {
  EXPECT_EQ(instant_text({now_.day, 425, 0}, now_), "2026-03-02T07:05[Europe/Berlin]");
  EXPECT_EQ(instant_text({now_.day, 425, 9}, now_), "2026-03-02T07:05:09[Europe/Berlin]");
  for (const char* text : {"2026-03-02T07:05:09[Europe/Berlin]", "2026-03-02T06:05:09Z"})
    EXPECT_EQ(read_instant(text, now_), (Instant{now_.day, 425, 9})) << text;
  EXPECT_FALSE(read_instant("tomorrow", now_));
  now_.zone = "UTC";
  EXPECT_EQ(instant_text({now_.day, 425, 0}, now_), "2026-03-02T07:05:00Z");
  EXPECT_EQ(instant_text({now_.day, 425, 9}, now_), "2026-03-02T07:05:09Z");
  EXPECT_EQ(day_name(now_.day + 4, now_), "Friday, 6 March");
}

}  // namespace
}  // namespace alfred::rules
