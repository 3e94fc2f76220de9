// Numbers and texts into each other, as JavaScript does.
#pragma once

#include <string>
#include <string_view>

namespace alfred::inbox {

double number_in(std::string_view text);  // not a number where it is none; an empty text is 0
std::string number_text(double number);

}  // namespace alfred::inbox
