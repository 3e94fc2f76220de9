// Days and times as people say them, relative to the turn's clock.
//
// R1 "friday" and "next friday" are the first one after today; "this week" goes from today to Sunday; "in the next 3
//    days" and "within a week" begin today and hold their last day.
// R2 a time of less than twelve is in the evening where the words say so ("tonight at 8", "8 pm"); a bare time
//    that is past is left as it is.
// R3 what cannot be a day or a time is none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/rules/words/tokens.h"

namespace alfred::rules {

struct Now {
  std::int64_t day = 0;  // since 1970, local
  int minute = 0;        // of the day
  std::string zone{};    // an IANA name; empty: UTC

  // From facts: "2026-03-02", "10:00".
  static Now read(std::string_view date, std::string_view time, std::string zone);
};

struct Moment {
  enum class Kind : std::uint8_t { day, days, time, span };
  Kind kind = Kind::day;
  std::int64_t day = 0;     // the day; of `days` the first
  std::int64_t last = 0;    // of `days`
  int minute = -1;          // of the day, when a time was said
  std::int64_t length = 0;  // of `span`: so many days
  bool is_evening = false;
  std::size_t from = 0;  // in the tokens
  std::size_t to = 0;
};

std::vector<Moment> find_moments(std::span<const Token> tokens, const Now& now);

// "day", "week", "monday", "evening": what may come again and again.
bool is_part_of_time(const Token& token);
std::string iso_day(std::int64_t day);
std::optional<std::int64_t> read_iso_day(std::string_view text);
// Monday is 0.
int weekday_of(std::int64_t day);
std::string day_name(std::int64_t day, const Now& now);  // "today", "tomorrow", "Friday, 6 March"
// For an instant in the turn's zone: "2026-03-03T07:00[Europe/Berlin]", or "…:00Z" in UTC.
std::string instant_text(std::int64_t day, int minute, const Now& now);

}  // namespace alfred::rules
