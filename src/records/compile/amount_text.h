// Amounts as people write them: "1 1/2", "½", "0.5 kg", "1 h 20 min", "2 cups rice, rinsed".
//
// R1 an amount is digits with at most one point, a fraction, or a whole number and a fraction.
// R2 what is not understood to its end is not understood at all: a range is no amount.
// R3 nothing of a line is lost: amount, unit, name and notes hold all its words but "of".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace alfred {

// Takes an amount off the front of `text`, with the space behind it.
std::optional<double> take_amount(std::string_view& text);

// Minutes in a text of hours and minutes.
std::optional<double> read_minutes(std::string_view text);

struct AmountLine {
  std::optional<double> amount{};
  std::string unit{};  // in the singular, lower case
  std::string name{};
  std::string notes{};
};
AmountLine read_amount_line(std::string_view text);

std::string_view trimmed(std::string_view text);
std::string lower_ascii(std::string_view text);

}  // namespace alfred
