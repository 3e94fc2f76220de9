// Times of day and spans of time as text, as PostgreSQL's types time, timetz and interval mean
// them.
//
// R1 a time of day is 17:05, 17:05:30 or 17:05:30.25, up to 24:00; with a zone it ends in one: Z, +01
//    or -03:30.
// R2 a span is counts with their units (90 minutes, 1 day 02:30:00, -3 mons, 2 hours ago) or ISO 8601
//    (P1DT2H30M). A count without a unit is none, and of months and years only whole ones.
// R3 the order is PostgreSQL's: a month is 30 days and a day 24 hours; times with a zone by their moment
//    in UTC, then the eastern one first. Other texts may mean the same: 90 minutes is 01:30:00.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace alfred {

enum class ClockType : std::uint8_t {
  none,        // no time: any text
  time,        // 17:05:00
  zoned_time,  // 17:05:00+01
  span,        // 1 day 02:30:00
};

// A text that PostgreSQL reads as the same; nothing when the text is none of the type. Of none: the
// text.
std::optional<std::string> read_clock_text(ClockType type, std::string_view text);

// -1, 0, 1; nothing when one of them is none of the type. Of none: by their bytes.
std::optional<int> compare_clock_texts(ClockType type, std::string_view a, std::string_view b);

// What is taken, for errors: "a time such as 17:05 or 17:05:30". Precondition: not none.
std::string_view clock_type_text(ClockType type);

}  // namespace alfred
