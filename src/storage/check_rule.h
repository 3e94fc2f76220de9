// What a caller is told of a CHECK that refused a row, the same for every database.
//
// R1 the rule is the database's own, its expression or its name; no value of the row is in it.
// R2 the columns that it names are named; a rule on a column that callers do not know is not told.
#pragma once

#include <string>
#include <string_view>

#include "alfred/error.h"
#include "pack/schema.h"

namespace alfred {

// Table: null where it is not known.
Error check_conflict(std::string_view rule, const Table* table);

}  // namespace alfred
