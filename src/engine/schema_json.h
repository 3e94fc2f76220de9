// The tables a caller may use, as JSON for a model or a person: columns with types, enums, links as
// the type of ref they take, nested rows. Hidden columns do not exist here, and neither do keys.
#pragma once

#include <string>
#include <string_view>

#include "alfred/error.h"
#include "pack/schema.h"

namespace alfred {

// All tables, or one; {"tables":[{"table":…,"ref":…,"columns":[…],"nested":[…]}]}.
Result<std::string> schema_json(const Schema& schema, std::string_view table);

}  // namespace alfred
