// What a pack shows of rows and looks at in them, against the columns there are.
#pragma once

#include "alfred/error.h"
#include "pack/pack.h"
#include "pack/schema.h"

namespace alfred {

// Layouts, the places of checks, profile and dashboard. Errors: pack, at file:line:column.
Result<void> check_shown(const Pack& pack, const Schema& schema);

}  // namespace alfred
