// Days and times as people say them, relative to the turn's clock.
//
// R1 "friday" and "next friday" are the first one after today; "this week" goes from today to Sunday; "in the next 3
//    days" and "within a week" begin today and hold their last day.
// R2 times of the day are read as clock_words.h says; a time that is past is left as it is. "In 90 seconds" is to the
//    second, also over the night in which clocks are set.
// R3 what cannot be a day or a time is none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/rules/words/clock_words.h"
#include "interpreter/rules/words/instants.h"
#include "interpreter/rules/words/tokens.h"

namespace alfred::rules {

struct Moment {
  enum class Kind : std::uint8_t { day, days, time, span };
  Kind kind = Kind::day;
  std::int64_t day = 0;     // the day; of `days` the first
  std::int64_t last = 0;    // of `days`
  int minute = -1;          // of the day, when a time was said
  int second = 0;           // of the minute
  std::int64_t length = 0;  // of `span`: so many days
  DayPart part = DayPart::none;
  bool is_bare = false;  // the time, until find_moments has settled which half of the day is meant
  std::size_t from = 0;  // in the tokens
  std::size_t to = 0;

  bool is_evening() const { return part == DayPart::evening || part == DayPart::night; }
};

std::vector<Moment> find_moments(std::span<const Token> tokens, const Now& now);

// That there is no 30 February, where one is said; empty: every day that is said can be.
std::string no_such_day(std::span<const Token> tokens);

// "day", "week", "monday", "evening": what may come again and again.
bool is_part_of_time(const Token& token);

}  // namespace alfred::rules
