// What of the things that were asked for is not there, where rows were found all the same.
//
// R1 of several things each is answered: "do I have milk and dragonfruit?".
// R2 a row that is only of the same kind as a thing is told as such: who asks for bread is not told of tortillas as
//    if they were it. Who asks for a kind that is no thing itself ("cheese") asks for all of it.
#pragma once

#include <string>
#include <vector>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// A line to be said before the rows; empty: all of it is there, or rows of this table are no
// things.
std::string not_there(const Book& book, const Doing& doing,
                      const std::vector<const JsonObject*>& rows);
// Whether the words name a thing, and not only a kind of things (R2).
bool is_thing(const Book& book, std::string_view said);

}  // namespace alfred::rules
