// TimeForm: how the moments of a column are written down in a database that has no type for them
// (SQLite). Ours is the one spelling of base/time/iso_time.h; others wrote before us, and a column
// that is read, compared and written in two forms at once would be in no order.
//
// R1 shown and given are moments in our spelling, whatever the form; only storage knows the form.
// R2 a moment written in a form and read back is the same moment; those without a zone are in UTC.
// R3 a text that is not of the form is left as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace alfred {

enum class TimeForm : std::uint8_t {
  ours,      // 2026-02-28T17:05:00.000Z, or with another zone
  spaced,    // 2026-02-28 17:05:00, as CURRENT_TIMESTAMP writes it; with a fraction where there is
             // one
  bare,      // 2026-02-28T17:05:00
  whole,     // a count of seconds or so: a number, not a moment
  fraction,  // the same with a fraction
  other,     // anything else: a text
};

// What a text is written in.
TimeForm time_form_of(std::string_view text);

// The text of a moment in our spelling, in this form; a text that is none stays as it is.
std::string written_time(TimeForm form, std::string_view moment);

// The moment, in our spelling, that a text of this form means. Nothing where it is not of the form.
std::optional<std::string> read_time(TimeForm form, std::string_view text);

}  // namespace alfred
