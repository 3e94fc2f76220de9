// The shortcut blocks of a filter: an expected value beside an actual one (filter.h, R2).
#pragma once

#include "base/json/json.h"

namespace alfred::inbox {

bool matches_shortcut(const Json& expected, const Json& actual);

}  // namespace alfred::inbox
