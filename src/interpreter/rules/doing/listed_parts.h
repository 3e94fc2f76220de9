// Things that are looked for by several of their parts: "what can I make with beans and rice".
//
// R1 those that have all of the parts come first; those that have some come behind, and it is said which are which.
// R2 parts are held against a thing as where things are made, so a category is had by any of its members.
#pragma once

#include <string>
#include <vector>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// The rows in this order, told; empty: fewer than two parts were said, no row has one, or the only
// row has all.
std::string listed_by_parts(const Book& book, const Doing& doing, const std::string& zone,
                            const std::vector<const JsonObject*>& rows);

}  // namespace alfred::rules
