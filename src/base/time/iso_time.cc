#include "base/time/iso_time.h"

#include <chrono>
#include <cstdint>

#include <fmt/format.h>

namespace alfred {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::size_t kDateSize = 10;
constexpr int kMaxOffsetMinutes = 14 * 60;
constexpr std::int64_t kMinutesADay = 24 * 60;

// A number of exactly `size` digits that begins at `at`; nothing when there is another byte.
std::optional<int> digits(std::string_view text, std::size_t at, std::size_t size) {
  if (at + size > text.size()) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(at, size)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

bool is_at(std::string_view text, std::size_t at, char c) {
  return at < text.size() && text[at] == c;
}

std::optional<sys_days> read_date(std::string_view text) {
  const std::optional<int> year = digits(text, 0, 4);
  const std::optional<int> month = digits(text, 5, 2);
  const std::optional<int> day = digits(text, 8, 2);
  if (!year || !month || !day || !is_at(text, 4, '-') || !is_at(text, 7, '-')) return std::nullopt;
  const year_month_day date(std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day)));
  if (*year < 1 || !date.ok()) return std::nullopt;
  return sys_days(date);
}

// Minutes east of UTC from what follows the seconds.
std::optional<int> read_zone(std::string_view zone) {
  if (zone == "Z") return 0;
  if (zone.size() != 6 || !is_at(zone, 3, ':') || (zone[0] != '+' && zone[0] != '-'))
    return std::nullopt;
  const std::optional<int> hours = digits(zone, 1, 2);
  const std::optional<int> minutes = digits(zone, 4, 2);
  if (!hours || !minutes || *minutes > 59) return std::nullopt;
  const int offset = *hours * 60 + *minutes;
  if (offset > kMaxOffsetMinutes) return std::nullopt;
  return zone[0] == '-' ? -offset : offset;
}

// Takes the fraction off the front of `rest`; microseconds.
std::optional<int> take_fraction(std::string_view& rest) {
  if (!is_at(rest, 0, '.')) return 0;
  rest.remove_prefix(1);
  int micros = 0;
  std::size_t size = 0;
  for (; size < rest.size() && rest[size] >= '0' && rest[size] <= '9'; ++size) {
    if (size < 6)
      micros = micros * 10 + (rest[size] - '0');
    else if (rest[size] != '0')
      return std::nullopt;
  }
  if (size == 0) return std::nullopt;
  for (std::size_t i = size; i < 6; ++i) micros *= 10;
  rest.remove_prefix(size);
  return micros;
}

std::string spelled(std::int64_t minutes, int seconds, int micros) {
  std::int64_t day = minutes / kMinutesADay;
  std::int64_t of_day = minutes % kMinutesADay;
  if (of_day < 0) {
    of_day += kMinutesADay;
    --day;
  }
  const year_month_day date{sys_days(days(day))};
  const std::string fraction =
      micros % 1000 == 0 ? fmt::format("{:03}", micros / 1000) : fmt::format("{:06}", micros);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     of_day / 60, of_day % 60, seconds, fraction);
}

// An instant as minutes since 1970, seconds and microseconds.
struct Instant {
  std::int64_t minutes = 0;
  int seconds = 0;
  int micros = 0;
};

std::optional<Instant> read_instant(std::string_view text) {
  constexpr std::size_t kSecondsEnd = 19;
  if (text.size() < kSecondsEnd) return std::nullopt;
  const std::optional<sys_days> date = read_date(text);
  const std::optional<int> hour = digits(text, 11, 2);
  const std::optional<int> minute = digits(text, 14, 2);
  const std::optional<int> second = digits(text, 17, 2);
  if (!date || !hour || !minute || !second) return std::nullopt;
  if (text[10] != 'T' || text[13] != ':' || text[16] != ':') return std::nullopt;
  if (*hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  std::string_view rest = text.substr(kSecondsEnd);
  const std::optional<int> micros = take_fraction(rest);
  const std::optional<int> offset = micros ? read_zone(rest) : std::nullopt;
  if (!offset) return std::nullopt;
  const std::int64_t minutes =
      std::int64_t{date->time_since_epoch().count()} * kMinutesADay + *hour * 60 + *minute;
  return Instant{minutes - *offset, *second, *micros};
}

}  // namespace

bool is_iso_date(std::string_view text) {
  return text.size() == kDateSize && read_date(text).has_value();
}

std::optional<std::string> read_iso_instant(std::string_view text) {
  const std::optional<Instant> instant = read_instant(text);
  if (!instant) return std::nullopt;
  std::string out = spelled(instant->minutes, instant->seconds, instant->micros);
  // A zone may move it past the last or before the first day that has a spelling.
  if (!is_iso_date(std::string_view(out).substr(0, kDateSize)) || out[10] != 'T')
    return std::nullopt;
  return out;
}

std::optional<std::int64_t> iso_instant_ms(std::string_view text) {
  const std::optional<Instant> instant = read_instant(text);
  if (!instant) return std::nullopt;
  return (instant->minutes * 60 + instant->seconds) * 1000 + instant->micros / 1000;
}

std::string iso_date_of(std::int64_t ms) {
  using std::chrono::floor;
  const year_month_day date{
      floor<days>(std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(ms)))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace alfred
