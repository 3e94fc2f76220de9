// Cron: five fields (minute hour day-of-month month day-of-week) in a time zone.
//
// R1 `*`, numbers, ranges, lists and steps; names of months and weekdays; Sunday is 0 or 7.
// R2 where day-of-month and day-of-week are both given, either is enough.
// R3 a local time that clocks skip fires at the gap's end; one that happens twice fires the first time.
// R4 a rule that never fires (30 February) is refused.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

#include "alfred/error.h"
#include "base/time/time_zone.h"

namespace alfred::inbox {

class Cron {
 public:
  static Result<Cron> parse(std::string_view text);
  // The first time after an instant, both in seconds since 1970; nothing within 12 years.
  std::optional<std::int64_t> next_after(std::int64_t utc, const TimeZone& zone) const;

 private:
  bool is_day(std::int64_t day) const;  // days since 1970
  std::optional<std::int64_t> first_on(std::int64_t day, std::int64_t after,
                                       const TimeZone& zone) const;

  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;
  std::bitset<13> months_;
  std::bitset<8> weekdays_;
  bool is_any_day_ = false, is_any_weekday_ = false;
};

}  // namespace alfred::inbox
