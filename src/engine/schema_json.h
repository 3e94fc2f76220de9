// The tables a caller may use, as JSON for a model or a person: columns with types, enums, links as
// the type of ref they take, nested rows. Hidden columns do not exist here, and neither do keys.
//
// R1 a key that callers give to new rows has `key`, the type it is given in and, where it is the whole key, what it is
//    shown as afterwards: {"name":"sku","type":"text","key":true,"shown_as":"ref product"}.
// R2 no list of values is told of a column that holds keys.
#pragma once

#include <string>
#include <string_view>

#include "alfred/error.h"
#include "pack/schema.h"

namespace alfred {

// All tables, or one; {"tables":[{"table":…,"ref":…,"columns":[…],"nested":[…]}]}.
Result<std::string> schema_json(const Schema& schema, std::string_view table);

}  // namespace alfred
