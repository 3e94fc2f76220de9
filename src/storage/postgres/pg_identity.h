// What tells one PostgreSQL database from another, as libpq would find it: what the URL does not
// say comes from the environment (PGHOST, PGPORT …) and libpq's defaults.
//
// R1 host (or socket folder), port and name; two servers never have one identity.
// R2 the login too, and a service or settings that the URL gives: they decide which tables a name means.
// R3 never a password.
#pragma once

#include <string>

#include "alfred/error.h"

namespace alfred {

// Of a URL that does not parse: empty. An error where libpq cannot be loaded.
Result<std::string> postgres_identity(const std::string& url);

}  // namespace alfred
