// Whether the arguments of a call follow the tool's own input schema, before anything is done with
// them.
//
// R1 what is looked at: names that the tool has, those it needs, and of each its type, its list of values and its
//    least and most; what is inside of it is looked at by who uses it.
// R2 the error names the argument and what it takes.
#pragma once

#include "alfred/error.h"
#include "base/json/json.h"

namespace alfred::mcp {

// Errors: schema; enum_value.
Result<void> check_arguments(const JsonObject& input_schema, const JsonObject& arguments);

}  // namespace alfred::mcp
