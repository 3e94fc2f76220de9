// All words of eight letters or more that stand in texts of the program itself: names of members,
// messages, headings. Nobody keeps a list of them: it is made from the sources when the program is
// built (cmake/literal_words.cmake).
#pragma once

#include <span>
#include <string_view>

namespace alfred {

std::span<const std::string_view> literal_words();  // in order of their bytes

}  // namespace alfred
