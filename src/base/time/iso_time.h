// Dates and instants as text, strictly: the one spelling that is stored, and what is taken for it.
//
// R1 a date is 2026-02-28: a day that exists, in the years 0001 to 9999.
// R2 an instant is RFC 3339 with seconds and a zone (Z or ±hh:mm up to 14:00), at most six digits of
//    a second that count; no 24:00, no second 60.
// R3 an instant's one spelling is in UTC: 2026-02-28T17:05:00.000Z; six digits only where three do not
//    say it. What falls out of the years above by its zone is no instant.
// R4 order of the spellings by bytes is order in time, among those with three digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace alfred {

bool is_iso_date(std::string_view text);

// The one spelling (R3); nothing when the text is no instant.
std::optional<std::string> read_iso_instant(std::string_view text);

// Milliseconds since 1970 of an instant, parts of one dropped; nothing when the text is none.
std::optional<std::int64_t> iso_instant_ms(std::string_view text);

// The day, in UTC, of an instant in milliseconds since 1970.
std::string iso_date_of(std::int64_t ms);

}  // namespace alfred
