// What who writes or runs a pack needs: the whole check of one, the first text of one for a
// database, and its tables in a database of ours on PostgreSQL.
#pragma once

#include <map>
#include <string>

#include "alfred/error.h"
#include "alfred/random.h"
#include "base/time/clock.h"
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

struct PackInstalled {
  std::string pack;
  std::size_t tables = 0;
  std::size_t walled = 0;  // with an owner, behind row-level security
};

// Makes a PostgreSQL database one of ours that holds the pack: its tables and its rows, not its
// demo. Done before, it brings them to the pack's version. The user asked for it in so many words
// (D22).
Result<PackInstalled> install_pack(const std::string& folder, const std::string& db,
                                   const Clock& clock, Random& random);

// Table → owner column, of the tables that the pack's own schema.sql makes.
Result<std::map<std::string, std::string>> owners_of(const Pack& pack);

}  // namespace alfred
