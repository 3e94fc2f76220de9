// Time zones: from what a clock on a wall shows to an instant, by the system's tzdata files. They
// are read here because the standard library of the compilers we build with has no time zones, and
// because of the rules for years after the files' tables, which Debian's date library leaves out.
//
// R1 a zone is an IANA name, such as Europe/Berlin, for which the system has a file.
// R2 a local time that happens twice (clocks are set back) is the earlier instant.
// R3 a local time that does not happen (clocks are set forward) is the instant that is as long after the
//    change as the time is after the hour that was skipped: 02:30 becomes 03:30. Of the two
//    readings, by the offset before and after, that is the later.
// R4 after the last change in the file its rule goes on for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {

class TimeZone {
 public:
  // Nothing when there is no such zone (R1). The last one of a thread is read again only when its
  // file is another one.
  static std::optional<TimeZone> load(std::string_view name);

  const std::string& name() const { return name_; }
  // Seconds east of UTC at an instant, which is seconds since 1970.
  std::int64_t offset_at(std::int64_t utc) const;
  // The instant of a local time, which is the seconds since 1970 that its digits would be in UTC.
  std::int64_t to_utc(std::int64_t local) const;

 private:
  friend class ZoneFile;
  struct Change {
    std::int64_t at;  // UTC
    std::int64_t offset;
  };
  struct Day {  // of a rule: the week-th weekday of a month, or a day of the year
    enum class Kind : std::uint8_t { weekday, day, day_without_leap };
    Kind kind = Kind::weekday;
    int month = 0, week = 0, day = 0;
    std::int64_t seconds = 2 * 3600;  // of the day, local; may be negative or over a day
  };
  struct Rule {
    std::int64_t standard = 0;
    std::int64_t summer = 0;
    std::optional<Day> begin, end;  // of the summer offset; none: always standard
  };
  static std::int64_t local_change(const Day& day, int year);
  std::int64_t offset_by_rule(std::int64_t utc) const;

  std::string name_;
  std::int64_t first_offset_ = 0;
  std::vector<Change> changes_;
  std::optional<Rule> rule_;  // after the last change
};

struct ZonedTime {
  std::string instant;  // as iso_time.h spells it
  std::string zone;
};
// A local time with its zone, "2026-03-29T02:30[Europe/Berlin]", with or without seconds; nothing
// when it is none.
std::optional<ZonedTime> read_zoned_time(std::string_view text);

}  // namespace alfred
