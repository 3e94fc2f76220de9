// Amounts as people write them: "1 1/2", "½", "0.5 kg", "1 h 20 min", "2 cups rice, rinsed".
//
// R1 an amount is digits with at most one point, a fraction, or a whole number and a fraction.
// R2 what is not understood to its end is not understood at all: a range is no amount.
// R3 nothing of a line is lost: amount, unit, name and notes hold all its words but "of".
// R4 a unit is a word of the pack's, or several; the longest counts. It becomes the unit's name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pack/compile_rules.h"

namespace alfred {

// Takes an amount off the front of `text`, with the space behind it.
std::optional<double> take_amount(std::string_view& text);

// Minutes in a text of hours and minutes.
std::optional<double> read_minutes(std::string_view text);

struct AmountLine {
  std::optional<double> amount{};
  std::string unit{};  // its name
  std::string name{};
  std::string notes{};
};
AmountLine read_amount_line(std::string_view text, const UnitWords& units);

// The name of the unit that these words are; empty: of none.
std::string unit_named(std::string_view words, const UnitWords& units);

std::string_view trimmed(std::string_view text);
std::string lower_ascii(std::string_view text);

}  // namespace alfred
