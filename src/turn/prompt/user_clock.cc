#include "turn/prompt/user_clock.h"

#include <array>

#include <fmt/format.h>

#include "base/time/iso_time.h"
#include "base/time/time_zone.h"

namespace alfred {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;
// The day that 1970 began with comes first.
constexpr std::array<std::string_view, 7> kWeekdays{"Thursday", "Friday",  "Saturday", "Sunday",
                                                    "Monday",   "Tuesday", "Wednesday"};

// Seconds since 1970 that what the clock shows would be in UTC.
std::int64_t local_seconds(const Scene& scene, const std::optional<TimeZone>& zone) {
  const std::int64_t seconds = scene.turn().at_ms / 1000;
  return seconds + (zone ? zone->offset_at(seconds) : 0);
}

}  // namespace

UserClock user_clock(const Scene& scene) {
  const std::optional<TimeZone> zone = TimeZone::load(scene.facts().settings.zone);
  const std::int64_t local = local_seconds(scene, zone);
  const std::int64_t of_day = ((local % kSecondsOfDay) + kSecondsOfDay) % kSecondsOfDay;
  const std::int64_t day = (local - of_day) / kSecondsOfDay;
  return {iso_date_of(local * 1000), fmt::format("{:02}:{:02}", of_day / 3600, of_day / 60 % 60),
          std::string(kWeekdays[static_cast<std::size_t>(((day % 7) + 7) % 7)]),
          scene.facts().settings.zone,
          fmt::format("{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60)};
}

std::string user_date(const Scene& scene, std::int64_t days) {
  const std::int64_t seconds =
      scene.has_edition(2) ? local_seconds(scene, TimeZone::load(scene.facts().settings.zone))
                           : scene.turn().at_ms / 1000;
  return iso_date_of((seconds + days * kSecondsOfDay) * 1000);
}

}  // namespace alfred
