// The shortcut blocks of a filter: an expected value beside an actual one (filter.h, R2).
#pragma once

#include <cstdint>

#include "base/json/json.h"

namespace alfred::inbox {

// `left` is how many values may still be compared; below zero the answer says nothing.
bool matches_shortcut(const Json& expected, const Json& actual, std::int64_t& left);

}  // namespace alfred::inbox
