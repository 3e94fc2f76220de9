// Key-shaped text in a JSON value, hidden as literals in every string and name of a member (D7).
#pragma once

#include "base/json/json.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {

Result<Json> masked_json(LiteralMask& mask, const Json& json);

// The same for whole numbers that are known keys of eight digits or more: their literals are kept
// with a + in front, so that payload_literals.h knows that they were numbers.
Result<Json> with_hidden_numbers(RefRegistry& registry, KeyPieces& pieces, const Json& json);

}  // namespace alfred
