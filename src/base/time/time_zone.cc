#include "base/time/time_zone.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/files/file.h"
#include "base/time/clock.h"
#include "base/time/iso_time.h"
#include "base/time/zone_file.h"

namespace alfred {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::string_view kZones = "/usr/share/zoneinfo/";
constexpr std::int64_t kDay = 24 * 3600;

// Area/Place, and the few names without an area. No name leads anywhere else, and the copies of all
// zones below posix/ and right/ are none.
bool is_zone_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name.starts_with("posix") || name.starts_with("right"))
    return false;
  const auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '+' || c == '/';
  };
  const bool is_capital = name.front() >= 'A' && name.front() <= 'Z';
  return is_capital && name.back() != '/' && name.find("//") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), is_fine);
}

int year_of(std::int64_t seconds) {
  const auto day =
      std::chrono::floor<days>(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
  return static_cast<int>(year_month_day(day).year());
}

std::int64_t seconds_of(sys_days day) { return day.time_since_epoch().count() * kDay; }

// What tells a file from the one that was read.
struct FileMark {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  friend bool operator==(const FileMark&, const FileMark&) = default;
};

std::optional<FileMark> mark_of(const std::string& path) {
  struct stat now {};
  if (::stat(path.c_str(), &now) != 0) return std::nullopt;
  return FileMark{now.st_dev, now.st_ino, now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec};
}

// A turn asks for its user's zone again and again: whether its file is another one is looked up
// once in a while.
struct LastZone {
  std::string name{};
  FileMark mark{};
  std::optional<TimeZone> zone{};
  std::int64_t looked_ms = 0;
};
constexpr std::int64_t kLookAgainMs = 1000;

// Whatever becomes of the wall's clock.
std::int64_t coarse_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

std::optional<TimeZone> TimeZone::load(std::string_view name) {
  if (!is_zone_name(name)) return std::nullopt;
  thread_local LastZone last;
  const std::int64_t now_ms = coarse_ms();
  const bool is_last = last.name == name;
  if (is_last && now_ms - last.looked_ms < kLookAgainMs) return last.zone;
  const std::string path = std::string(kZones) + std::string(name);
  const std::optional<FileMark> mark = mark_of(path);
  if (mark && is_last && last.mark == *mark) {
    last.looked_ms = now_ms;
    return last.zone;
  }
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return std::nullopt;
  std::optional<TimeZone> zone = ZoneFile::read(*bytes);
  if (zone) zone->name_ = name;
  if (mark) last = {std::string(name), *mark, zone, now_ms};
  return zone;
}

// When the rule's day begins and what is of it, as local seconds.
std::int64_t TimeZone::local_change(const Day& day, int year) {
  const std::chrono::year of(year);
  if (day.kind == Day::Kind::weekday) {
    const auto month = of / std::chrono::month(static_cast<unsigned>(day.month));
    const std::chrono::weekday weekday(static_cast<unsigned>(day.day));
    const sys_days at = day.week == 5 ? sys_days(month / weekday[std::chrono::last])
                                      : sys_days(month / weekday[static_cast<unsigned>(day.week)]);
    return seconds_of(at) + day.seconds;
  }
  const sys_days first(of / std::chrono::January / 1);
  // J60 is the first of March in every year, 59 the 60th day.
  const bool skips_leap = day.kind == Day::Kind::day_without_leap;
  const int number = skips_leap ? day.day - 1 + (of.is_leap() && day.day >= 60 ? 1 : 0) : day.day;
  return seconds_of(first + days(number)) + day.seconds;
}

std::int64_t TimeZone::offset_by_rule(std::int64_t utc) const {
  const Rule& rule = *rule_;
  if (!rule.begin) return rule.standard;
  // The changes of the years around it, since a change may fall into the next day or the last.
  const int year = year_of(utc + rule.standard);
  std::int64_t latest = INT64_MIN;
  std::int64_t offset = rule.standard;
  for (int one = year - 1; one <= year + 1; ++one) {
    const std::int64_t begin = local_change(*rule.begin, one) - rule.standard;
    const std::int64_t end = local_change(*rule.end, one) - rule.summer;
    if (begin <= utc && begin >= latest) {
      latest = begin;
      offset = rule.summer;
    }
    if (end <= utc && end >= latest) {
      latest = end;
      offset = rule.standard;
    }
  }
  return offset;
}

std::int64_t TimeZone::offset_at(std::int64_t utc) const {
  const auto after =
      std::upper_bound(changes_.begin(), changes_.end(), utc,
                       [](std::int64_t at, const Change& one) { return at < one.at; });
  if (after == changes_.end() && rule_) return offset_by_rule(utc);
  return after == changes_.begin() ? first_offset_ : std::prev(after)->offset;
}

std::int64_t TimeZone::to_utc(std::int64_t local) const {
  // No offset reaches a day, so these two are the one before and the one after any change near it.
  const std::int64_t before = offset_at(local - kDay);
  const std::int64_t after = offset_at(local + kDay);
  const bool fits_before = offset_at(local - before) == before;
  const bool fits_after = offset_at(local - after) == after;
  if (fits_before && fits_after) return std::min(local - before, local - after);
  return fits_after ? local - after : local - before;
}

std::optional<ZonedTime> read_zoned_time(std::string_view text) {
  constexpr std::size_t kMinutesEnd = 16;
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
  std::string digits(text.substr(0, open));
  if (digits.size() == kMinutesEnd) digits += ":00";
  if (digits.size() != kMinutesEnd + 3) return std::nullopt;
  const std::optional<std::int64_t> local_ms = iso_instant_ms(digits + "Z");
  const std::optional<TimeZone> zone =
      TimeZone::load(text.substr(open + 1, text.size() - open - 2));
  if (!local_ms || !zone) return std::nullopt;
  const std::int64_t utc_ms = zone->to_utc(*local_ms / 1000) * 1000;
  std::optional<std::string> instant = read_iso_instant(rfc3339_utc(utc_ms));
  if (!instant || iso_instant_ms(*instant) != utc_ms) return std::nullopt;  // out of the years
  return ZonedTime{std::move(*instant), zone->name()};
}

}  // namespace alfred
