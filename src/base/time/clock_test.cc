#include "base/time/clock.h"

#include <ctime>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/odd_locale_for_tests.h"

namespace alfred {
namespace {

TEST(Clock, R1_the_system_s_clock_shows_now_and_goes_forward) {
  const SystemClock clock;
  const std::int64_t before = clock.monotonic_ns();
  const std::int64_t wall_s = clock.wall_ms() / 1000;
  EXPECT_LE(std::abs(wall_s - static_cast<std::int64_t>(std::time(nullptr))), 2);
  EXPECT_GE(clock.monotonic_ns(), before);
}

TEST(Clock, R2_a_manual_clock_moves_only_when_told) {
  ManualClock clock(1'000);
  EXPECT_EQ(clock.wall_ms(), 1'000);
  const std::int64_t start = clock.monotonic_ns();
  clock.advance_ms(250);
  EXPECT_EQ(clock.wall_ms(), 1'250);
  EXPECT_EQ(clock.monotonic_ns() - start, 250'000'000);
  clock.set_wall_ms(5);
  EXPECT_EQ(clock.wall_ms(), 5);
  EXPECT_EQ(clock.monotonic_ns() - start, 250'000'000);
}

TEST(Clock, R3_writes_rfc_3339_in_utc) {
  EXPECT_EQ(rfc3339_utc(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339_utc(1'767'578'849'000), "2026-01-05T02:07:29.000Z");
  EXPECT_EQ(rfc3339_utc(951'782'400'007), "2000-02-29T00:00:00.007Z");
  EXPECT_EQ(rfc3339_utc(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(rfc3339_utc(-62'167'219'200'000), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339_utc(253'402'300'799'999), "9999-12-31T23:59:59.999Z");
}

TEST(Clock, R3_times_beyond_four_digits_of_year_stay_at_the_edge) {
  using Limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(rfc3339_utc(Limits::min()), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339_utc(Limits::max()), "9999-12-31T23:59:59.999Z");
}

TEST(Clock, R3_F16_neither_locale_nor_time_zone_changes_a_time) {
  const OddLocale odd;
  EXPECT_EQ(rfc3339_utc(1'767'578'849'000), "2026-01-05T02:07:29.000Z");
}

RC_GTEST_PROP(Clock, R3_agrees_with_the_c_library, ()) {
  const auto wall_ms = *rc::gen::inRange<std::int64_t>(0, 253'402'300'799'999);
  const std::time_t seconds = wall_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  RC_ASSERT(rfc3339_utc(wall_ms) ==
            fmt::format("{}.{:03}Z", text.data(), static_cast<int>(wall_ms % 1000)));
}

}  // namespace
}  // namespace alfred
