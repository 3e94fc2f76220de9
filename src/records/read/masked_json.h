// Key-shaped text in a JSON value, hidden as literals in every string and name of a member (D7).
#pragma once

#include "base/json.h"
#include "refs/literal_mask.h"

namespace alfred {

Result<Json> masked_json(LiteralMask& mask, const Json& json);

}  // namespace alfred
