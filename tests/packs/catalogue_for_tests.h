// A catalogue from SQL, by way of a real SQLite in memory.
#pragma once

#include <string_view>

#include "pack/catalogue.h"

namespace alfred {

// Runs `sql` in an empty database and reads what it made. A statement that fails, fails the test.
Catalogue catalogue_of(std::string_view sql);

}  // namespace alfred
