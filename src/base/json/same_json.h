// Whether two values are the same, as operator== says it, but without a copy of every member on the
// way.
#pragma once

#include "base/json/json.h"

namespace alfred {

bool is_same_json(const Json& a, const Json& b);

}  // namespace alfred
