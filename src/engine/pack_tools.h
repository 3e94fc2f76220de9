// What who writes a pack needs: the whole check of one, and the first text of one for a database.
#pragma once

#include <string>

#include "alfred/error.h"
#include "pack/check.h"
#include "pack/pack.h"

namespace alfred {

struct PackReport {
  Pack pack;
  PackSummary summary;
};

// Loads the pack and lays it over the database `db` names, or over its own schema.sql, which is run
// in a file that is thrown away.
Result<PackReport> check_pack(const std::string& folder, const std::string& db);

// A pack.toml for a database as it is.
Result<std::string> init_pack(const std::string& db);

}  // namespace alfred
