// Times of the day as people say them.
//
// R1 an hour of 1 to 7 that stands alone is after noon, one of 8 to 11 before it, 12 is noon: "at 5" is 17:00. "5:30" is
//    read as "5" is; "05:30", "17:30" and all hours above 12 are what a clock of 24 hours shows.
// R2 what is said beside it decides before that: am, pm, "in the morning", "tonight". At night, 12 and 1 to 4 are behind
//    midnight, so on the next day.
// R3 a part of the day that is said alone has a time of its own: the morning 8:00, noon 12:00, the afternoon 15:00, the
//    evening 19:00, the night 20:00.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "interpreter/rules/words/tokens.h"

namespace alfred::rules {

enum class DayPart : std::uint8_t { none, morning, noon, afternoon, evening, night };

// "morning", "evening" …
DayPart day_part(const Token& token);
// R3; -1 of none.
int clock_of(DayPart part);

struct ClockWords {
  int minute = 0;        // of the day, as said
  bool is_bare = false;  // no am, no pm, and it may be either
  DayPart part = DayPart::none;
  std::size_t to = 0;  // behind it
};
std::optional<ClockWords> read_clock(std::span<const Token> tokens, std::size_t at);

struct ClockTime {
  int minute = 0;
  bool is_next_day = false;
};
// R1, R2.
ClockTime settled_clock(int minute, bool is_bare, DayPart part);

std::string clock_text(int minute, int second);  // "17:05", "17:05:30"

}  // namespace alfred::rules
