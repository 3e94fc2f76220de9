// How many columns of a terminal a text takes.
//
// R1 letters of East Asia and emoji take two columns, marks that combine take none, all others one.
// R2 what a terminal shows as one character is measured as one: an emoji with a skin tone, joined emoji, two letters
//    that make a flag, a sign that U+FE0F makes an emoji.
// R3 a cut never splits such a character and never takes more columns than allowed.
// R4 no locale changes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace alfred::cli {

// The character a text begins with: its bytes and its columns. A byte that is no UTF-8 is one of
// one column.
struct Glyph {
  std::size_t bytes = 0;
  std::size_t columns = 0;
};
Glyph first_glyph(std::string_view text);

// Whether a terminal may show it as a picture: emoji, and signs that U+FE0F makes one.
bool can_be_picture(char32_t point);

std::size_t display_width(std::string_view text);

// The longest beginning that takes at most so many columns.
std::string_view cut_to_width(std::string_view text, std::size_t columns);

// The text with blanks behind it, up to so many columns.
std::string padded(std::string_view text, std::size_t columns);

}  // namespace alfred::cli
