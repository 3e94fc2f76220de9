// A database file of ours that is not there yet: made in memory with all its tables and first rows,
// and put in its place whole.
//
// R1 after a loss of power, or when anything fails, it is there with everything in it or not at all.
// R2 it takes one sync, and one of its folder.
// R3 nobody else may read it.
// R4 its tables may have been made ahead (begin_own_file).
#pragma once

#include <string>

#include "storage/open_store.h"

namespace alfred {

// Under the file's lock, where there is neither a file nor a log.
Result<void> make_own_file(const std::string& path, const StoreOptions& options);

}  // namespace alfred
