// Case folding of our own, the same on every database and in every locale: each code point becomes
// its simple fold (one to one), so lengths in code points never change.
//
// R1 all of Unicode 14 that folds to one code point, Cherokee apart; ß stays ß, İ stays İ, ς becomes σ.
// R2 bytes that are no UTF-8 are kept as they are.
// R3 without_accents also takes the marks off Latin letters (U+00E0–U+017F): "crème" is "creme".
#pragma once

#include <string>
#include <string_view>

namespace alfred {

std::string fold_case(std::string_view text);
std::string fold_case_without_accents(std::string_view text);

void append_utf8(std::string& out, char32_t point);

}  // namespace alfred
