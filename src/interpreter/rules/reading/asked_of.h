// "is it easy?", "is the risotto vegan?", "does it contain nuts?": whether what was spoken of, or
// is named, is so.
#pragma once

#include <optional>

#include "interpreter/rules/reading/query.h"

namespace alfred::rules {

// Nothing: that is not asked.
std::optional<ScoredDoing> read_asked_of(const ReadingWorld& world, const Clause& clause);

// Whether it asks how units compare, or what is in one thing: rows are not searched for that.
bool asks_of_no_rows(const ReadingWorld& world, const Clause& clause);

}  // namespace alfred::rules
