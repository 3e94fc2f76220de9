#include "interpreter/rules/words/instants.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "base/time/iso_time.h"
#include "base/time/time_zone.h"
#include "interpreter/rules/words/clock_words.h"

namespace alfred::rules {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;

std::chrono::year_month_day date_of(std::int64_t day) {
  return std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(day)));
}

}  // namespace

int weekday_of(std::int64_t day) { return static_cast<int>(((day + 3) % 7 + 7) % 7); }

std::string iso_day(std::int64_t day) {
  const std::chrono::year_month_day date = date_of(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::optional<std::int64_t> read_iso_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto part = [&](std::size_t from, std::size_t size) {
    return std::atoi(std::string(text.substr(from, size)).c_str());
  };
  const std::chrono::year_month_day date{std::chrono::year(part(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string day_name(std::int64_t day, const Now& now) {
  if (day == now.day) return "today";
  if (day == now.day + 1) return "tomorrow";
  if (day == now.day - 1) return "yesterday";
  std::string weekday(kWeekdays[static_cast<std::size_t>(weekday_of(day))]);
  weekday[0] = static_cast<char>(weekday[0] - 'a' + 'A');
  const std::chrono::year_month_day date = date_of(day);
  std::string month(kMonths[static_cast<unsigned>(date.month()) - 1]);
  month[0] = static_cast<char>(month[0] - 'a' + 'A');
  return fmt::format("{}, {} {}", weekday, static_cast<unsigned>(date.day()), month);
}

std::string instant_text(const Instant& instant, const Now& now) {
  const bool is_utc = now.zone.empty() || now.zone == "UTC";
  const std::string local = iso_day(instant.day) + "T" + clock_text(instant.minute, instant.second);
  const std::string second = is_utc && instant.second == 0 ? ":00" : "";
  return local + second + (is_utc ? "Z" : "[" + now.zone + "]");
}

std::optional<Instant> read_instant(std::string_view text, const Now& now) {
  const std::optional<ZonedTime> zoned = read_zoned_time(text);
  const std::optional<std::int64_t> ms = iso_instant_ms(zoned ? zoned->instant : text);
  if (!ms) return std::nullopt;
  const std::optional<TimeZone> zone = TimeZone::load(now.zone);
  const std::int64_t utc = *ms / 1000;
  const std::int64_t local = utc + (zone ? zone->offset_at(utc) : 0);
  const std::int64_t of_day = (local % kSecondsOfDay + kSecondsOfDay) % kSecondsOfDay;
  return Instant{(local - of_day) / kSecondsOfDay, static_cast<int>(of_day / 60),
                 static_cast<int>(of_day % 60)};
}

std::string moment_text(const std::string& text) {
  constexpr std::size_t kDateEnd = 10;
  constexpr std::size_t kClockEnd = 16;  // of "2026-11-24T18:00"
  constexpr std::size_t kLetters = 3;
  const bool is_moment = text.size() >= kClockEnd && text[kClockEnd - 3] == ':' &&
                         (text[kDateEnd] == 'T' || text[kDateEnd] == ' ');
  const std::optional<std::int64_t> day =
      is_moment ? read_iso_day(std::string_view(text).substr(0, kDateEnd)) : std::nullopt;
  if (!day) return text;
  const std::chrono::year_month_day date = date_of(*day);
  std::string weekday(kWeekdays[static_cast<std::size_t>(weekday_of(*day))].substr(0, kLetters));
  std::string month(kMonths[static_cast<unsigned>(date.month()) - 1].substr(0, kLetters));
  for (std::string* name : {&weekday, &month})
    (*name)[0] = static_cast<char>((*name)[0] - 'a' + 'A');
  return fmt::format("{} {} {}, {}", weekday, static_cast<unsigned>(date.day()), month,
                     text.substr(kDateEnd + 1, kClockEnd - kDateEnd - 1));
}

std::string when_text(const Instant& instant, const Now& now) {
  const bool is_near = instant.day >= now.day - 1 && instant.day <= now.day + 1;
  return fmt::format("{}{} ({}) at {}", is_near ? "" : "on ", day_name(instant.day, now),
                     iso_day(instant.day), clock_text(instant.minute, instant.second));
}

Now Now::read(std::string_view date, std::string_view time, std::string zone) {
  const auto number = [&](std::size_t at) {
    return time.size() >= at + 2 ? std::atoi(std::string(time.substr(at, 2)).c_str()) : 0;
  };
  Now out{.zone = std::move(zone)};
  out.day = read_iso_day(date).value_or(0);
  out.minute = number(0) * 60 + number(3);
  out.second = number(6);
  return out;
}

}  // namespace alfred::rules
