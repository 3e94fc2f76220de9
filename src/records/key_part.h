// What is shown of a part of a key of several columns (Field::is_key_part): no ref stands for it,
// so where it looks like a key it is a literal as a whole (D4).
//
// R1 told by its column and by itself, never by which rows are known: it is the same before and
//    after the row whose key it is part of was met.
// R2 a text that looks like a key (key_shapes.h, R5), and a number of eight digits or more before its point. Its
//    literal is what masked_json.h gives such a number, so what is written back is the value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "refs/registry/ref_registry.h"

namespace alfred {

// The name of the literal; none: it is shown like any other value. Registers it; needs an open
// transaction.
Result<std::optional<std::string>> literal_of_part_text(RefRegistry& registry,
                                                        std::string_view text);
Result<std::optional<std::string>> literal_of_part_number(RefRegistry& registry,
                                                          std::string_view number);
// Whether it would be one, of a value as it stands in JSON text.
bool hides_part(std::string_view json_value);

}  // namespace alfred
