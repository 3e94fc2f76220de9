// Things that are there, put on days: new rows of a plan, made and not saved.
//
// R1 one a day, on days where the place is free; no thing twice, none that is there already in these days.
// R2 a thing that breaks what always holds for the user, or what is kept out for now, is not taken; those the pack
//    names come first, then in the order they were read, and those with something the user does not
//    like last.
// R3 where there are fewer days or things than were asked for, that is said and nothing is made; where nobody said how
//    many, it is as many as the free days and the things allow, and the days that are left out are
//    said.
// R4 where the rows say for how many, it is as many as the thing is for; where that is not known, the pack's usual number.
#pragma once

#include <vector>

#include "interpreter/rules/making/make.h"

namespace alfred::rules {

// Whether it was said how many.
bool says_count(const Doing& doing);
// `things` with their parts, `taken`: the rows of the plan in these days; `disliked`: names of
// parts.
Made arrange_things(const Book& book, const Facts& facts, const Doing& doing,
                    const std::vector<const JsonObject*>& things,
                    const std::vector<const JsonObject*>& taken,
                    const std::vector<std::string>& disliked = {});

}  // namespace alfred::rules
