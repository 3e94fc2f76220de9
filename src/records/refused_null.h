// Whether the database refused a row because a column that needs a value has none: by the code that
// the driver gave, which is in the error's detail, not by what the error says to people.
#pragma once

#include "alfred/error.h"

namespace alfred {

bool is_refused_null(const Error& error);

}  // namespace alfred
