#include "base/time/clock_text.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

std::string time(std::string_view text) {
  return read_clock_text(ClockType::time, text).value_or("none");
}
std::string zoned(std::string_view text) {
  return read_clock_text(ClockType::zoned_time, text).value_or("none");
}
std::string span(std::string_view text) {
  return read_clock_text(ClockType::span, text).value_or("none");
}
int order(ClockType type, std::string_view a, std::string_view b) {
  return compare_clock_texts(type, a, b).value_or(9);
}

TEST(ClockText, R1_a_time_of_day) {
  EXPECT_EQ(time("17:05"), "17:05:00.000000");
  EXPECT_EQ(time("9:05:30.25"), "09:05:30.250000");
  EXPECT_EQ(time(" 24:00:00 "), "24:00:00.000000");
  for (const char* bad : {"", "17", "17:5x", "25:00", "24:00:01", "12:60", "12:00:60", "5 pm",
                          "-01:00", "12:00:00.1234567", "12:00+01", "017:05", "noon"})
    EXPECT_EQ(time(bad), "none") << bad;
}

TEST(ClockText, R1_a_time_of_day_with_its_zone) {
  EXPECT_EQ(zoned("17:05Z"), "17:05:00.000000+00:00:00");
  EXPECT_EQ(zoned("17:05:00+01"), "17:05:00.000000+01:00:00");
  EXPECT_EQ(zoned("17:05 -03:30"), "17:05:00.000000-03:30:00");
  for (const char* bad : {"17:05", "17:05+", "17:05+16", "17:05+01:60", "17:05 CET", "17:05Z+1"})
    EXPECT_EQ(zoned(bad), "none") << bad;
}

TEST(ClockText, R2_a_span) {
  EXPECT_EQ(span("01:30:00"), "0 mons 0 days 01:30:00.000000");
  EXPECT_EQ(span("90 minutes"), "0 mons 0 days 01:30:00.000000");
  EXPECT_EQ(span("1h30m"), "0 mons 0 days 01:30:00.000000");
  EXPECT_EQ(span("PT1H30M"), "0 mons 0 days 01:30:00.000000");
  EXPECT_EQ(span("1.5 hours"), "0 mons 0 days 01:30:00.000000");
  EXPECT_EQ(span("1 year 2 mons -3 days +04:05:06.789"), "14 mons -3 days 04:05:06.789000");
  EXPECT_EQ(span("-1 days -00:00:01"), "0 mons -1 days -00:00:01.000000");
  EXPECT_EQ(span("@ 1 day 2 hours ago"), "0 mons -1 days -02:00:00.000000");
  EXPECT_EQ(span("-P1Y2M3W4DT5.5S"), "-14 mons -25 days -00:00:05.500000");
  EXPECT_EQ(span("1.5 Weeks"), "0 mons 7 days 84:00:00.000000");
  EXPECT_EQ(span("200 ms"), "0 mons 0 days 00:00:00.200000");
  for (const char* bad : {"", "long", "90", "1 fortnight", "1.5 months", "P", "PT", "P1", "P1H",
                          "ago", "1 day ago ago", "1:00:00:00", "99999999999999 hours",
                          "3000000000 days", "300000000 years", "1 day 02", "--1 day", "1 day\n"})
    EXPECT_EQ(span(bad), "none") << bad;
}

TEST(ClockText, R3_spans_are_ordered_by_how_long_they_are) {
  constexpr ClockType kSpan = ClockType::span;
  EXPECT_EQ(order(kSpan, "90 minutes", "01:30:00"), 0);
  EXPECT_EQ(order(kSpan, "9:00:00", "10:00:00"), -1);
  EXPECT_EQ(order(kSpan, "100:00:00", "99:00:00"), 1);
  EXPECT_EQ(order(kSpan, "1 mon", "30 days"), 0);
  EXPECT_EQ(order(kSpan, "1 year", "365 days"), -1);
  EXPECT_EQ(order(kSpan, "1 day", "24:00:00"), 0);
  EXPECT_EQ(order(kSpan, "1 day -00:00:01", "23:59:59"), 0);
  EXPECT_EQ(order(kSpan, "-1 day", "-23:00:00"), -1);
  EXPECT_EQ(order(kSpan, "100000000 years", "2000000000 days"), 1);
  EXPECT_EQ(compare_clock_texts(kSpan, "infinity", "1 day"), std::nullopt);
}

TEST(ClockText, R3_times_with_a_zone_are_ordered_by_their_moment) {
  constexpr ClockType kZoned = ClockType::zoned_time;
  EXPECT_EQ(order(ClockType::time, "9:30", "10:00:00"), -1);
  EXPECT_EQ(order(ClockType::time, "24:00", "00:00"), 1);
  EXPECT_EQ(order(kZoned, "10:00+02", "09:00+00"), -1);
  EXPECT_EQ(order(kZoned, "10:00+02:00", "10:00:00+02"), 0);
  EXPECT_EQ(order(kZoned, "10:00+02", "08:00+00"), -1);  // the same moment, further east
  EXPECT_EQ(order(kZoned, "01:00+05", "00:30+00"), -1);
  EXPECT_EQ(order(kZoned, "23:00-05", "23:59+00"), 1);
}

TEST(ClockText, other_texts_are_themselves) {
  EXPECT_EQ(read_clock_text(ClockType::none, "90"), "90");
  EXPECT_EQ(order(ClockType::none, "9", "10"), 1);
}

}  // namespace
}  // namespace alfred
