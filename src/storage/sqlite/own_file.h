// Making, checking and migrating a database file of ours, before anything else opens it.
//
// R1 a new file is made with our application id, and is there whole or not at all; one that is none of ours is moved
//    aside with its log and a fresh one is made, with one warning.
// R2 a damaged file is refused and stays as it is, byte for byte. Files up to kCheckedBytes are looked through, larger
//    ones only at their ends.
// R3 a file of a newer version is refused; the message names both versions.
// R4 an older one is copied beside (SQLite's backup), then migrated in one transaction.
// R5 all of it happens under the file's lock, so that two processes do not do it twice.
// R6 check_own_name(): a file that is none of ours is refused (`file`), and nothing is moved, changed or made beside
//    it. Whoever was given a name by a person asks this first; one that is not there or empty is
//    fine.
#pragma once

#include <cstdint>
#include <string>

#include "storage/open_store.h"
#include "storage/sqlite/connection.h"

namespace alfred {

inline constexpr std::int32_t kSqliteApplicationId = 0x416C6672;  // "Alfr"
inline constexpr std::int64_t kSqliteFormat = 2;                  // user_version
inline constexpr std::uint64_t kCheckedBytes = 16ULL << 20U;
// Of a file that is made new; one that is there keeps its own. A small change of many tables, as
// most of ours are, writes a page of each to the log.
inline constexpr std::size_t kPageBytes = 2048;

Result<void> check_own_name(const std::string& path);
Result<void> prepare_own_file(const std::string& path, const StoreOptions& options);

// What prepare_own_file does last, on a connection to a file that is ours or empty.
Result<void> migrate(SqliteConnection& connection, const std::string& path,
                     const StoreOptions& options);

}  // namespace alfred
