// Which of several listed things an answer picks, where nothing but their places tells: "the
// second", "2", "number 2", "1 and 3", "the first two", "the last", "both", "all of them".
//
// R1 an answer with any other word in it is no answer by place: it may be a name.
// R2 a number in words alone ("two") may be a count, so only "number two" is a place.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace alfred::rules {

// The places that are picked of `count` listed things, from 0, in the order they were said; empty:
// no place is said, or one that there is not.
std::vector<std::size_t> places_picked(std::string_view answer, std::size_t count);

}  // namespace alfred::rules
