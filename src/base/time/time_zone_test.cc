#include "base/time/time_zone.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <filesystem>
#include <random>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "base/time/zone_file.h"

namespace alfred {
namespace {

std::string instant(std::string_view text) {
  const std::optional<ZonedTime> read = read_zoned_time(text);
  return read ? read->instant : "none";
}

TEST(TimeZone, C21_R3_a_time_that_clocks_skip_is_the_later_instant) {
  EXPECT_EQ(instant("2026-03-29T02:30[Europe/Berlin]"), "2026-03-29T01:30:00.000Z");
  EXPECT_EQ(instant("2026-03-29T02:00:00[Europe/Berlin]"), "2026-03-29T01:00:00.000Z");
  EXPECT_EQ(instant("2026-03-29T03:00:00[Europe/Berlin]"), "2026-03-29T01:00:00.000Z");
  EXPECT_EQ(instant("2026-03-08T02:30[America/New_York]"), "2026-03-08T07:30:00.000Z");
  EXPECT_EQ(instant("2026-10-04T02:15[Australia/Lord_Howe]"), "2026-10-03T15:45:00.000Z");
  EXPECT_EQ(instant("2011-12-30T12:00[Pacific/Apia]"), "2011-12-30T22:00:00.000Z");
  EXPECT_EQ(instant("2050-03-27T02:30[Europe/Berlin]"), "2050-03-27T01:30:00.000Z");
}

TEST(TimeZone, C21_R2_a_time_that_happens_twice_is_the_earlier_instant) {
  EXPECT_EQ(instant("2026-10-25T02:30[Europe/Berlin]"), "2026-10-25T00:30:00.000Z");
  EXPECT_EQ(instant("2026-10-25T03:00[Europe/Berlin]"), "2026-10-25T02:00:00.000Z");
  EXPECT_EQ(instant("2026-11-01T01:30[America/New_York]"), "2026-11-01T05:30:00.000Z");
  EXPECT_EQ(instant("2026-04-05T01:45[Australia/Lord_Howe]"), "2026-04-04T14:45:00.000Z");
  EXPECT_EQ(instant("2050-10-30T02:30[Europe/Berlin]"), "2050-10-30T00:30:00.000Z");
}

TEST(TimeZone, R4_times_that_happen_once_in_winter_summer_and_after_the_table) {
  EXPECT_EQ(instant("2026-01-15T12:00[Europe/Berlin]"), "2026-01-15T11:00:00.000Z");
  EXPECT_EQ(instant("2026-07-15T12:00[Europe/Dublin]"), "2026-07-15T11:00:00.000Z");
  EXPECT_EQ(instant("2060-07-15T12:00[Europe/Dublin]"), "2060-07-15T11:00:00.000Z");
  EXPECT_EQ(instant("2060-01-15T12:00[Australia/Lord_Howe]"), "2060-01-15T01:00:00.000Z");
  EXPECT_EQ(instant("2026-05-01T12:00:30[Asia/Kathmandu]"), "2026-05-01T06:15:30.000Z");
  EXPECT_EQ(instant("2026-05-01T12:00[UTC]"), "2026-05-01T12:00:00.000Z");
  EXPECT_EQ(read_zoned_time("2026-05-01T12:00[Asia/Tokyo]")->zone, "Asia/Tokyo");
}

TEST(TimeZone, R1_what_is_no_local_time_with_a_zone) {
  for (const char* bad :
       {"2026-05-01T12:00", "2026-05-01T12:00[]", "2026-05-01T12:00[Europe/Atlantis]",
        "2026-05-01T12:00[../../../etc/passwd]", "2026-05-01T12:00[Europe/../Europe/Berlin]",
        "2026-05-01T12:00[Europe]", "2026-05-01T12:00[europe/berlin]", "2026-05-01T24:00[UTC]",
        "2026-02-30T12:00[UTC]", "2026-05-01[UTC]", "2026-05-01T12:00Z[UTC]",
        "2026-05-01T12:00[UTC]x", "2026-05-01T12:00:00.5[UTC]", "[UTC]",
        "0001-01-01T00:00[Asia/Tokyo]", "9999-12-31T23:00[America/New_York]",
        "2026-05-01T12:00[posix/UTC]", "2026-05-01T12:00[/UTC]"})
    EXPECT_EQ(instant(bad), "none") << bad;
}

TEST(TimeZone, R1_a_broken_file_is_no_zone) {
  EXPECT_FALSE(ZoneFile::read(""));
  EXPECT_FALSE(ZoneFile::read(std::string(100, 'x')));
  std::string cut("TZif2");
  cut.resize(44, '\0');
  EXPECT_FALSE(ZoneFile::read(cut));
  cut[35] = '\x7f';  // many times that are not there
  EXPECT_FALSE(ZoneFile::read(cut + std::string(200, '\0')));
}

// The C library reads the same files with code of its own.
TEST(TimeZone, R4_offsets_are_those_of_the_c_library) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const char* const before = ::getenv("TZ");
  const std::string kept = before == nullptr ? "" : before;
  for (const char* name :
       {"Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Nuuk", "Australia/Lord_Howe",
        "Asia/Gaza", "Africa/Casablanca", "Pacific/Apia", "Asia/Kathmandu", "America/Sao_Paulo",
        "Antarctica/Troll", "Asia/Tehran", "Pacific/Chatham", "Africa/Cairo", "Etc/GMT+5"}) {
    const std::optional<TimeZone> zone = TimeZone::load(name);
    ASSERT_TRUE(zone) << name;
    ::setenv("TZ", name, 1);
    ::tzset();
    for (std::size_t i = 0; i < test_size({50, 200, 5000}); ++i) {
      // From 1970 to 2150.
      const auto utc = static_cast<std::int64_t>(random() % 5'680'000'000ULL);
      const time_t at = utc;
      struct tm local {};
      ::localtime_r(&at, &local);
      ASSERT_EQ(zone->offset_at(utc), local.tm_gmtoff) << name << " at " << utc;
    }
  }
  kept.empty() ? ::unsetenv("TZ") : ::setenv("TZ", kept.c_str(), 1);
  ::tzset();
}

}  // namespace
}  // namespace alfred
