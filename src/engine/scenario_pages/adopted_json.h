// What a page should expect where something else came: an expectation brought up to what happened.
//
// R1 it says as much as before: what is still true stays as it was written, members that nobody named stay
//    unnamed. Of `null` everything is taken.
// R2 what fits its new value: a count is counted again, a part of a text becomes the line of the text that is most
//    like it, and is left out where none is.
// R3 loosened, what came becomes "$any": for what is not the same in every run.
#pragma once

#include <functional>

#include "base/json/json.h"

namespace alfred {

struct AdoptRules {
  // Whether what is expected, as it is written, is what came.
  std::function<bool(const Json& expected, const Json& actual)> fits{};
  bool is_loose = false;  // R3
};

Json adopted(const Json& expected, const Json& actual, const AdoptRules& rules);

// Rows match in any order; those without a match are taken in theirs.
Json adopted_rows(const Json& expected, const JsonArray& actual, const AdoptRules& rules);

}  // namespace alfred
