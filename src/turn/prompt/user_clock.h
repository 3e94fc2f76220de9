// What the clock on the user's wall shows when a turn begins: a function of the turn's time and of
// the session's zone, so that a replay shows the same.
//
// R1 a zone that is not known here counts as UTC.
// R2 in the first edition (session_settings.h) days are those of UTC.
#pragma once

#include <string>

#include "turn/scene.h"

namespace alfred {

struct UserClock {
  std::string date{};           // 2026-02-28
  std::string time{};           // 17:05
  std::string weekday{};        // Saturday
  std::string zone{};           // Europe/Berlin
  std::string to_the_second{};  // 17:05:09
};
UserClock user_clock(const Scene& scene);

// The user's date so many days from now (R2).
std::string user_date(const Scene& scene, std::int64_t days = 0);

}  // namespace alfred
