// Whether an answer is what a scenario expects of it. An expectation says as much as it wants:
//
// R1 an object holds what is expected of its members; it may have more.
// R2 an array has exactly the expected elements, in order. {"$count": 3} says only how many, {"$has": […]}
//    that each of these is among them.
// R3 numbers are equal when they are the same number; other values by what they are. "$any" is anything,
//    "$absent" no member at all, {"$says": […], "$lacks": […]} a text with all these parts and none
//    of those.
#pragma once

#include <string>

#include "base/json/json.h"

namespace alfred {

// What differs: its path, what was expected and what came; empty: nothing.
std::string mismatch(const Json& expected, const Json& actual, const std::string& path = "");

// The rows match one to one, in any order.
std::string rows_mismatch(const JsonArray& expected, const JsonArray& actual);

}  // namespace alfred
