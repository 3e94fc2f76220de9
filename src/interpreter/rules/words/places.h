// Which of several listed things an answer picks, where nothing but their places tells: "the
// second", "2", "number 2", "1 and 3", "the first two", "the last", "both", "all of them".
//
// R1 an answer with any other word in it is no answer by place: it may be a name.
// R2 a number in words alone ("two") may be a count, so only "number two" is a place.
// R3 a question lists its choices behind a colon: "For which: this, that or the other?".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace alfred::rules {

// The places that are picked of `count` listed things, from 0, in the order they were said; empty:
// no place is said, or one that there is not.
std::vector<std::size_t> places_picked(std::string_view answer, std::size_t count);
// The choices that a question lists (R3), without their articles; empty: none, or only one.
std::vector<std::string> choices_in(std::string_view question);
// The one of them that an answer picks by its place; empty: none, or several.
std::string choice_picked(std::string_view question, std::string_view answer);

}  // namespace alfred::rules
