// Key-shaped text in a JSON value, hidden as literals in every string and name of a member (D7).
#pragma once

#include "base/json/json.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {

Result<Json> masked_json(LiteralMask& mask, const Json& json);

// The same for numbers that show a known key, or eight digits at the start or the end of one: their
// literals are kept as those of numbers (literal_form.h), so that payload_literals.h knows it.
// Everything else in the JSON text stays as it stands, byte for byte.
Result<std::string> with_hidden_numbers(RefRegistry& registry, KeyPieces& pieces,
                                        std::string_view json_text);
Result<Json> with_hidden_numbers(RefRegistry& registry, KeyPieces& pieces, const Json& json);

}  // namespace alfred
