// Of rows that were read, those that hold what no read can ask for: sums of several columns.
#pragma once

#include <vector>

#include "interpreter/rules/reading/doing.h"

namespace alfred::rules {

// Whether the row holds all that is said of sums: "in under 30 minutes", with the preparation.
bool holds_also(const Doing& doing, const JsonObject& row);
// The first by what is made of several columns; those that are level with it too.
void keep_first(const Doing& doing, std::vector<const JsonObject*>& rows);

}  // namespace alfred::rules
