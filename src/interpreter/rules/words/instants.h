// Days and instants on the turn's clock, and their texts.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace alfred::rules {

inline constexpr std::array<std::string_view, 7> kWeekdays{
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
inline constexpr std::array<std::string_view, 12> kMonths{
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

struct Now {
  std::int64_t day = 0;  // since 1970, local
  int minute = 0;        // of the day
  int second = 0;        // of the minute
  std::string zone{};    // an IANA name; empty: UTC

  // From facts: "2026-03-02", "10:00" or "10:00:05".
  static Now read(std::string_view date, std::string_view time, std::string zone);
};

std::string iso_day(std::int64_t day);
std::optional<std::int64_t> read_iso_day(std::string_view text);
// Monday is 0.
int weekday_of(std::int64_t day);
std::string day_name(std::int64_t day, const Now& now);  // "today", "tomorrow", "Friday, 6 March"

// A moment of a day, to the second.
struct Instant {
  std::int64_t day = 0;
  int minute = 0;
  int second = 0;
  friend auto operator<=>(const Instant&, const Instant&) = default;
};
inline Instant instant_of(const Now& now) { return {now.day, now.minute, now.second}; }
// For an instant in the turn's zone: "2026-03-03T07:00[Europe/Berlin]", or "…:00Z" in UTC.
std::string instant_text(const Instant& instant, const Now& now);
// What such a text, or a stored one, is on the turn's clock; nothing when it is none.
std::optional<Instant> read_instant(std::string_view text, const Now& now);
// The text of an instant for people, by its own clock: "Tue 24 Nov, 18:00". What is none stays as
// it is.
std::string moment_text(const std::string& text);
// For people: "tomorrow (2026-03-03) at 17:00".
std::string when_text(const Instant& instant, const Now& now);

}  // namespace alfred::rules
