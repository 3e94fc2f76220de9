#include "base/time/iso_time.h"

#include <gtest/gtest.h>

#include "base/time/clock.h"

namespace alfred {
namespace {

std::string instant(std::string_view text) { return read_iso_instant(text).value_or("none"); }

TEST(IsoTime, R1_a_date_is_a_day_that_exists) {
  for (const char* good : {"2026-02-28", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"})
    EXPECT_TRUE(is_iso_date(good)) << good;
  for (const char* bad :
       {"2026-02-30", "2025-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-01-00",
        "0000-01-01", "10000-01-01", "2026-1-05", "2026/01/05", "20260105", "tomorrow", "",
        "2026-01-05 ", " 2026-01-05", "2026-01-05T00:00:00Z", "-026-01-05", "２０２６-01-05"})
    EXPECT_FALSE(is_iso_date(bad)) << bad;
}

TEST(IsoTime, R3_an_instant_has_one_spelling) {
  EXPECT_EQ(instant("2026-02-28T17:05:00Z"), "2026-02-28T17:05:00.000Z");
  EXPECT_EQ(instant("2026-02-28T17:05:00.5Z"), "2026-02-28T17:05:00.500Z");
  EXPECT_EQ(instant("2026-02-28T17:05:00.123456Z"), "2026-02-28T17:05:00.123456Z");
  EXPECT_EQ(instant("2026-02-28T17:05:00.120000000Z"), "2026-02-28T17:05:00.120Z");
  EXPECT_EQ(instant("2026-03-01T00:30:00+01:00"), "2026-02-28T23:30:00.000Z");
  EXPECT_EQ(instant("2024-02-29T23:00:00-14:00"), "2024-03-01T13:00:00.000Z");
  EXPECT_EQ(instant("1969-12-31T23:59:59-00:00"), "1969-12-31T23:59:59.000Z");
  for (const char* spelled : {"0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999999Z"})
    EXPECT_EQ(instant(spelled), spelled);
}

TEST(IsoTime, R3_a_zone_may_not_lead_out_of_the_years) {
  EXPECT_EQ(instant("0001-01-01T00:00:00+00:01"), "none");
  EXPECT_EQ(instant("9999-12-31T23:59:00-00:01"), "none");
  EXPECT_EQ(instant("9999-12-31T23:58:00-00:01"), "9999-12-31T23:59:00.000Z");
}

TEST(IsoTime, an_instant_in_milliseconds) {
  EXPECT_EQ(iso_instant_ms("1970-01-01T01:00:00.0019+01:00"), 1);
  EXPECT_EQ(iso_instant_ms("1969-12-31T23:59:59.000Z"), -1000);
  for (const std::int64_t ms : {std::int64_t{0}, std::int64_t{1767578849123}})
    EXPECT_EQ(iso_instant_ms(rfc3339_utc(ms)), ms);
  EXPECT_FALSE(iso_instant_ms("2026-02-28"));
}

TEST(IsoTime, R2_what_is_no_instant) {
  for (const char* bad : {"2026-02-28T24:00:00Z",
                          "2026-02-28T23:59:60Z",
                          "2026-02-28T23:60:00Z",
                          "2026-02-28T17:05:00",
                          "2026-02-28T17:05Z",
                          "2026-02-28",
                          "2026-02-28 17:05:00Z",
                          "2026-02-28T17:05:00+14:30",
                          "2026-02-28T17:05:00+15:00",
                          "2026-02-28T17:05:00+0100",
                          "2026-02-28T17:05:00+01:60",
                          "2026-02-28T17:05:00.Z",
                          "2026-02-28T17:05:00.1234567Z",
                          "2026-02-28T17:05:00,5Z",
                          "2026-02-28t17:05:00z",
                          "2026-02-30T17:05:00Z",
                          "0000-02-28T17:05:00Z",
                          "10000-02-28T17:05:00Z",
                          "2026-02-28T17:05:00Z ",
                          "tomorrow",
                          ""})
    EXPECT_EQ(instant(bad), "none") << bad;
}

}  // namespace
}  // namespace alfred
